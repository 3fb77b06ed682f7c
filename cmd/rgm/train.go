package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/train"
)

// trainSettings are the settings of rgm train.
type trainSettings struct {
	Preset string        `mapstructure:"preset"`
	Out    string        `mapstructure:"out"`
	Resume string        `mapstructure:"resume"`
	Time   time.Duration `mapstructure:"time"`

	CheckpointEvery time.Duration `mapstructure:"checkpoint-every"`

	Config train.Config `mapstructure:",squash"`
}

// setFlag sets hyper-parameters; it is no setting itself.
const setFlag = "set"

func newTrain(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Train a network",
		Long: `Train a network, and write into a folder:

  config.toml         the merged configuration, for --config
  metrics.jsonl       a line at each validation
  checkpoint.rgm      the whole training, for --resume
  model.onnx          the network that was best on validation
  learning_curve.png  drawn when the run ends

Hyper-parameters come from a preset, a file (their names are its keys, those of the
network in a table [model]), the environment (RGM_GAMMA, RGM_MODEL_HIDDEN) or --set.
Instances are generated (--set families=grid,tree chooses the families), pairs of graphs
with outliers (--instances matching), the smaller halves of QAPLIB's classes
(--instances qaplib-small, or qaplib-small:chr,nug), or read from a file, a folder or a
pattern, as rgm solve reads them; files that cannot be read are named and passed over.
Those to validate with are never trained on.

The algorithm is deep Q-learning, double, duelling and with prioritised replay (each
can be turned off), an evolution strategy (--learner es), or a policy gradient
(--learner a2c, ppo), by the preset of that name. With --guide the network first
imitates soft matchings of another solver. See docs/TRAINING.md.

A run that ends early, by --time or a signal, leaves a checkpoint.`,
		Example: `  rgm train --preset smoke --out runs/smoke
  rgm train --preset qap --set gamma=0.95 --set sizes=12,16 --time 30m
  rgm train --instances problems/ --out runs/mine
  rgm train --instances pairs.npy --order col --n1 10 --n2 12 --set goal=mixed --out runs/pairs
  rgm train --preset es --set init=qap --out runs/es
  rgm train --guide tabu --set guide_share=0.2 --out runs/guided
  rgm train --resume runs/qap`,
		Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := readTrainSettings(cmd)
			if err != nil {
				return usable(err)
			}
			if printsSettings(cmd) {
				return writeSettings(cmd.OutOrStdout(), s)
			}
			t, err := newTraining(cmd.Context(), c, &s)
			if err != nil {
				return err
			}
			return errors.Join(t.run(cmd.Context(), cmd.OutOrStdout()), t.Close())
		},
	}
	flags := cmd.Flags()
	flags.String("preset", "qap", "configuration to start from: "+strings.Join(train.Presets(), ", ")+"; by default that of the learner")
	flags.StringArray(setFlag, nil, "hyper-parameter to set, as `key=value`; may be repeated")
	flags.String("instances", "", "generated, matching, qaplib-small, qaplib-small:CLASSES, or a file, folder or pattern (default of the preset)")
	flags.Int("n1", 0, "nodes of graph 1 of affinity matrices from files (default from n2, or the square root of their vertices)")
	flags.Int("n2", 0, "nodes of graph 2 of them")
	flags.String("order", "", "vertices of affinity matrices from files: row (i·n2+a) or col (a·n1+i, as pygmtools writes) (default row)")
	flags.String("sense", "", "whether affinity matrices from files are maximised (max) or minimised (min) (default max)")
	flags.String("member", "", "the only array of .npz files to read")
	flags.String("out", "", "`folder` to write (default runs/PRESET)")
	flags.String("resume", "", "`folder` of a training to go on with, by the configuration of its checkpoint")
	flags.Duration("time", 0, "wall clock of this run (default none)")
	flags.Duration("checkpoint-every", 10*time.Second, "least time between checkpoints; they take at most a twentieth of the time")
	flags.Int("episodes", 0, "episodes after which training ends (default of the preset)")
	flags.Uint64("seed", 0, "every random choice comes from it")
	flags.String("learner", "", "algorithm: "+strings.Join(train.Learners(), ", ")+" (default of the preset)")
	flags.String("guide", "", "imitate soft matchings: tabu, or a .npy `file` with one an instance; see guide_share and guide_weight")
	complete(cmd, "preset", train.Presets()...)
	complete(cmd, "learner", train.Learners()...)
	complete(cmd, "order", "row", "col")
	complete(cmd, "sense", "max", "min")
	cmd.AddCommand(newTrainAffinity(c))
	return cmd
}

// readTrainSettings merges the preset, the file, the environment and the flags.
func readTrainSettings(cmd *cobra.Command) (trainSettings, error) {
	var s trainSettings
	v, err := readSettings(cmd, keysOf(s))
	if err != nil {
		return s, err
	}
	if err := errors.Join(exclusive(cmd, "time", "episodes"), exclusive(cmd, "resume", setFlag), checkResume(v)); err != nil {
		return s, err
	}
	if learner := v.text("learner"); !v.isSet("preset") && slices.Contains(train.Presets(), learner) {
		v.set("preset", learner)
	}
	preset, err := train.Preset(v.text("preset"))
	if err != nil {
		return s, err
	}
	if err := v.setDefaults(preset); err != nil {
		return s, err
	}
	if err := setHyperparameters(cmd, v); err != nil {
		return s, err
	}
	if err := v.decode(&s); err != nil {
		return s, err
	}
	if s.Out == "" {
		s.Out = filepath.Join("runs", s.Preset)
	}
	return s, s.check()
}

// exclusive returns an error if both flags are given.
func exclusive(cmd *cobra.Command, flag, other string) error {
	if cmd.Flags().Changed(flag) && cmd.Flags().Changed(other) {
		return fmt.Errorf("--%s and --%s exclude each other", flag, other)
	}
	return nil
}

// checkResume refuses settings that a resumed training would not follow. It looks
// at what flags, environment and file have set, before there are defaults.
func checkResume(v *values) error {
	if v.text("resume") == "" {
		return nil
	}
	fixed := append(keysOf(train.Config{}), "preset", "out")
	if given := slices.DeleteFunc(fixed, func(key string) bool { return !v.isSet(key) }); len(given) > 0 {
		return fmt.Errorf("--resume goes on by the configuration of the checkpoint: leave out %s", strings.Join(given, ", "))
	}
	return nil
}

// setHyperparameters applies the key=value pairs of --set.
func setHyperparameters(cmd *cobra.Command, v *values) error {
	pairs, err := cmd.Flags().GetStringArray(setFlag)
	if err != nil {
		return err
	}
	for _, pair := range pairs {
		key, value, found := strings.Cut(pair, "=")
		if !found {
			return fmt.Errorf("--set %s: want key=value", pair)
		}
		if err := knownKeys([]string{key}, keysOf(train.Config{}), cmd); err != nil {
			return fmt.Errorf("--set %s: %w", pair, err)
		}
		v.set(key, value)
	}
	return nil
}

// check returns an error that lists everything the settings have wrong.
func (s *trainSettings) check() error {
	errs := []error{s.Config.Validate()}
	if s.Time < 0 {
		errs = append(errs, fmt.Errorf("--time %v: want 0 (none) or more", s.Time))
	}
	if s.CheckpointEvery <= 0 {
		errs = append(errs, fmt.Errorf("--checkpoint-every %v: want more than 0", s.CheckpointEvery))
	}
	switch {
	case s.Resume != "" && !train.Resumable(s.Resume):
		errs = append(errs, fmt.Errorf("--resume %s: no %s there", s.Resume, train.CheckpointFile))
	case s.Resume == "" && train.Resumable(s.Out):
		errs = append(errs, fmt.Errorf("--out %s: a training is there already: go on with it (--resume %s), or choose another folder", s.Out, s.Out))
	}
	return errors.Join(errs...)
}

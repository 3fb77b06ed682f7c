package verbs

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/training"
	"github.com/rgm-go/rgm/train"
)

// SetFlag sets hyper-parameters; it is no setting itself.
const SetFlag = "set"

// Train returns the verb train, with more trainings below it than those of rgm.
func Train(c *console.Console, more ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Train a network",
		Long: `Train a network, and write into a folder:

  config.toml         the merged configuration, for --config
  metrics.jsonl       a line at each validation
  checkpoint.rgm      the whole training, for --resume
  model.onnx          the network that was best on validation
  learning_curve.png  drawn when the run ends

Hyper-parameters come from a preset, a file (their names are its keys), the environment
(RGM_GAMMA, RGM_MODEL_HIDDEN) or --set. Instances are generated, pairs of graphs with
outliers (--instances matching), the smaller halves of QAPLIB's classes (qaplib-small), or
read from files as rgm solve reads them. The algorithm is deep Q-learning or, by the preset
es, an evolution strategy; rgm-lab has policy gradients.
docs/TRAINING.md says more, and how long a preset takes.

A run that ends early, by --time or a signal, leaves a checkpoint.`,
		Example: `  rgm train --preset smoke --out runs/smoke
  rgm train --preset qap --set gamma=0.95 --set sizes=12,16 --time 30m
  rgm train --instances problems/ --from qap --out runs/mine
  rgm train --guide tabu --set guide_share=0.2 --out runs/guided
  rgm train --resume runs/qap`,
		Args: settings.Arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := readTrainSettings(cmd)
			if err != nil {
				return settings.Usage(err)
			}
			if settings.Printed(cmd) {
				return settings.Write(cmd.OutOrStdout(), s.Flat())
			}
			t, err := training.New(cmd.Context(), c, &s)
			if err != nil {
				return err
			}
			return errors.Join(t.Run(cmd.Context(), cmd.OutOrStdout()), t.Close())
		},
	}
	settings.Announce(cmd, training.Keys())
	flags := cmd.Flags()
	flags.String("preset", "qap", "configuration to start from: "+strings.Join(train.Presets(), ", ")+"; by default that of the learner")
	flags.StringArray(SetFlag, nil, "hyper-parameter to set, as `key=value`; may be repeated (in rgm-lab bench matching --set NAME is a data set)")
	flags.String("instances", "", "generated, matching, qaplib-small, qaplib-small:CLASSES, or a file, folder or pattern (default of the preset)")
	flags.Int("n1", 0, "nodes of graph 1 of affinity matrices from files (default from n2, or the square root of their vertices)")
	flags.Int("n2", 0, "nodes of graph 2 of them")
	flags.String("order", "", "vertices of affinity matrices from files: row (i·n2+a) or col (a·n1+i, as pygmtools writes) (default row)")
	flags.String("sense", "", "whether affinity matrices from files are maximised (max) or minimised (min) (default max)")
	flags.String("member", "", "the only array of .npz files to read")
	flags.String("from", "", "`model` whose weights are the first: a pretrained one, a file or a checkpoint (the same as --set init)")
	flags.StringP("out", "o", "", "`folder` to write (default runs/PRESET)")
	flags.String("resume", "", "`folder` of a training to go on with, by the configuration of its checkpoint")
	flags.Duration("time", 0, "wall clock of this run (default none)")
	flags.Duration("checkpoint-every", 10*time.Second, "least time between checkpoints; they take at most a twentieth of the time")
	flags.Int("updates", 0, "updates after which the run ends, a multiple of validation_every (default none)")
	flags.Int("episodes", 0, "episodes after which training ends (default of the preset)")
	AddSeedFlag(cmd)
	flags.String("learner", "", "algorithm: "+strings.Join(train.Learners(), ", ")+" (default of the preset)")
	flags.String("guide", "", "imitate soft matchings: tabu, or a .npy `file` with one an instance; see guide_share and guide_weight")
	settings.Complete(cmd, "preset", train.Presets()...)
	settings.Complete(cmd, "learner", train.Learners()...)
	settings.Complete(cmd, "order", "row", "col")
	settings.Complete(cmd, "sense", "max", "min")
	cmd.AddCommand(append([]*cobra.Command{newTrainAlign(c)}, more...)...)
	if own := newTrainAffinity(c); !slices.ContainsFunc(more, func(m *cobra.Command) bool { return m.Name() == own.Name() }) {
		cmd.AddCommand(own) // rgm-lab's learns from generated pairs
	}
	return cmd
}

// readTrainSettings merges the preset, the file, the environment and the flags.
func readTrainSettings(cmd *cobra.Command) (training.TrainSettings, error) {
	var s training.TrainSettings
	v, err := settings.Read(cmd, training.Keys())
	if err != nil {
		return s, err
	}
	if err := errors.Join(exclusive(cmd, "time", "episodes"), exclusive(cmd, "resume", SetFlag), checkResume(v)); err != nil {
		return s, err
	}
	if learner := v.Text("learner"); !v.IsSet("preset") && slices.Contains(train.Presets(), learner) {
		v.Set("preset", learner)
	}
	if err := setHyperparameters(cmd, v); err != nil {
		return s, err
	}
	if s.Config, err = trainConfig(v); err != nil {
		return s, err
	}
	if err := checkPairs(cmd, s.Config); err != nil {
		return s, err
	}
	if err := v.SetDefaults(s.Config.Flat()); err != nil {
		return s, err
	}
	if err := s.Decode(v); err != nil {
		return s, err
	}
	if s.Out == "" {
		s.Out = filepath.Join("runs", s.Preset)
	}
	if s.From != "" {
		s.Config.Init = s.From
	}
	if settings.Printed(cmd) {
		return s, nil
	}
	return s, v.Named(settings.Usage(s.Check()))
}

// trainConfig returns the preset, with the learner that was chosen and what that has by itself.
func trainConfig(v *settings.Values) (train.Config, error) {
	learner, name := v.Text("learner"), v.Text("preset")
	c, err := train.Preset(name)
	if err == nil && learner != "" && learner != c.Learner {
		c, err = c.WithLearner(learner)
	}
	return c, err
}

// checkPairs refuses hyper-parameters that only other learners have; a file may have them.
func checkPairs(cmd *cobra.Command, c train.Config) error {
	pairs, err := cmd.Flags().GetStringArray(SetFlag)
	own := settings.Keys(c.Flat())
	for _, pair := range pairs {
		if key, _, _ := strings.Cut(pair, "="); !slices.Contains(own, key) {
			return fmt.Errorf("--set %s: the learner %s has no such key", pair, c.Learner)
		}
	}
	return err
}

// exclusive returns an error if both flags are given.
func exclusive(cmd *cobra.Command, flag, other string) error {
	both := cmd.Flags().Changed(flag) && cmd.Flags().Changed(other)
	return settings.ErrorIf(both, "--%s and --%s exclude each other", flag, other)
}

// checkResume refuses settings that a resumed training would not follow. It looks
// at what flags, environment and file have set, before there are defaults.
func checkResume(v *settings.Values) error {
	if v.Text("resume") == "" {
		return nil
	}
	fixed := append(training.HyperParameters(), "preset", "from", "out")
	if given := slices.DeleteFunc(fixed, func(key string) bool { return !v.IsSet(key) }); len(given) > 0 {
		return fmt.Errorf("--resume goes on by the configuration of the checkpoint: leave out %s", strings.Join(given, ", "))
	}
	return nil
}

// setHyperparameters applies the key=value pairs of --set.
func setHyperparameters(cmd *cobra.Command, v *settings.Values) error {
	pairs, err := cmd.Flags().GetStringArray(SetFlag)
	if err != nil {
		return err
	}
	for _, pair := range pairs {
		key, value, found := strings.Cut(pair, "=")
		if !found {
			return fmt.Errorf("--set %s: want key=value, a hyper-parameter", pair)
		}
		if err := settings.Known([]string{key}, training.HyperParameters(), cmd); err != nil {
			return fmt.Errorf("--set %s: %w", pair, err)
		}
		v.SetPair(key, value)
	}
	return nil
}

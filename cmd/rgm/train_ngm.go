package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cmd/rgm/internal/console"
	"github.com/rgm-go/rgm/cmd/rgm/internal/networks"
	"github.com/rgm-go/rgm/cmd/rgm/internal/report"
	"github.com/rgm-go/rgm/cmd/rgm/internal/results"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
	"github.com/rgm-go/rgm/cmd/rgm/internal/training"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/ngm"
)

// ngmSettings are the settings of rgm train ngm.
type ngmSettings struct {
	Out    string     `mapstructure:"out"`
	Resume string     `mapstructure:"resume"`
	Config ngm.Config `mapstructure:",squash"`
}

func newTrainNGM(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ngm",
		Short: "Train a network that gives soft matchings",
		Long: `Train a network that matches graphs in one evaluation, after "Neural graph matching
network" (Wang, Yan, Yang, TPAMI 2021), and write into a folder:

  config.toml    the merged configuration, for --config
  metrics.jsonl  the losses, and how good it is on other instances
  model.onnx     the network, for rgm solve --method ngm --model FILE
  ngm.rgm        the whole training, for --resume

--loss truth learns from generated pairs of graphs whose true matching is known, --loss
objective from generated assignment problems, by the objective of its own soft matching.
A run that ends early, by a signal, leaves a checkpoint.`,
		Example: `  rgm train ngm --out runs/ngm
  rgm solve --method ngm --model runs/ngm/model.onnx pairs.npy`,
		Args: settings.Arguments(cobra.NoArgs),
		RunE: settings.Merged(func(cmd *cobra.Command, s ngmSettings, _ []string) error {
			if err := settings.Usage(s.Config.Validate(), s.checkResume(cmd)); err != nil {
				return err
			}
			return trainNGM(cmd.Context(), c, &s, cmd.OutOrStdout())
		}),
	}
	d := ngm.Default()
	flags := cmd.Flags()
	flags.String("out", filepath.Join("runs", "ngm"), "`folder` to write")
	flags.String("resume", "", "`folder` of a training to go on with, by the configuration of its checkpoint")
	flags.Uint64("seed", d.Seed, "every random choice comes from it")
	flags.String("loss", d.Loss, "what is learned from: truth or objective")
	flags.Int("hidden", d.Hidden, "width of the embeddings")
	flags.Int("layers", d.Layers, "layers of the network")
	flags.Int("least-nodes", d.LeastNodes, "least nodes of the larger graph")
	flags.Int("most-nodes", d.MostNodes, "most nodes of it")
	flags.Int("batch", d.Batch, "instances of an update, drawn anew for each")
	flags.Int("updates", d.Updates, "updates")
	flags.Int("validation-pairs", d.ValidationPairs, "other instances, to measure on")
	flags.Float64("learning-rate", d.LearningRate, "at the start; it falls to 0")
	settings.Complete(cmd, "loss", ngm.LossTruth, ngm.LossObjective)
	return cmd
}

// checkResume refuses a folder without a checkpoint to go on with, one with a training
// where a new one is to begin, and flags that a resumed training would not follow.
func (s *ngmSettings) checkResume(cmd *cobra.Command) error {
	if s.Resume == "" {
		if ngm.Resumable(s.Out) {
			return fmt.Errorf("--out %s: a training is there already: go on with it (--resume %s), or choose another folder", s.Out, s.Out)
		}
		return nil
	}
	for _, key := range append(settings.Keys(ngm.Config{}), "out") {
		if cmd.Flags().Changed(key) {
			return fmt.Errorf("--resume goes on by the configuration of the checkpoint: leave out --%s", key)
		}
	}
	if !ngm.Resumable(s.Resume) {
		return fmt.Errorf("--resume %s: no %s there", s.Resume, ngm.CheckpointFile)
	}
	return nil
}

// ngmSource returns what a training learns from.
func ngmSource(c ngm.Config) train.PairSource {
	if c.Loss == ngm.LossObjective {
		return assignments{}
	}
	return pairs.Training{Unsigned: true}
}

// assignments draws assignment problems, whose best matching nobody knows.
type assignments struct{}

func (assignments) Problem(n int, rng *rand.Rand) (*qap.Instance, qap.Matching, error) {
	in, err := datasets.Mixture{}.Instance(n, rng)
	return in, nil, err
}

// open begins the training that the settings name, or takes it up.
func (s *ngmSettings) open(dir string) (*ngm.Trainer, error) {
	if s.Resume != "" {
		return ngm.Resume(filepath.Join(dir, ngm.CheckpointFile), ngmSource)
	}
	return ngm.New(s.Config, ngmSource(s.Config))
}

// trainNGM trains, or goes on, in a folder that no other run is writing into. Where it
// cannot begin, it leaves no empty folder.
func trainNGM(ctx context.Context, c *console.Console, s *ngmSettings, out io.Writer) (err error) {
	dir := cmp.Or(s.Resume, s.Out)
	made := results.MissingFolders(dir)
	lock, err := results.Claim(dir)
	if err != nil {
		return fmt.Errorf("train: %w", err)
	}
	defer func() {
		if err = errors.Join(err, lock.Close()); err != nil {
			results.RemoveEmpty(made)
		}
	}()
	t, err := s.open(dir)
	if err != nil {
		return err
	}
	bar := c.StartBar(int64(t.Config().Updates), "training")
	err = t.Run(ctx, ngm.Options{Dir: dir, Progress: func(m ngm.Metrics) {
		bar.Describe(fmt.Sprintf("loss %.4f", m.Loss))
		bar.Set(int64(m.Update))
	}})
	c.EndBar()
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return fmt.Errorf("train: interrupted; all is saved: go on with rgm train ngm --resume %s", dir)
	}
	if err != nil {
		return err
	}
	return writeNGM(ctx, c, dir, t, out)
}

// ngmTraining is what the model file says of its training.
type ngmTraining struct {
	Config     ngm.Config     `json:"config"`
	Validation ngm.Validation `json:"validation"`
}

// writeNGM writes the files of a training that is through and prints where they are.
func writeNGM(ctx context.Context, c *console.Console, dir string, t *ngm.Trainer, out io.Writer) error {
	var metrics []any
	for _, m := range t.Metrics() {
		metrics = append(metrics, m)
	}
	v, model := t.Validation(), filepath.Join(dir, networks.ModelFile)
	text, err := json.Marshal(ngmTraining{t.Config(), v})
	if err != nil {
		return err
	}
	verifies, err := networks.Verifies(ctx, c, networks.ModelFile)
	if err != nil {
		return err
	}
	err = errors.Join(
		atomicfile.Write(filepath.Join(dir, training.ConfigFile), func(w io.Writer) error { return settings.Write(w, t.Config()) }),
		atomicfile.Write(filepath.Join(dir, train.MetricsFile), func(w io.Writer) error { return report.WriteJSON(w, append(metrics, v)...) }),
		networks.Save(ctx, model, t.Network(), string(text), verifies),
	)
	if err != nil {
		return err
	}
	lines := [][2]string{{"validation loss", fmt.Sprintf("%.4f", v.Loss)}}
	if v.F1 != nil {
		lines = append(lines, [2]string{"validation F1", fmt.Sprintf("%.4f", *v.F1)})
	}
	return report.WritePairs(out, append(lines, [2]string{"model", model}))
}

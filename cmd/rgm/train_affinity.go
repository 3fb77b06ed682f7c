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
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/affinity"
)

// affinityFile is the model that rgm train affinity writes.
const affinityFile = "affinity.onnx"

// affinitySettings are the settings of rgm train affinity.
type affinitySettings struct {
	Out    string          `mapstructure:"out"`
	Resume string          `mapstructure:"resume"`
	Config affinity.Config `mapstructure:",squash"`
}

func newTrainAffinity(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "affinity",
		Short: "Train a learned affinity",
		Long: `Train a network that re-weighs affinities against outliers, on generated pairs of
graphs whose true matching is known, and write into a folder:

  config.toml    the merged configuration, for --config
  metrics.jsonl  the losses, and mean F1 on other generated pairs
  affinity.onnx  the network, for rgm solve --affinity FILE
  affinity.rgm   the whole training, for --resume

A run that ends early, by a signal, leaves a checkpoint.`,
		Example: `  rgm train affinity --out runs/affinity
  rgm solve --affinity runs/affinity/affinity.onnx --method profile pairs.npy`,
		Args: settings.Arguments(cobra.NoArgs),
		RunE: settings.Merged(func(cmd *cobra.Command, s affinitySettings, _ []string) error {
			if err := settings.Usage(s.Config.Validate(), s.checkResume(cmd)); err != nil {
				return err
			}
			return trainAffinity(cmd.Context(), c, &s, cmd.OutOrStdout())
		}),
	}
	d := affinity.Default()
	flags := cmd.Flags()
	flags.String("out", filepath.Join("runs", "affinity"), "`folder` to write")
	flags.String("resume", "", "`folder` of a training to go on with, by the configuration of its checkpoint")
	flags.Uint64("seed", d.Seed, "every random choice comes from it")
	flags.Int("width", d.Width, "width of the hidden layers")
	flags.Int("least-nodes", d.LeastNodes, "least nodes of the larger graph of a pair")
	flags.Int("most-nodes", d.MostNodes, "most nodes of it")
	flags.Int("pairs", d.Pairs, "generated pairs to learn from what an affinity is worth")
	flags.Int("size-pairs", d.SizePairs, "others, to learn from how many matches to make")
	flags.Int("validation-pairs", d.ValidationPairs, "others, to measure both on")
	flags.Int("updates", d.Updates, "updates of the first part")
	flags.Int("size-updates", d.SizeUpdates, "updates of the second part")
	flags.Float64("learning-rate", d.LearningRate, "at the start of both parts; it falls to 0")
	flags.Float64("size-decay", d.SizeDecay, "weight decay of the second part, times the learning rate")
	return cmd
}

// checkResume refuses a folder without a checkpoint to go on with, one with a training
// where a new one is to begin, and flags that a resumed training would not follow.
func (s *affinitySettings) checkResume(cmd *cobra.Command) error {
	if s.Resume == "" {
		if affinity.Resumable(s.Out) {
			return fmt.Errorf("--out %s: a training is there already: go on with it (--resume %s), or choose another folder", s.Out, s.Out)
		}
		return nil
	}
	for _, key := range append(settings.Keys(affinity.Config{}), "out") {
		if cmd.Flags().Changed(key) {
			return fmt.Errorf("--resume goes on by the configuration of the checkpoint: leave out --%s", key)
		}
	}
	if !affinity.Resumable(s.Resume) {
		return fmt.Errorf("--resume %s: no %s there", s.Resume, affinity.CheckpointFile)
	}
	return nil
}

// trainAffinity trains, or goes on, in a folder that no other run is writing into. Where
// it cannot begin, it leaves no empty folder.
func trainAffinity(ctx context.Context, c *console.Console, s *affinitySettings, out io.Writer) (err error) {
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
	c.Log.Info("drawing pairs of graphs")
	var t *affinity.Trainer
	if s.Resume != "" {
		t, err = affinity.Resume(ctx, filepath.Join(dir, affinity.CheckpointFile), mixedPairs{})
	} else {
		t, err = affinity.New(s.Config, mixedPairs{})
	}
	if err != nil {
		return err
	}
	stage, bar := "", console.Progress{}
	err = t.Run(ctx, affinity.Options{Dir: dir, Progress: func(m affinity.Metrics) {
		if m.Stage != stage {
			stage, bar = m.Stage, c.StartBar(int64(m.Updates), "training "+m.Stage)
		}
		bar.Describe(fmt.Sprintf("%s, loss %.4f", m.Stage, m.Loss))
		bar.Set(int64(m.Update))
	}})
	c.EndBar()
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return fmt.Errorf("train: interrupted; all is saved: go on with rgm train affinity --resume %s", dir)
	}
	if err != nil {
		return err
	}
	return writeAffinity(ctx, c, dir, t, out)
}

// writeAffinity writes the files of a training that is through and prints where they are.
func writeAffinity(ctx context.Context, c *console.Console, dir string, t *affinity.Trainer, out io.Writer) error {
	var metrics []any
	for _, m := range t.Metrics() {
		metrics = append(metrics, m)
	}
	validation, model := t.Validation(), filepath.Join(dir, affinityFile)
	err := errors.Join(
		atomicfile.Write(filepath.Join(dir, training.ConfigFile), func(w io.Writer) error { return settings.Write(w, t.Config()) }),
		atomicfile.Write(filepath.Join(dir, train.MetricsFile), func(w io.Writer) error { return report.WriteJSON(w, append(metrics, validation)...) }),
		saveAffinity(ctx, c, model, t.Network(), affinityTraining{t.Config(), validation}),
	)
	if err != nil {
		return err
	}
	return report.WritePairs(out, [][2]string{
		{"validation F1", fmt.Sprintf("%.4f", validation.F1)},
		{"with the true count", fmt.Sprintf("%.4f", validation.F1Count)},
		{"model", model},
	})
}

// affinityTraining is what the model file says of its training.
type affinityTraining struct {
	Config     affinity.Config     `json:"config"`
	Validation affinity.Validation `json:"validation"`
}

// saveAffinity writes the model, compared with Go where there is ONNX Runtime.
func saveAffinity(ctx context.Context, c *console.Console, path string, n *models.Affinity, t affinityTraining) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	verifies, err := networks.Verifies(ctx, c, affinityFile)
	if err != nil {
		return err
	}
	return networks.Save(ctx, path, n, string(text), verifies)
}

// mixedPairs draws pairs.Mixture over complete graphs and, for some, Delaunay
// triangulations.
type mixedPairs struct{}

const delaunayShare = 0.2

func (mixedPairs) Problem(n int, rng *rand.Rand) (*qap.Instance, qap.Matching, error) {
	m := pairs.Mixture{Edges: graphs.Complete}
	if rng.Float64() < delaunayShare {
		m.Edges = graphs.Delaunay
	}
	p, err := m.Pair(n, rng)
	return p.Instance, p.Truth, err
}

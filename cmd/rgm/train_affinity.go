package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cmd/rgm/internal/console"
	"github.com/rgm-go/rgm/cmd/rgm/internal/report"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
	"github.com/rgm-go/rgm/cmd/rgm/internal/training"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/export"
	"github.com/rgm-go/rgm/infer/ortlib"
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
  affinity.onnx  the network, for rgm solve --affinity FILE`,
		Example: `  rgm train affinity --out runs/affinity
  rgm solve --affinity runs/affinity/affinity.onnx --method profile pairs.npy`,
		Args: settings.Arguments(cobra.NoArgs),
		RunE: settings.Merged(func(cmd *cobra.Command, s affinitySettings, _ []string) error {
			return trainAffinity(cmd.Context(), c, &s, cmd.OutOrStdout())
		}),
	}
	d := affinity.Default()
	flags := cmd.Flags()
	flags.String("out", filepath.Join("runs", "affinity"), "`folder` to write")
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

// trainAffinity trains, writes the files and prints where they are.
func trainAffinity(ctx context.Context, c *console.Console, s *affinitySettings, out io.Writer) error {
	if err := settings.Usage(s.Config.Validate()); err != nil {
		return err
	}
	if err := os.MkdirAll(s.Out, 0o777); err != nil {
		return fmt.Errorf("train: %w", err)
	}
	c.Log.Info("drawing pairs of graphs", "pairs", s.Config.Pairs)
	var metrics []any
	stage, bar := "", console.Progress{}
	network, validation, err := affinity.Train(ctx, s.Config, mixedPairs{}, func(m affinity.Metrics) {
		metrics = append(metrics, m)
		if m.Stage != stage {
			stage, bar = m.Stage, c.StartBar(int64(m.Updates), "training "+m.Stage)
		}
		bar.Describe(fmt.Sprintf("%s, loss %.4f", m.Stage, m.Loss))
		bar.Set(int64(m.Update))
	})
	c.EndBar()
	if ctx.Err() != nil {
		return errors.New("train: interrupted; nothing is saved")
	}
	if err != nil {
		return err
	}
	model := filepath.Join(s.Out, affinityFile)
	err = errors.Join(
		atomicfile.Write(filepath.Join(s.Out, training.ConfigFile), func(w io.Writer) error { return settings.Write(w, s) }),
		atomicfile.Write(filepath.Join(s.Out, train.MetricsFile), func(w io.Writer) error { return report.WriteJSON(w, append(metrics, validation)...) }),
		saveAffinity(ctx, c, model, network, affinityTraining{s.Config, validation}),
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
	err = export.Write(ctx, path, n, string(text), c.Session())
	c.EndBar()
	if !errors.Is(err, ortlib.ErrUnavailable) {
		return err
	}
	c.Log.Warn(affinityFile+" is written without comparing it with Go: there is no ONNX Runtime", "reason", err)
	data, err := export.Marshal(n, string(text))
	if err != nil {
		return err
	}
	return export.Save(path, data)
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

package training

import (
	"context"
	"fmt"
	"io"

	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/cli/console"
	"github.com/rgm-go/rgm/internal/cli/networks"
	"github.com/rgm-go/rgm/train/affinity"
)

// Affinity trains learned affinities.
func Affinity(ctx context.Context, c *console.Console, s *Settings[affinity.Config], out io.Writer) error {
	return Learn(ctx, c, s, Kind[*affinity.Trainer]{
		Command: "rgm train affinity", Checkpoint: affinity.CheckpointFile, Model: "affinity.onnx",
		Begin: func() (*affinity.Trainer, error) {
			c.Log.Info("drawing pairs of graphs")
			return affinity.New(s.Config, pairs.Broad{})
		},
		Resume: func(checkpoint string) (*affinity.Trainer, error) {
			c.Log.Info("drawing pairs of graphs")
			return affinity.Resume(ctx, checkpoint, pairs.Broad{})
		},
		Run: func(t *affinity.Trainer, dir string, show Shown) error {
			return t.Run(ctx, affinity.Options{Dir: dir, Progress: func(m affinity.Metrics) {
				show("training "+m.Stage, m.Update, m.Updates, lossOf(m))
			}})
		},
		Results: func(t *affinity.Trainer) [][2]string {
			v := t.Validation()
			return [][2]string{{"validation F1", fmt.Sprintf("%.4f", v.F1)}, {"with the true count", fmt.Sprintf("%.4f", v.F1Count)}}
		},
		Save: func(t *affinity.Trainer, path, training string, verify bool) error {
			return networks.Save(ctx, path, t.Network(), training, verify)
		},
	}, out)
}

// lossOf says how a stage goes.
func lossOf(m affinity.Metrics) string { return fmt.Sprintf("%s, loss %.4f", m.Stage, m.Loss) }

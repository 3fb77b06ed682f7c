package training

import (
	"context"
	"fmt"
	"io"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/export"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/models/propagation"
	"github.com/rgm-go/rgm/train/alignment"
)

// Alignment trains learned belief propagation.
func Alignment(ctx context.Context, c *console.Console, s *Settings[alignment.Config], out io.Writer) error {
	return Learn(ctx, c, s, Kind[*alignment.Trainer]{
		Command: "rgm train align", Checkpoint: alignment.CheckpointFile, Model: "align.onnx",
		Begin:  func() (*alignment.Trainer, error) { return alignment.New(s.Config) },
		Resume: alignment.Resume,
		Run: func(t *alignment.Trainer, dir string, show Shown) error {
			return t.Run(ctx, alignment.Options{Dir: dir, Progress: func(m alignment.Metrics) {
				show("training the "+m.Stage+" stage", m.Update, m.Updates, fmt.Sprintf("%s stage, loss %.3f, %.0f %% right", m.Stage, m.Loss, 100*m.Accuracy))
			}})
		},
		Results: func(t *alignment.Trainer) [][2]string {
			v := t.Validation()
			share := func(x float64) string { return fmt.Sprintf("%.4f", x) }
			return [][2]string{{"validation, by hand", share(v.Hand)}, {"first stage", share(v.First)}, {"with the second", share(v.Again)}}
		},
		Save: func(t *alignment.Trainer, path, training string, verify bool) error {
			if verify {
				return export.WritePropagation(ctx, path, t.Network(), training, infer.SessionOptions{})
			}
			return export.Save(path, propagation.Marshal(t.Network(), training))
		},
	}, out)
}

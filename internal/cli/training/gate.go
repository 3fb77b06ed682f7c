package training

import (
	"context"
	"fmt"
	"io"

	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/cli/console"
	"github.com/rgm-go/rgm/train/affinity"
	"github.com/rgm-go/rgm/train/sources"
)

// Gate trains the choice between given affinities and the pretrained ones.
func Gate(ctx context.Context, c *console.Console, s *Settings[affinity.GateConfig], out io.Writer) error {
	learned, err := sources.PretrainedAffinity()
	if err != nil {
		return err
	}
	return learn(ctx, c, s, kind[*affinity.GateTrainer]{
		verb: "gate", checkpoint: affinity.GateFile, model: "gate.onnx",
		begin: func() (*affinity.GateTrainer, error) {
			c.Log.Info("drawing pairs of graphs")
			return affinity.NewGate(s.Config, learned, pairs.Wide{})
		},
		resume: func(checkpoint string) (*affinity.GateTrainer, error) {
			c.Log.Info("drawing pairs of graphs")
			return affinity.ResumeGate(ctx, checkpoint, learned, pairs.Wide{})
		},
		run: func(t *affinity.GateTrainer, dir string, show shown) error {
			const part = "training gate"
			show(part, 0, t.Config().Updates, part)
			return t.Run(ctx, affinity.Options{Dir: dir, Progress: func(m affinity.Metrics) { show(part, m.Update, m.Updates, lossOf(m)) }})
		},
		results: func(t *affinity.GateTrainer) [][2]string {
			v := t.Validation()
			return [][2]string{
				{"validation F1", fmt.Sprintf("%.4f", v.F1)},
				{"by given affinities, J and J/m", fmt.Sprintf("%.4f %.4f", v.J, v.Mean)},
				{"by learned ones", fmt.Sprintf("%.4f", v.Phi)},
			}
		},
	}, out)
}

package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/training"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/lab/research/drawn"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
)

// drawnSource returns what a training learns from.
func drawnSource(c drawn.Config) train.PairSource {
	switch c.Loss {
	case drawn.LossObjective:
		return assignments{}
	case drawn.LossScore:
		return either{assignments{}, pairs.Training{Unsigned: true}}
	}
	return pairs.Training{Unsigned: true}
}

// either draws from one of two sources, as chance has it.
type either [2]train.PairSource

func (e either) Problem(n int, rng *rand.Rand) (*qap.Instance, qap.Matching, error) {
	return e[rng.IntN(2)].Problem(n, rng)
}

// assignments draws assignment problems, whose best matching nobody knows.
type assignments struct{}

func (assignments) Problem(n int, rng *rand.Rand) (*qap.Instance, qap.Matching, error) {
	in, err := datasets.Mixture{}.Instance(n, rng)
	return in, nil, err
}

// trainDrawn trains networks on instances drawn anew, for a verb of rgm-lab train.
func trainDrawn(ctx context.Context, c *console.Console, verb string, s *training.Settings[drawn.Config], out io.Writer) error {
	return training.Learn(ctx, c, s, training.Kind[*drawn.Trainer]{
		Command: "rgm-lab train " + verb, Checkpoint: drawn.CheckpointFile(s.Config.Architecture), Model: networks.ModelFile,
		Begin:  func() (*drawn.Trainer, error) { return drawn.New(s.Config, drawnSource(s.Config)) },
		Resume: func(checkpoint string) (*drawn.Trainer, error) { return drawn.Resume(checkpoint, drawnSource) },
		Run: func(t *drawn.Trainer, dir string, show training.Shown) error {
			const part = "training"
			show(part, 0, t.Config().Updates, part)
			return t.Run(ctx, drawn.Options{Dir: dir, Progress: func(m drawn.Metrics) {
				show(part, m.Update, m.Updates, fmt.Sprintf("loss %.4f", m.Loss))
			}})
		},
		Results: func(t *drawn.Trainer) [][2]string {
			v := t.Validation()
			lines := [][2]string{{"validation loss", fmt.Sprintf("%.4f", v.Loss)}}
			if v.F1 != nil {
				lines = append(lines, [2]string{"validation F1", fmt.Sprintf("%.4f", *v.F1)})
			}
			if v.OverGreedy != nil {
				lines = append(lines, [2]string{"over greedy", fmt.Sprintf("%.4f", *v.OverGreedy)})
			}
			return lines
		},
		Save: func(t *drawn.Trainer, path, text string, verify bool) error {
			return networks.Save(ctx, path, t.Network(), text, verify)
		},
	}, out)
}

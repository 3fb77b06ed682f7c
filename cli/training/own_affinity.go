package training

import (
	"context"
	"fmt"
	"io"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/train/affinity"
)

// OwnAffinity trains a learned affinity on pairs of one's own.
func OwnAffinity(ctx context.Context, c *console.Console, s *Settings[affinity.OwnConfig], out io.Writer) error {
	return Learn(ctx, c, s, Kind[*affinity.OwnTrainer]{
		Command: "rgm train affinity", Checkpoint: affinity.OwnCheckpointFile, Model: networks.ModelFile,
		Begin: func() (*affinity.OwnTrainer, error) {
			given, known, held, err := ownPairs(ctx, c, &s.Config)
			if err != nil {
				return nil, err
			}
			s.Config.SignedNodes = true
			return affinity.NewOwn(s.Config, given, known, held)
		},
		Resume: func(checkpoint string) (*affinity.OwnTrainer, error) {
			config, err := affinity.OwnConfigOf(checkpoint)
			if err != nil {
				return nil, err
			}
			given, known, held, err := ownPairs(ctx, c, &config)
			if err != nil {
				return nil, err
			}
			return affinity.ResumeOwn(ctx, checkpoint, given, known, held)
		},
		Run: func(t *affinity.OwnTrainer, dir string, show Shown) error {
			return t.Run(ctx, affinity.Options{Dir: dir, Progress: func(m affinity.Metrics) {
				show("training "+m.Stage, m.Update, m.Updates, fmt.Sprintf("%s, loss %.4f", m.Stage, m.Loss))
			}})
		},
		Results: func(t *affinity.OwnTrainer) [][2]string {
			v := t.Validation()
			rows := [][2]string{{fmt.Sprintf("F1 on %d pairs held out", v.Pairs), fmt.Sprintf("%.1f ± %.1f %%", 100*v.F1, 100*v.Error)}}
			for _, r := range v.Controls {
				rows = append(rows, [2]string{r.Rule, fmt.Sprintf("%.1f %%, yours is %+.1f ± %.1f", 100*r.F1, 100*r.Ahead, 100*r.Error)})
			}
			return append(rows, [2]string{"advice", advice(v)})
		},
		Save: func(t *affinity.OwnTrainer, path, training string, verify bool) error {
			return networks.Save(ctx, path, t.Network(), training, verify)
		},
	}, out)
}

// advice says which model to use.
func advice(v affinity.OwnValidation) string {
	for _, r := range v.Controls {
		if r.Rule == affinity.RuleGiven && r.Ahead <= 2*r.Error {
			return "keep the model it began from, or bring more pairs: yours is not two standard errors ahead"
		}
	}
	return "use yours: it is two standard errors ahead of the model it began from"
}

package training

import (
	"context"
	"fmt"
	"io"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/lists"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train/affinity"
)

// OwnAffinity trains a learned affinity on pairs of one's own.
func OwnAffinity(ctx context.Context, c *console.Console, s *Settings[affinity.OwnConfig], out io.Writer) error {
	return Learn(ctx, c, s, Kind[*affinity.OwnTrainer]{
		Command: "rgm train affinity", Checkpoint: affinity.OwnCheckpointFile, Model: networks.ModelFile,
		Begin: func() (*affinity.OwnTrainer, error) {
			given, known, held, err := ownPairs(c, &s.Config)
			if err != nil {
				return nil, err
			}
			return affinity.NewOwn(s.Config, given, known, held)
		},
		Resume: func(checkpoint string) (*affinity.OwnTrainer, error) {
			config, err := affinity.OwnConfigOf(checkpoint)
			if err != nil {
				return nil, err
			}
			given, known, held, err := ownPairs(c, &config)
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
				rows = append(rows, [2]string{r.Rule, fmt.Sprintf("%.1f %%, %+.1f ± %.1f behind it", 100*r.F1, 100*r.Ahead, 100*r.Error)})
			}
			return rows
		},
		Save: func(t *affinity.OwnTrainer, path, training string, verify bool) error {
			return networks.Save(ctx, path, t.Network(), training, verify)
		},
	}, out)
}

// ownPairs reads the model that a training begins from, and the pairs that it learns from and is
// measured on.
func ownPairs(c *console.Console, config *affinity.OwnConfig) (given *models.Affinity, known, held []affinity.Pair, err error) {
	loaded, err := networks.Load(config.From)
	if err != nil {
		return nil, nil, nil, err
	}
	given, ok := loaded.Network.(*models.Affinity)
	if !ok {
		return nil, nil, nil, settings.Usage(fmt.Errorf("--from %s: a network of the architecture %s: want one that re-weighs affinities", config.From, loaded.Network.Architecture()))
	}
	all, err := pairs.ReadKnown(config.Pairs...)
	if err != nil {
		return nil, nil, nil, settings.Usage(err)
	}
	training, heldOut := pairs.HeldOut(all, config.Seed)
	c.Log.Info("read pairs of graphs", "training", len(training), "held out", len(heldOut), "left out, of both", len(all)-len(training)-len(heldOut))
	of := func(p pairs.Pair) affinity.Pair {
		return affinity.Pair{Name: p.Name, Instance: p.Instance, Truth: p.Truth}
	}
	return given, lists.Of(training, of), lists.Of(heldOut, of), nil
}

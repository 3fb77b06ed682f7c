package training

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"

	"github.com/rgm-go/rgm/cmd/rgm/internal/console"
	"github.com/rgm-go/rgm/cmd/rgm/internal/networks"
	"github.com/rgm-go/rgm/cmd/rgm/internal/report"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/soft"
)

// SoftSettings are the settings of rgm train ngm and rgm train lcs.
type SoftSettings struct {
	Out    string      `mapstructure:"out"`
	Resume string      `mapstructure:"resume"`
	Config soft.Config `mapstructure:",squash"`
}

// CheckResume refuses a folder that a training cannot begin in or go on in.
func (s *SoftSettings) CheckResume(changed func(flag string) bool) error {
	return checkResume(s.Out, s.Resume, settings.Keys(soft.Config{}), changed, soft.Resumable(s.Config.Architecture), soft.CheckpointFile(s.Config.Architecture))
}

// softSource returns what a training learns from.
func softSource(c soft.Config) train.PairSource {
	if c.Loss == soft.LossObjective {
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
func (s *SoftSettings) open(dir string) (*soft.Trainer, error) {
	if s.Resume != "" {
		return soft.Resume(filepath.Join(dir, soft.CheckpointFile(s.Config.Architecture)), softSource)
	}
	return soft.New(s.Config, softSource(s.Config))
}

// Soft trains, or goes on, in a folder that no other run is writing into. Where it cannot
// begin, it leaves no empty folder.
func Soft(ctx context.Context, c *console.Console, s *SoftSettings, out io.Writer) error {
	dir := cmp.Or(s.Resume, s.Out)
	return inFolder(dir, func() error { return learnSoft(ctx, c, s, dir, out) })
}

// learnSoft trains in a folder that is its own.
func learnSoft(ctx context.Context, c *console.Console, s *SoftSettings, dir string, out io.Writer) error {
	verifies, err := networks.Verifies(ctx, c, networks.ModelFile)
	if err != nil {
		return err
	}
	t, err := s.open(dir)
	if err != nil {
		return err
	}
	bar := c.StartBar(int64(t.Config().Updates), "training")
	err = t.Run(ctx, soft.Options{Dir: dir, Progress: func(m soft.Metrics) {
		bar.Describe(fmt.Sprintf("loss %.4f", m.Loss))
		bar.Set(int64(m.Update))
	}})
	c.EndBar()
	if err := ended(ctx, err, s.Config.Architecture, dir); err != nil {
		return err
	}
	return writeSoft(ctx, dir, t, verifies, out)
}

// writeSoft writes the files of a training that is through and prints where they are.
func writeSoft(ctx context.Context, dir string, t *soft.Trainer, verifies bool, out io.Writer) error {
	model, err := writeTrained(ctx, dir, networks.ModelFile, t, verifies)
	if err != nil {
		return err
	}
	v := t.Validation()
	lines := [][2]string{{"validation loss", fmt.Sprintf("%.4f", v.Loss)}}
	if v.F1 != nil {
		lines = append(lines, [2]string{"validation F1", fmt.Sprintf("%.4f", *v.F1)})
	}
	return report.WritePairs(out, append(lines, [2]string{"model", model}))
}

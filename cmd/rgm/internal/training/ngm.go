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
	"github.com/rgm-go/rgm/train/ngm"
)

// NGMSettings are the settings of rgm train ngm.
type NGMSettings struct {
	Out    string     `mapstructure:"out"`
	Resume string     `mapstructure:"resume"`
	Config ngm.Config `mapstructure:",squash"`
}

// CheckResume refuses a folder that a training cannot begin in or go on in.
func (s *NGMSettings) CheckResume(changed func(flag string) bool) error {
	return checkResume(s.Out, s.Resume, settings.Keys(ngm.Config{}), changed, ngm.Resumable, ngm.CheckpointFile)
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
func (s *NGMSettings) open(dir string) (*ngm.Trainer, error) {
	if s.Resume != "" {
		return ngm.Resume(filepath.Join(dir, ngm.CheckpointFile), ngmSource)
	}
	return ngm.New(s.Config, ngmSource(s.Config))
}

// NGM trains, or goes on, in a folder that no other run is writing into. Where it cannot
// begin, it leaves no empty folder.
func NGM(ctx context.Context, c *console.Console, s *NGMSettings, out io.Writer) error {
	dir := cmp.Or(s.Resume, s.Out)
	return inFolder(dir, func() error { return learnNGM(ctx, c, s, dir, out) })
}

// learnNGM trains in a folder that is its own.
func learnNGM(ctx context.Context, c *console.Console, s *NGMSettings, dir string, out io.Writer) error {
	verifies, err := networks.Verifies(ctx, c, networks.ModelFile)
	if err != nil {
		return err
	}
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
	if err := ended(ctx, err, "ngm", dir); err != nil {
		return err
	}
	return writeNGM(ctx, dir, t, verifies, out)
}

// writeNGM writes the files of a training that is through and prints where they are.
func writeNGM(ctx context.Context, dir string, t *ngm.Trainer, verifies bool, out io.Writer) error {
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

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
	"github.com/rgm-go/rgm/train/drawn"
)

// DrawnSettings are the settings of rgm train ngm, lcs and rewrite.
type DrawnSettings struct {
	Out    string       `mapstructure:"out"`
	Resume string       `mapstructure:"resume"`
	Config drawn.Config `mapstructure:",squash"`
}

// CheckResume refuses a folder that a training cannot begin in or go on in.
func (s *DrawnSettings) CheckResume(changed func(flag string) bool) error {
	return checkResume(s.Out, s.Resume, settings.Keys(drawn.Config{}), changed, drawn.Resumable(s.Config.Architecture), drawn.CheckpointFile(s.Config.Architecture))
}

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

// open begins the training that the settings name, or takes it up.
func (s *DrawnSettings) open(dir string) (*drawn.Trainer, error) {
	if s.Resume != "" {
		return drawn.Resume(filepath.Join(dir, drawn.CheckpointFile(s.Config.Architecture)), drawnSource)
	}
	return drawn.New(s.Config, drawnSource(s.Config))
}

// Drawn trains, or goes on, in a folder that no other run is writing into. Where it cannot
// begin, it leaves no empty folder.
func Drawn(ctx context.Context, c *console.Console, s *DrawnSettings, out io.Writer) error {
	dir := cmp.Or(s.Resume, s.Out)
	return inFolder(dir, func() error { return learnDrawn(ctx, c, s, dir, out) })
}

// learnDrawn trains in a folder that is its own.
func learnDrawn(ctx context.Context, c *console.Console, s *DrawnSettings, dir string, out io.Writer) error {
	verifies, err := networks.Verifies(ctx, c, networks.ModelFile)
	if err != nil {
		return err
	}
	t, err := s.open(dir)
	if err != nil {
		return err
	}
	bar := c.StartBar(int64(t.Config().Updates), "training")
	err = t.Run(ctx, drawn.Options{Dir: dir, Progress: func(m drawn.Metrics) {
		bar.Describe(fmt.Sprintf("loss %.4f", m.Loss))
		bar.Set(int64(m.Update))
	}})
	c.EndBar()
	if err := ended(ctx, err, s.Config.Architecture, dir); err != nil {
		return err
	}
	return writeDrawn(ctx, dir, t, verifies, out)
}

// writeDrawn writes the files of a training that is through and prints where they are.
func writeDrawn(ctx context.Context, dir string, t *drawn.Trainer, verifies bool, out io.Writer) error {
	model, err := writeTrained(ctx, dir, networks.ModelFile, t, verifies)
	if err != nil {
		return err
	}
	v := t.Validation()
	lines := [][2]string{{"validation loss", fmt.Sprintf("%.4f", v.Loss)}}
	if v.F1 != nil {
		lines = append(lines, [2]string{"validation F1", fmt.Sprintf("%.4f", *v.F1)})
	}
	if v.OverGreedy != nil {
		lines = append(lines, [2]string{"over greedy", fmt.Sprintf("%.4f", *v.OverGreedy)})
	}
	return report.WritePairs(out, append(lines, [2]string{"model", model}))
}

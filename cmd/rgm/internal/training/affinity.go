package training

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/rgm-go/rgm/cmd/rgm/internal/console"
	"github.com/rgm-go/rgm/cmd/rgm/internal/networks"
	"github.com/rgm-go/rgm/cmd/rgm/internal/report"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/train/affinity"
)

// affinityFile is the model that rgm train affinity writes.
const affinityFile = "affinity.onnx"

// AffinitySettings are the settings of rgm train affinity.
type AffinitySettings struct {
	Out    string          `mapstructure:"out"`
	Resume string          `mapstructure:"resume"`
	Config affinity.Config `mapstructure:",squash"`
}

// CheckResume refuses a folder that a training cannot begin in or go on in.
func (s *AffinitySettings) CheckResume(changed func(flag string) bool) error {
	return checkResume(s.Out, s.Resume, settings.Keys(affinity.Config{}), changed, affinity.Resumable, affinity.CheckpointFile)
}

// Affinity trains, or goes on, in a folder that no other run is writing into. Where
// it cannot begin, it leaves no empty folder.
func Affinity(ctx context.Context, c *console.Console, s *AffinitySettings, out io.Writer) error {
	dir := cmp.Or(s.Resume, s.Out)
	return inFolder(dir, func() error { return learnAffinity(ctx, c, s, dir, out) })
}

// learnAffinity trains in a folder that is its own.
func learnAffinity(ctx context.Context, c *console.Console, s *AffinitySettings, dir string, out io.Writer) error {
	verifies, err := networks.Verifies(ctx, c, affinityFile)
	if err != nil {
		return err
	}
	c.Log.Info("drawing pairs of graphs")
	var t *affinity.Trainer
	if s.Resume != "" {
		t, err = affinity.Resume(ctx, filepath.Join(dir, affinity.CheckpointFile), pairs.Broad{})
	} else {
		t, err = affinity.New(s.Config, pairs.Broad{})
	}
	if err != nil {
		return err
	}
	stage, bar := "", console.Progress{}
	err = t.Run(ctx, affinity.Options{Dir: dir, Progress: func(m affinity.Metrics) {
		if m.Stage != stage {
			stage, bar = m.Stage, c.StartBar(int64(m.Updates), "training "+m.Stage)
		}
		bar.Describe(fmt.Sprintf("%s, loss %.4f", m.Stage, m.Loss))
		bar.Set(int64(m.Update))
	}})
	c.EndBar()
	if err := ended(ctx, err, "affinity", dir); err != nil {
		return err
	}
	return writeAffinity(ctx, dir, t, verifies, out)
}

// writeAffinity writes the files of a training that is through and prints where they are.
func writeAffinity(ctx context.Context, dir string, t *affinity.Trainer, verifies bool, out io.Writer) error {
	model, err := writeTrained(ctx, dir, affinityFile, t, verifies)
	if err != nil {
		return err
	}
	v := t.Validation()
	return report.WritePairs(out, [][2]string{
		{"validation F1", fmt.Sprintf("%.4f", v.F1)},
		{"with the true count", fmt.Sprintf("%.4f", v.F1Count)},
		{"model", model},
	})
}

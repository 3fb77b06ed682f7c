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
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/qap/reweigh"
	"github.com/rgm-go/rgm/train/affinity"
)

// gateFile is the model that rgm train gate writes.
const gateFile = "gate.onnx"

// GateSettings are the settings of rgm train gate.
type GateSettings struct {
	Out    string              `mapstructure:"out"`
	Resume string              `mapstructure:"resume"`
	Config affinity.GateConfig `mapstructure:",squash"`
}

// CheckResume refuses a folder that a training cannot begin in or go on in.
func (s *GateSettings) CheckResume(changed func(flag string) bool) error {
	resumable := func(dir string) bool { return affinity.Holds(dir, affinity.GateFile) }
	return checkResume(s.Out, s.Resume, settings.Keys(affinity.GateConfig{}), changed, resumable, affinity.GateFile)
}

// Gate trains, or goes on, in a folder that no other run is writing into. Where it
// cannot begin, it leaves no empty folder.
func Gate(ctx context.Context, c *console.Console, s *GateSettings, out io.Writer) error {
	learned, err := pretrainedAffinity()
	if err != nil {
		return err
	}
	dir := cmp.Or(s.Resume, s.Out)
	return inFolder(dir, func() error { return learnGate(ctx, c, s, dir, learned, out) })
}

// learnGate trains in a folder that is its own.
func learnGate(ctx context.Context, c *console.Console, s *GateSettings, dir string, learned *reweigh.Affinity, out io.Writer) error {
	verifies, err := networks.Verifies(ctx, c, gateFile)
	if err != nil {
		return err
	}
	c.Log.Info("drawing pairs of graphs")
	var t *affinity.GateTrainer
	if s.Resume != "" {
		t, err = affinity.ResumeGate(ctx, filepath.Join(dir, affinity.GateFile), learned, pairs.Wide{})
	} else {
		t, err = affinity.NewGate(s.Config, learned, pairs.Wide{})
	}
	if err != nil {
		return err
	}
	bar := c.StartBar(int64(t.Config().Updates), "training gate")
	err = t.Run(ctx, affinity.Options{Dir: dir, Progress: func(m affinity.Metrics) {
		bar.Describe(fmt.Sprintf("%s, loss %.4f", m.Stage, m.Loss))
		bar.Set(int64(m.Update))
	}})
	c.EndBar()
	if err := ended(ctx, err, "gate", dir); err != nil {
		return err
	}
	return writeGate(ctx, dir, t, verifies, out)
}

// pretrainedAffinity returns the learned affinities that a gate is for.
func pretrainedAffinity() (*reweigh.Affinity, error) {
	data, err := pretrained.Model("affinity")
	if err != nil {
		return nil, err
	}
	n, _, err := models.Load(data)
	if err != nil {
		return nil, err
	}
	return reweigh.New(models.QFunction(n))
}

// writeGate writes the files of a training that is through and prints where they are.
func writeGate(ctx context.Context, dir string, t *affinity.GateTrainer, verifies bool, out io.Writer) error {
	model, err := writeTrained(ctx, dir, gateFile, t, verifies)
	if err != nil {
		return err
	}
	v := t.Validation()
	return report.WritePairs(out, [][2]string{
		{"validation F1", fmt.Sprintf("%.4f", v.F1)},
		{"by given affinities, J and J/m", fmt.Sprintf("%.4f %.4f", v.J, v.Mean)},
		{"by learned ones", fmt.Sprintf("%.4f", v.Phi)},
		{"model", model},
	})
}

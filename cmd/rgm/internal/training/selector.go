package training

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rgm-go/rgm/cmd/rgm/internal/console"
	"github.com/rgm-go/rgm/cmd/rgm/internal/networks"
	"github.com/rgm-go/rgm/cmd/rgm/internal/report"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/train/selector"
)

// selectorFile is the model that rgm train selector writes.
const selectorFile = "selector.onnx"

// SelectorSettings are the settings of rgm train selector.
type SelectorSettings struct {
	Out    string          `mapstructure:"out"`
	Resume string          `mapstructure:"resume"`
	Config selector.Config `mapstructure:",squash"`
}

// AddSelectorFlags adds the flags of rgm train selector.
func AddSelectorFlags(flags *pflag.FlagSet) {
	d := selector.Default()
	flags.String("out", filepath.Join("runs", "selector"), "`folder` to write")
	flags.String("resume", "", "`folder` of a training to go on with, by the configuration of its checkpoint")
	flags.Uint64("seed", d.Seed, "seed of all random choices")
	flags.Int("width", d.Width, "width of the hidden layers")
	flags.String("from", "", "`model` whose weights are the first, with its width: selector, or a file of an earlier training (default random ones)")
	flags.String("files", "", "instances to record in place of generated ones: a `folder`, a pattern or a file; one in five is for validation")
	flags.StringSlice("held-out", d.HeldOut, "families of which nothing is learned: some of "+strings.Join(datasets.Families(), ", "))
	flags.Int("instances", d.Instances, "recordings to learn from: of generated instances, or of --files in turn")
	flags.Int("validation", d.Validation, "of other instances, to measure it on")
	flags.Int("least-nodes", d.LeastNodes, "least nodes of an instance")
	flags.Int("most-nodes", d.MostNodes, "most nodes of it")
	flags.Duration("least-time", d.LeastTime, "least time that each search gets on an instance, counted in swaps")
	flags.Duration("most-time", d.MostTime, "most time that it gets")
	flags.Int("rounds", d.Rounds, "rounds of learning, each from searches that the network then led")
	flags.Int("searches", d.Searches, "searches of a round, replayed")
	flags.Int("updates", d.Updates, "updates of a round")
	flags.Float64("learning-rate", d.LearningRate, "at the start; it falls to 0")
	flags.Float64("decay", d.Decay, "weight decay, times the learning rate")
}

// CheckResume refuses a folder that a training cannot begin in or go on in.
func (s *SelectorSettings) CheckResume(changed func(flag string) bool) error {
	return checkResume(s.Out, s.Resume, settings.Keys(selector.Config{}), changed, selector.Resumable, selector.CheckpointFile)
}

// Selector trains, or goes on, in a folder that no other run is writing into. Where it
// cannot begin, it leaves no empty folder.
func Selector(ctx context.Context, c *console.Console, s *SelectorSettings, out io.Writer) error {
	dir := cmp.Or(s.Resume, s.Out)
	return inFolder(dir, func() error { return learnSelector(ctx, c, s, dir, out) })
}

// learnSelector trains in a folder that is its own.
func learnSelector(ctx context.Context, c *console.Console, s *SelectorSettings, dir string, out io.Writer) error {
	verifies, err := networks.Verifies(ctx, c, selectorFile)
	if err != nil {
		return err
	}
	var t *selector.Trainer
	if s.Resume != "" {
		t, err = selector.Resume(filepath.Join(dir, selector.CheckpointFile))
	} else {
		t, err = selector.New(s.Config)
	}
	if err != nil {
		return err
	}
	err = t.Run(ctx, followed(c, dir))
	c.EndBar()
	if err := ended(ctx, err, "selector", dir); err != nil {
		return err
	}
	return writeSelector(ctx, dir, t, verifies, out)
}

// followed are options that show a training on a bar.
func followed(c *console.Console, dir string) selector.Options {
	var bar console.Progress
	stage := ""
	show := func(name string, done, of int) {
		if name != stage {
			stage, bar = name, c.StartBar(int64(of), name)
		}
		bar.Set(int64(done))
	}
	return selector.Options{
		Dir:       dir,
		Recording: func(done, of int) { show("recording", done, of) },
		Progress: func(m selector.Metrics) {
			show("training", m.Round, m.Rounds)
			bar.Describe(fmt.Sprintf("training, log-gap %.3f", m.LogGap))
		},
	}
}

// writeSelector writes the files of a training that is through and prints where they are.
func writeSelector(ctx context.Context, dir string, t *selector.Trainer, verifies bool, out io.Writer) error {
	model, err := writeTrained(ctx, dir, selectorFile, t, verifies)
	if err != nil {
		return err
	}
	v := t.Validation()
	pairs := [][2]string{{"validation log-gap", fmt.Sprintf("%.3f", v.Learned)}}
	if v.First != nil {
		pairs = append(pairs, [2]string{"by " + t.Config().From, fmt.Sprintf("%.3f", *v.First)})
	}
	return report.WritePairs(out, append(pairs, [][2]string{
		{"by the rule", fmt.Sprintf("%.3f", v.Rule)},
		{"by the best component", fmt.Sprintf("%.3f", v.Fixed)},
		{"model", model},
	}...))
}

package training

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/cli/console"
	"github.com/rgm-go/rgm/train/selector"
)

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

// Selector trains the choice among searches.
func Selector(ctx context.Context, c *console.Console, s *Settings[selector.Config], out io.Writer) error {
	return learn(ctx, c, s, kind[*selector.Trainer]{
		verb: "selector", checkpoint: selector.CheckpointFile, model: "selector.onnx",
		begin:  func() (*selector.Trainer, error) { return selector.New(s.Config) },
		resume: selector.Resume,
		run: func(t *selector.Trainer, dir string, show shown) error {
			return t.Run(ctx, selector.Options{
				Dir:       dir,
				Recording: func(done, of int) { show("recording", done, of, "recording") },
				Progress: func(m selector.Metrics) {
					show("training", m.Round, m.Rounds, fmt.Sprintf("training, log-gap %.3f", m.LogGap))
				},
			})
		},
		results: func(t *selector.Trainer) [][2]string {
			v := t.Validation()
			lines := [][2]string{{"validation log-gap", fmt.Sprintf("%.3f", v.Learned)}}
			if v.First != nil {
				lines = append(lines, [2]string{"by " + t.Config().From, fmt.Sprintf("%.3f", *v.First)})
			}
			return append(lines, [][2]string{
				{"by the rule", fmt.Sprintf("%.3f", v.Rule)},
				{"by the best component", fmt.Sprintf("%.3f", v.Fixed)},
			}...)
		},
	}, out)
}

package training

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/results"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/train"
)

// Settings are those of a training of networks that are no policies, by the
// configuration that each has.
type Settings[C any] struct {
	Out    string `mapstructure:"out"`
	Resume string `mapstructure:"resume"`
	Config C      `mapstructure:",squash"`
}

// CheckResume refuses folders as checkFolder does, and flags that a resumed training would not
// follow.
func (s *Settings[C]) CheckResume(checkpoint string, changed func(flag string) bool) error {
	for _, key := range append(settings.Keys(s.Config), "out") {
		if s.Resume != "" && changed(key) {
			return fmt.Errorf("--resume goes on by the configuration of the checkpoint: leave out --%s", key)
		}
	}
	return checkFolder(s.Out, s.Resume, checkpoint)
}

// checkFolder refuses a folder without a checkpoint to go on with, and one with a training
// where a new one is to begin.
func checkFolder(out, resume, checkpoint string) error {
	holds := func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, checkpoint))
		return err == nil
	}
	switch {
	case resume == "" && holds(out):
		return fmt.Errorf("--out %[1]s: a training is there already: go on with it (--resume %[1]s), or choose another folder", out)
	case resume != "" && !holds(resume):
		return fmt.Errorf("--resume %s: no %s there", resume, checkpoint)
	}
	return nil
}

// supervised is a trainer of a network that is no policy: affinities, NGM.
type supervised[C, M, V any] interface {
	Config() C
	Metrics() []M
	Validation() V
}

// Kind is what a verb has of its own that trains such a network.
type Kind[T any] struct {
	Command    string // that goes on, without --resume
	Checkpoint string // the names of its files
	Model      string

	Begin   func() (T, error)
	Resume  func(checkpoint string) (T, error)
	Run     func(t T, dir string, show Shown) error
	Results func(T) [][2]string // to be printed

	// Save writes the model with what is said of its training, compared with Go where that is wanted.
	Save func(t T, path, training string, verify bool) error
}

// Shown shows how much of a part of a training is done.
type Shown func(part string, done, of int, text string)

// Learn trains, or goes on, in a folder that no other run is writing into, and prints what
// came of it. Where it cannot begin, it leaves no empty folder.
func Learn[T supervised[C, M, V], C, M, V any](ctx context.Context, c *console.Console, s *Settings[C], k Kind[T], out io.Writer) (err error) {
	dir := cmp.Or(s.Resume, s.Out)
	made := results.MissingFolders(dir)
	lock, err := results.Claim(dir)
	if err != nil {
		return fmt.Errorf("train: %w", err)
	}
	defer func() {
		if err = errors.Join(err, lock.Close()); err != nil {
			results.RemoveEmpty(made)
		}
	}()
	verifies, err := networks.Verifies(ctx, c, k.Model)
	if err != nil {
		return err
	}
	var t T
	if s.Resume != "" {
		t, err = k.Resume(filepath.Join(dir, k.Checkpoint))
	} else {
		t, err = k.Begin()
	}
	if err != nil {
		return err
	}
	err = k.Run(t, dir, bars(c))
	c.EndBar()
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return fmt.Errorf("train: interrupted; all is saved: go on with %s --resume %s", k.Command, dir)
	}
	if err != nil {
		return err
	}
	model, err := writeTrained(dir, k, t, verifies)
	if err != nil {
		return err
	}
	return report.WritePairs(out, append(k.Results(t), [2]string{"model", model}))
}

// bars shows every part of a training on a bar of its own.
func bars(c *console.Console) Shown {
	part, bar := "", console.Progress{}
	return func(now string, done, of int, text string) {
		if now != part {
			part, bar = now, c.StartBar(int64(of), now)
		}
		bar.Describe(text)
		bar.Set(int64(done))
	}
}

// writeTrained writes the files of a training that is through: its configuration, its
// metrics, the last of which is the validation, and the model, which says of itself what
// it was trained with. It returns the model's path.
func writeTrained[T supervised[C, M, V], C, M, V any](dir string, k Kind[T], t T, verifies bool) (model string, err error) {
	text, err := json.Marshal(struct {
		Config     C `json:"config"`
		Validation V `json:"validation"`
	}{t.Config(), t.Validation()})
	if err != nil {
		return "", err
	}
	var lines []any
	for _, m := range t.Metrics() {
		lines = append(lines, m)
	}
	lines = append(lines, t.Validation())
	model = filepath.Join(dir, k.Model)
	return model, errors.Join(
		atomicfile.Write(filepath.Join(dir, configFile), func(w io.Writer) error { return settings.Write(w, t.Config()) }),
		atomicfile.Write(filepath.Join(dir, train.MetricsFile), func(w io.Writer) error { return report.WriteJSON(w, lines...) }),
		k.Save(t, model, string(text), verifies),
	)
}

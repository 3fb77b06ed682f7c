package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/rgm-go/rgm/internal/flat"
	"github.com/rgm-go/rgm/internal/lists"
	"github.com/rgm-go/rgm/internal/loop"
	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/internal/sealed"
	"github.com/rgm-go/rgm/models"
)

// checkpointFormat is that of checkpoint files (package sealed). They hold all of a
// training but the instances, which are drawn again.
var checkpointFormat = sealed.Format{Magic: "rgm checkpoint\n", Version: 2}

// ErrCheckpoint is wrapped by the errors of files that are no whole checkpoint.
var ErrCheckpoint = sealed.ErrNotWhole

// checkpoint is what a file holds. There, the configuration is flat, and what the algorithm
// holds stands beside the rest.
type checkpoint struct {
	Config Config
	progress
	file []byte
}

// progress is what every training has.
type progress struct {
	Counters             counters
	Window               window
	Spent                time.Duration
	Network              [][]float32
	Average, Best        [][]float32
	Adam                 models.Adam
	Problems, Validation []savedProblem
	Output               string // of Summary, for programs without the learner
}

// savedProblem is a problem less its instance. Scale reports whether the instance
// drawn again is the same.
type savedProblem struct {
	Draw                     draw
	Scale, Reference, Spread float64
	Guide                    []float32 // nil without one
}

// WriteCheckpoint writes the training to a file, beside its place first. The file
// that was there stays if anything fails.
func (t *Trainer) WriteCheckpoint(path string) error {
	return t.writeCheckpoint(path, checkpointFormat.Write)
}

func (t *Trainer) writeCheckpoint(path string, write func(path string, value any) error) error {
	state, err := t.algorithm.Save()
	if err != nil {
		return err
	}
	if state == nil {
		state = struct{}{}
	}
	return write(path, flat.Join(flat.Field("Config", t.config.Flat()), t.progress(), state))
}

// readCheckpoint reads and checks a checkpoint file.
func readCheckpoint(path string) (*checkpoint, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	c, err := decodeCheckpoint(data)
	if err != nil {
		return nil, fmt.Errorf("train: %s: %w", path, err)
	}
	return c, nil
}

func decodeCheckpoint(data []byte) (*checkpoint, error) {
	var first struct{ Config struct{ Learner string } }
	if err := checkpointFormat.Decode(data, &first); err != nil {
		return nil, err
	}
	c := &checkpoint{file: data}
	c.Config, _ = c.Config.WithLearner(first.Config.Learner) // one that is missing matters to those who resume
	all := flat.Zero(flat.Join(flat.Field("Config", c.Config.Flat()), c.progress))
	if err := checkpointFormat.Decode(data, all); err != nil {
		return nil, err
	}
	flat.Split(all, &c.progress)
	c.Config.SetFlat(flat.Get(all, "Config"))
	if n := &c.Counters; n.BestUpdate > 0 && !n.Moved { // of a program that did not count these
		n.Moved, n.BestEpisode = true, n.Episodes
	}
	return c, nil
}

// IsCheckpoint reports whether a file begins as a checkpoint does.
func IsCheckpoint(head []byte) bool { return checkpointFormat.Begins(head) }

// Loaded is what a checkpoint file says of a training, without resuming it.
type Loaded struct {
	Config   Config
	Network  models.Network // the best one by validation
	Summary  Summary        // of that network
	Episodes int            // of the training so far
	Updates  int            // as many
	Spent    time.Duration  // on it, by all runs
	Latest   *Line          // of the metrics beside the file, as far as they belong to it; nil without
}

// Load reads the best network of a checkpoint file.
func Load(path string) (Loaded, error) {
	c, err := readCheckpoint(path)
	if err != nil {
		return Loaded{}, err
	}
	network, err := models.New(c.Config.model(), nil)
	if err != nil {
		return Loaded{}, err
	}
	weights := c.Best
	if math.IsNaN(c.Counters.BestGap) {
		weights = c.Average
	}
	if err := sealed.Restore(models.Weights(network), weights); err != nil {
		return Loaded{}, fmt.Errorf("train: %s: %w", path, err)
	}
	s := summary(&c.Config, &c.Counters, network)
	s.Output = cmp.Or(s.Output, c.Output)
	return Loaded{
		Config: c.Config, Network: network, Summary: s,
		Episodes: c.Counters.Episodes, Updates: c.Counters.Updates, Spent: c.Spent,
		Latest: latestLine(filepath.Join(filepath.Dir(path), MetricsFile), c.Counters.MetricsSize),
	}, nil
}

// latestLine returns the last of the lines of metrics that belong to a checkpoint, nil where
// they are not there.
func latestLine(path string, size int64) *Line {
	text, err := os.ReadFile(path)
	if err != nil || size <= 0 || size > int64(len(text)) {
		return nil
	}
	lines, err := parseMetrics(path, text[:size])
	if err != nil || len(lines) == 0 {
		return nil
	}
	return &lines[len(lines)-1]
}

// ReadConfig returns the configuration of the training in a checkpoint file, which
// says what source it needs.
func ReadConfig(path string) (Config, error) {
	c, err := readCheckpoint(path)
	if err != nil {
		return Config{}, err
	}
	return c.Config, nil
}

// Resume continues the training of a checkpoint. source must be the one it was
// started with. What follows is bit for bit what would have followed then.
func Resume(ctx context.Context, path string, source InstanceSource) (*Trainer, error) {
	c, err := readCheckpoint(path)
	if err != nil {
		return nil, err
	}
	t, err := c.trainer(ctx, source)
	if err != nil {
		return nil, fmt.Errorf("train: %s: %w", path, err)
	}
	return t, nil
}

func (t *Trainer) progress() progress {
	s := t.algorithm.Trainable()
	return progress{
		Counters: t.counters, Window: t.window, Spent: t.spent,
		Network: models.Weights(s.Network), Average: models.Weights(s.Average), Best: models.Weights(t.best), Adam: *s.Adam,
		Problems: saveProblems(t.problems), Validation: saveProblems(t.validation), Output: t.config.output(),
	}
}

// trainer puts a training together again.
func (c *checkpoint) trainer(ctx context.Context, source InstanceSource) (*Trainer, error) {
	if err := c.Config.Validate(); err != nil {
		return nil, err
	}
	if n := &c.Counters; min(n.Updates, n.Episodes, n.BestUpdate, n.BestEpisode, c.Adam.Updates) < 0 {
		return nil, fmt.Errorf("%w: counters %+v, %d steps of the optimiser", ErrCheckpoint, *n, c.Adam.Updates)
	}
	network, err := models.New(c.Config.model(), nil)
	if err != nil {
		return nil, err
	}
	t := &Trainer{config: c.Config, counters: c.Counters, window: c.Window, spent: c.Spent}
	if t.problems, err = loadProblems(ctx, source, &c.Config, network.Features(), c.Problems); err != nil {
		return nil, err
	}
	if t.validation, err = loadProblems(ctx, source, &c.Config, network.Features(), c.Validation); err != nil {
		return nil, err
	}
	if len(t.problems) == 0 || len(t.validation) == 0 {
		return nil, fmt.Errorf("%w: %d problems, %d to validate with", ErrCheckpoint, len(t.problems), len(t.validation))
	}
	t.assemble(network)
	s := t.algorithm.Trainable()
	if err := errors.Join(
		sealed.Restore(models.Weights(s.Network), c.Network), sealed.Restore(models.Weights(s.Average), c.Average),
		sealed.Restore(models.Weights(t.best), c.Best), loop.RestoreOptimiser(s.Adam, &c.Adam),
	); err != nil {
		return nil, err
	}
	if err := t.algorithm.Load(func(state any) error { return checkpointFormat.Decode(c.file, state) }); err != nil {
		return nil, err
	}
	return t, nil
}

func saveProblems(problems []*Problem) []savedProblem {
	return lists.Of(problems, func(p *Problem) savedProblem { return savedProblem{p.draw, p.scale, p.reference, p.spread, p.Guide} })
}

// check refuses what no training has.
func (s *savedProblem) check() error {
	if s.Draw.N < 2 || s.Draw.N > MaxNodes || s.Draw.Number < 0 || !(s.Spread > 0) || math.IsInf(s.Spread, 0) || finite(s.Reference) == nil {
		return fmt.Errorf("%w: problem %+v", ErrCheckpoint, *s)
	}
	return nil
}

func loadProblems(ctx context.Context, source InstanceSource, c *Config, set string, saved []savedProblem) ([]*Problem, error) {
	problems := make([]*Problem, len(saved))
	errs := make([]error, len(saved))
	parallel.For(len(saved), func(k int) {
		if errs[k] = ctx.Err(); errs[k] != nil {
			return
		}
		s := saved[k]
		if errs[k] = s.check(); errs[k] != nil {
			return
		}
		p, err := drawProblem(source, c, set, s.Draw)
		if err == nil && p.scale != s.Scale {
			err = fmt.Errorf("draw %+v gives another instance than when the training began: resume with the program and the instances it began with", s.Draw)
		}
		if err != nil {
			errs[k] = err
			return
		}
		if n1, n2 := p.Instance.Size(); s.Guide != nil && len(s.Guide) != n1*n2 {
			errs[k] = fmt.Errorf("%w: a guide of %d vertices, want %d", ErrCheckpoint, len(s.Guide), n1*n2)
			return
		}
		p.reference, p.spread, p.Guide = s.Reference, s.Spread, s.Guide
		problems[k] = p
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return problems, nil
}

// Package loop is the outer loop of all trainings, and the one place where their order is
// written down:
//
//	a checkpoint, so that there is one to resume from the beginning on
//	until no step is left, or the time is up:
//	    a step
//	    a checkpoint, where the last is older than Options.CheckpointEvery
//	what is to be done once no step is left
//	a checkpoint, unless something failed
//
// A step that the context cuts short changes nothing. So every checkpoint is between two steps,
// and a training that goes on from it is bit for bit the one that was never broken off. Where a
// step fails, the checkpoint before it is kept.
package loop

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Training is what a kind of training has of its own.
type Training struct {
	Package string // which its errors begin with
	File    string // the name of its checkpoint in Options.Dir

	Through func() bool // reports whether no step is left
	Step    func(context.Context) error
	End     func(context.Context) error // once no step is left
	Write   func(path string) error     // writes a checkpoint
	Interim func(path string) error     // writes one that another will replace (Write)
}

// Options are what a run of a training needs beside its configuration.
type Options struct {
	Dir             string        // where the checkpoint goes; empty writes none
	CheckpointEvery time.Duration // least time between checkpoints (10 s); they take at most a twentieth of the time
	TimeLimit       time.Duration // wall clock of the run; 0 is none
}

// Run trains to the end, or until something fails, the time is up or the context ends, whose
// error it then returns.
func (t Training) Run(ctx context.Context, o Options) error {
	if o.CheckpointEvery == 0 {
		o.CheckpointEvery = 10 * time.Second
	}
	if t.Interim == nil {
		t.Interim = t.Write
	}
	start := time.Now()
	saved, err := t.save(o.Dir, t.Interim)
	for err == nil && !t.Through() {
		if o.TimeLimit > 0 && time.Since(start) >= o.TimeLimit {
			_, err = t.save(o.Dir, t.Write)
			return err
		}
		if err = ctx.Err(); err == nil {
			err = t.Step(ctx)
		}
		if err == nil && saved.due(o.CheckpointEvery) {
			saved, err = t.save(o.Dir, t.Interim)
		}
	}
	if err == nil {
		err = t.End(ctx)
	}
	if err == nil || ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		if _, saveErr := t.save(o.Dir, t.Write); saveErr != nil {
			return saveErr
		}
	}
	return err
}

// saving is when the last checkpoint was written and how long that took.
type saving struct {
	at   time.Time
	took time.Duration
}

// due reports whether the next checkpoint may be written.
func (s saving) due(every time.Duration) bool { return time.Since(s.at) >= max(every, 20*s.took) }

// save writes a checkpoint into a folder, if there is one.
func (t Training) save(dir string, write func(path string) error) (saving, error) {
	start := time.Now()
	if dir != "" {
		if err := write(filepath.Join(dir, t.File)); err != nil {
			return saving{}, fmt.Errorf("%s: checkpoint not written, the one before is kept: %w", t.Package, err)
		}
	}
	return saving{time.Now(), time.Since(start)}, nil
}

// Reported is a training with lines of metrics M, and a validation V once no step is left.
type Reported[M, V any] struct {
	Package string // as of Training
	File    string

	Lines      *[]M // reported so far, in the state that checkpoints hold
	Validation **V  // nil before the end, also there

	Through  func() bool
	Step     func(context.Context) (line *M, err error) // line is nil where there is nothing to report
	Validate func(context.Context) (V, error)
	Write    func(path string) error
}

// ReportedOptions are what a run of it needs.
type ReportedOptions[M any] struct {
	Dir             string        // where the checkpoint goes; empty writes none
	CheckpointEvery time.Duration // least time between checkpoints (10 s)
	Progress        func(M)       // if set, told every line, once the state has it
}

// Run is that of a Training.
func (r Reported[M, V]) Run(ctx context.Context, o ReportedOptions[M]) error {
	return Training{
		Package: r.Package, File: r.File, Through: r.Through, Write: r.Write,
		Step: func(ctx context.Context) error { return r.step(ctx, o.Progress) },
		End:  r.end,
	}.Run(ctx, Options{Dir: o.Dir, CheckpointEvery: o.CheckpointEvery})
}

// step makes a step and reports its line, if it has one.
func (r Reported[M, V]) step(ctx context.Context, progress func(M)) error {
	line, err := r.Step(ctx)
	if err != nil || line == nil {
		return err
	}
	*r.Lines = append(*r.Lines, *line)
	if progress != nil {
		progress(*line)
	}
	return nil
}

// end validates, unless that was done.
func (r Reported[M, V]) end(ctx context.Context) error {
	if *r.Validation != nil {
		return nil
	}
	v, err := r.Validate(ctx)
	if err == nil {
		*r.Validation = &v
	}
	return err
}

// Measured returns a validation, the zero value before the end.
func Measured[V any](v *V) (measured V) {
	if v != nil {
		measured = *v
	}
	return measured
}

// Resume takes up the training of a checkpoint file; resume makes it from the bytes of that.
// Errors begin with the name of its package.
func Resume[T any](name, path string, resume func(data []byte) (*T, error)) (*T, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	t, err := resume(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", name, path, err)
	}
	return t, nil
}

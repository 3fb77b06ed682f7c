// Package loop is the outer loop of the trainings of affinities, gates and soft
// matchings (packages affinity and drawn), and the one place where their order is
// written down:
//
//	a checkpoint, so that there is one to resume from the beginning on
//	until no step is left:
//	    a step
//	    its line, first into the state and then to whoever follows the training
//	    a checkpoint, where the last is older than Options.CheckpointEvery
//	the validation
//	a checkpoint, whatever ended the training
//
// A step that fails, or that the context cuts short, changes nothing. So every checkpoint is
// between two steps, and a training that goes on from it is bit for bit the one that was
// never broken off; lines that were told since are told again.
package loop

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Training is what a kind of training with metrics M and validation V has of its own.
type Training[M, V any] struct {
	Package string // which its errors begin with
	File    string // the name of its checkpoint in Options.Dir

	Lines      *[]M // reported so far, in the state that checkpoints hold
	Validation **V  // nil before the end, also there

	Through  func() bool                                // tells whether no step is left
	Step     func(context.Context) (line *M, err error) // line is nil where there is nothing to report
	Validate func(context.Context) (V, error)
	Write    func(path string) error // writes a checkpoint
}

// Options are what a run of a training needs beside its configuration.
type Options[M any] struct {
	Dir             string        // where the checkpoint goes; empty writes none
	CheckpointEvery time.Duration // least time between checkpoints (10 s)
	Progress        func(M)       // if set, told every line
}

// Run trains to the end, or until a step fails or the context ends.
func (t Training[M, V]) Run(ctx context.Context, o Options[M]) error {
	if o.CheckpointEvery == 0 {
		o.CheckpointEvery = 10 * time.Second
	}
	err, saved := t.save(o.Dir), time.Now()
	for err == nil && !t.Through() {
		if err = t.step(ctx, o.Progress); err == nil && time.Since(saved) >= o.CheckpointEvery {
			err, saved = t.save(o.Dir), time.Now()
		}
	}
	if err == nil && *t.Validation == nil {
		var v V
		if v, err = t.Validate(ctx); err == nil {
			*t.Validation = &v
		}
	}
	if saveErr := t.save(o.Dir); saveErr != nil {
		return saveErr
	}
	return err
}

// step makes a step and reports its line, if it has one.
func (t Training[M, V]) step(ctx context.Context, progress func(M)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	line, err := t.Step(ctx)
	if err != nil || line == nil {
		return err
	}
	*t.Lines = append(*t.Lines, *line)
	if progress != nil {
		progress(*line)
	}
	return nil
}

// save writes a checkpoint into a folder, if there is one.
func (t Training[M, V]) save(dir string) error {
	if dir == "" {
		return nil
	}
	if err := t.Write(filepath.Join(dir, t.File)); err != nil {
		return fmt.Errorf("%s: checkpoint not written, the one before is kept: %w", t.Package, err)
	}
	return nil
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

package verbs

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/results"
	"github.com/rgm-go/rgm/internal/parallel"
)

// BatchRun answers inputs of one kind, several at a time.
type BatchRun[Input any, Answer results.Kept] struct {
	Console    *console.Console
	Folder     *results.Folder                                         // nil where results are only printed
	Doing, Of  string                                                  // in words: solving, instances
	Expected   int                                                     // inputs, as far as is known
	PassedOver int                                                     // files that are none
	Inputs     func(ctx context.Context, found func()) iter.Seq[Input] // found is told of each that was not expected
	Name       func(Input) string
	// Answer answers an input whose result has this name in the folder.
	Answer func(ctx context.Context, in Input, file string) Answer
	Tell   func(Answer) // says on the log what came of an input
	Out    interface {
		Write(Answer) error
		Close() error
	}
}

// ErrCutShort is wrapped by the error of a run whose searches a signal cut short. What they had
// found is printed and kept.
var ErrCutShort = errors.New("interrupted")

// Do answers all inputs within --total-time, prints each answer in its turn, and says how the
// run went. An input that fails does not stop the others, but it makes the error; so does a signal
// that cut searches short.
func (r *BatchRun[Input, Answer]) Do(ctx context.Context, b *Batch) error {
	start, totals := time.Now(), report.Totals{PassedOver: r.PassedOver}
	err := r.print(ctx, b, &totals)
	if ctx.Err() != nil && totals.Cancelled > 0 {
		err = errors.Join(err, fmt.Errorf("%w: %d of %d %s were not searched to the end; what was found is kept", ErrCutShort, totals.Cancelled, totals.All(), r.Of))
	}
	return errors.Join(err, b.tell(r.Console, totals, r.Folder, time.Since(start)))
}

// filed is an input, and the file of its result in the folder of results.
type filed[Input any] struct {
	input Input
	file  string
}

func (r *BatchRun[Input, Answer]) print(ctx context.Context, b *Batch, totals *report.Totals) error {
	ctx, cancel := b.context(ctx)
	defer cancel()
	bar := r.Console.CountInputs(r.Expected, r.Doing)
	defer r.Console.EndBar()
	inputs := func(yield func(filed[Input]) bool) {
		for in := range r.Inputs(ctx, bar.Expect) {
			// Those that fail get a name too, so that names are the same when they succeed.
			if !yield(filed[Input]{in, r.Folder.FileOf(r.Name(in))}) {
				return
			}
		}
	}
	work := func(f filed[Input]) Answer { return r.Answer(ctx, f.input, f.file) }
	for a := range parallel.InOrder(b.Workers, inputs, work) {
		r.Tell(a)
		totals.Add(a.Base())
		if err := r.Out.Write(a); err != nil {
			cancel() // or the rest would be answered for nobody
			return fmt.Errorf("writing results: %w", err)
		}
		bar.Add()
	}
	r.Console.EndBar()
	if err := r.Out.Close(); err != nil {
		return fmt.Errorf("writing results: %w", err)
	}
	if totals.Without > 0 {
		return fmt.Errorf("%d of %d %s without a result", totals.Without, totals.All(), r.Of)
	}
	return nil
}

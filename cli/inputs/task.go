package inputs

import (
	"context"
	"errors"
	"iter"

	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/qap"
)

// Task is an instance to solve, or the error in its place.
type Task struct {
	Name     string // of the instance; of the input where none was read
	Instance *qap.Instance
	Err      error
	Search   any // what a manifest says of the search, as Reader.SearchOf read it; nil for nothing
}

// Tasks yields the instances of all inputs. Once the context has ended, inputs are
// not opened any more. found is told of every instance beyond the first of its
// input.
func Tasks(ctx context.Context, inputs []Input, found func()) iter.Seq[Task] {
	return func(yield func(Task) bool) {
		for _, in := range inputs {
			instances := in.Instances
			if ctx.Err() != nil {
				instances = failed(report.NotBegun(ctx))
			}
			first := true
			for instance, err := range instances {
				if !first {
					found()
				}
				first = false
				if !yield(newTask(in, instance, err)) {
					return
				}
			}
		}
	}
}

// Alone reports whether there is one task, and returns all with those it has taken for
// that.
func Alone(tasks iter.Seq[Task]) (iter.Seq[Task], bool) {
	next, stop := iter.Pull(tasks)
	first, some := next()
	second, more := next()
	return func(yield func(Task) bool) {
		defer stop()
		for t, ok := first, some; ok && yield(t); {
			if t, ok = second, more; ok {
				second, more = next()
			}
		}
	}, some && !more
}

func newTask(in Input, instance *qap.Instance, err error) Task {
	t := Task{Name: in.name, Instance: instance, Err: err, Search: in.search}
	var unreadable *datasets.Error
	switch {
	case err == nil:
		t.Name = instance.Name
	case errors.As(err, &unreadable):
		t.Name = unreadable.Instance
	}
	return t
}

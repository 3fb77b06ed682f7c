package infer

import (
	"errors"
	"fmt"
	"math"

	"github.com/rgm-go/rgm/qap"
)

// OptionError is wrapped by the error for an option that cannot be used.
type OptionError struct {
	Option string // name of the field
	Reason string // what is wrong, and what is wanted
	Err    error  // what says the same, where that is another error
}

func (e *OptionError) Error() string {
	if e.Err != nil {
		return e.Err.Error()
	}
	return fmt.Sprintf("infer: %s: %s", e.Option, e.Reason)
}

func (e *OptionError) Unwrap() error { return e.Err }

// ErrNoContext is the error of a search whose context is nil.
var ErrNoContext error = &OptionError{Option: "context", Reason: "there is none: want context.Background() where nothing ends the search"}

// mostVertices bounds the vertices of the states of all rollouts together, and of a beam: each
// takes some 130 bytes.
const mostVertices = 1 << 25

// mostThreads is more than machines have: each searches by itself.
const mostThreads = 4096

// Validate returns an error that lists all that is wrong with the options of a search
// over an instance, each as an OptionError.
func (o *Options) Validate(in *qap.Instance) error {
	if in == nil || in.Affinity == nil {
		return &OptionError{Option: "instance", Reason: "there is none"}
	}
	var errs []error
	add := func(option, format string, values ...any) {
		errs = append(errs, &OptionError{Option: option, Reason: fmt.Sprintf(format, values...)})
	}
	for _, count := range []struct {
		option string
		value  int
	}{{"Rollouts", o.Rollouts}, {"Beam", o.Beam}, {"MaxSteps", o.MaxSteps}, {"Patience", o.Patience}, {"Threads", o.Threads}} {
		if count.value < 0 {
			add(count.option, "%d is negative: want 0 (the default) or more", count.value)
		}
	}
	n1, n2 := in.Size()
	most := max(mostVertices/max(n1*n2, 1), DefaultRollouts)
	for option, value := range map[string]int{"Rollouts": o.Rollouts, "Beam": o.Beam} {
		if value > most {
			add(option, "%d: want at most %d for graphs of %d and %d nodes, which take some 4 GB", value, most, n1, n2)
		}
	}
	if o.Threads > mostThreads {
		add("Threads", "%d: want at most %d", o.Threads, mostThreads)
	}
	if o.TimeLimit < 0 {
		add("TimeLimit", "%v is negative: want 0 (none) or more", o.TimeLimit)
	}
	if o.Beam > 1 && o.Rollouts > 0 {
		add("Beam", "%d, with %d rollouts: want one of them, since a beam is in place of rollouts", o.Beam, o.Rollouts)
	}
	if o.Supported && !o.Irrevocable {
		add("Supported", "it is for searches without revoking: want Irrevocable too")
	}
	if o.HasTarget && math.IsNaN(o.Target) {
		add("Target", "not a number")
	}
	if err := o.Goal.Check(in); err != nil {
		errs = append(errs, &OptionError{"Goal", err.Error(), err})
	}
	if o.Initial != nil {
		if err := in.CheckMatching(o.Initial); err != nil {
			errs = append(errs, &OptionError{"Initial", err.Error(), err})
		}
	}
	return errors.Join(errs...)
}

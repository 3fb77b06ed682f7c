package train

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Faults collects what a configuration has wrong.
type Faults struct{ errs []error }

// Require notes a fault where something is not so.
func (f *Faults) Require(ok bool, format string, args ...any) {
	if !ok {
		f.errs = append(f.errs, fmt.Errorf("train: "+format, args...))
	}
}

// Share requires 0..1.
func (f *Faults) Share(name string, v float64) {
	f.Require(v >= 0 && v <= 1, "%s is %v: want 0..1", name, v)
}

// OneOf requires one of the values.
func (f *Faults) OneOf(name, v string, values ...string) {
	f.Require(slices.Contains(values, v), "%s %q: want one of %v", name, v, values)
}

// Positive requires 1 or more.
func (f *Faults) Positive(name string, v int) {
	f.Require(v > 0 && v <= mostCounted, "%s is %d: want 1 or more, at most %d", name, v, mostCounted)
}

// AtMost requires no more than a bound.
func (f *Faults) AtMost(name string, v, most int) {
	f.Require(v <= most, "%s is %d: want at most %d", name, v, most)
}

// NotNegative requires a finite number of 0 or more.
func (f *Faults) NotNegative(name string, v float64) {
	f.Require(v >= 0 && v <= math.MaxFloat64, "%s is %v: want a finite number of 0 or more", name, v)
}

// Above requires a finite number above 0.
func (f *Faults) Above(name string, v float64) {
	f.Require(v > 0 && v <= math.MaxFloat64, "%s is %v: want a finite number above 0", name, v)
}

// err returns all faults, sorted by their texts.
func (f *Faults) err() error {
	slices.SortFunc(f.errs, func(x, y error) int { return cmp.Compare(x.Error(), y.Error()) })
	return errors.Join(f.errs...)
}

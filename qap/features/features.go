// Package features computes the inputs of the Q-networks.
//
// Gain carries exact gains and what the policy remembers of the episode, in one tensor
// each for vertices of the association graph, nodes and state. Other sets are registered by
// the packages of their networks. All are scale-free: multiplying an instance's affinity by a
// positive number changes nothing.
package features

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
)

// Gain is the name of the set that the shipped policies take, as models state it.
const Gain = "gain"

// Inputs is what a set computes once for an instance. It may be shared by
// goroutines.
type Inputs struct {
	set      string
	instance *qap.Instance
	scale    float64      // Gain: see Scale
	other    NewExtractor // of a registered set
}

// New prepares the inputs of a set for an instance.
func New(set string, in *qap.Instance) (*Inputs, error) {
	if set == Gain {
		return NewGain(in, Scale(in)), nil
	}
	p, ok := policies.Load(set)
	if !ok {
		return nil, fmt.Errorf("features: no set %q that policies take", set)
	}
	other, err := p.(Policy).New(in)
	if err != nil {
		return nil, err
	}
	return &Inputs{set: set, instance: in, other: other}, nil
}

// NewGain prepares the Gain set with a scale computed earlier (see Scale).
func NewGain(in *qap.Instance, scale float64) *Inputs {
	return &Inputs{set: Gain, instance: in, scale: scale}
}

// An Extractor keeps the inputs of one environment up to date. Nothing but its making
// allocates.
type Extractor interface {
	// Reset follows Environment.Reset.
	Reset()
	// Observe follows Environment.Step.
	Observe()
	// Inherit follows Environment.CopyFrom: parent is the extractor of the
	// environment that was copied, made by the same Inputs.
	Inherit(parent Extractor)
	// SetHorizon changes how many steps an episode lasts.
	SetHorizon(steps int)
	// Memory returns what is remembered of the episode, nil where the inputs need
	// nothing but the state.
	Memory() *Memory
	// Fill writes the inputs of the current state as those of the k-th state of a
	// batch (see Make).
	Fill(batch [][]float32, k int)
}

// NewExtractor returns an extractor for an environment over the instance whose
// episodes last horizon steps.
func (in *Inputs) NewExtractor(env *qap.Environment, horizon int) Extractor {
	if in.other != nil {
		return in.other(env, horizon)
	}
	return NewGainExtractor(env, in.scale, horizon)
}

// scaleStarts is how many random matchings Scale looks at.
const scaleStarts = 12

// Scale returns the mean absolute change of value of an action in random
// matchings of min(n1, n2) nodes: what a step is worth in this instance. The
// matchings are the same at every call.
func Scale(in *qap.Instance) float64 { return new(Scaler).Scale(in) }

// A Scaler computes Scale of one instance after another in memory of its own. Its zero
// value is ready; it may not be shared by goroutines.
type Scaler struct {
	// Over, if not nil, is asked on the way whether to stop: on graphs of a thousand nodes the
	// random matchings take seconds. The scale is of no use then.
	Over func() bool

	env     qap.Environment
	source  rand.PCG
	start   qap.Matching
	scratch []int
}

// Forget drops the last instance, and keeps the memory.
func (s *Scaler) Forget() {
	s.env.Forget()
	s.Over = nil
}

// Scale returns the Scale of an instance. It allocates only where earlier instances were
// smaller.
func (s *Scaler) Scale(in *qap.Instance) float64 {
	s.source.Seed(0x5ca1e, 0)
	rng := rand.New(&s.source)
	env := &s.env
	env.Renew(in, qap.EnvironmentOptions{Autofill: true})
	n1, n2 := in.Size()
	s.start, s.scratch = resized(s.start, n1), resized(s.scratch, max(n1, n2))
	sum, count := 0.0, 0
	for range scaleStarts {
		s.start.Randomize(n2, rng, s.scratch)
		if !env.ResetUntil(s.start, s.Over) {
			return 1
		}
		for v, change := range env.ValueChanges() {
			if env.Allowed(v) {
				sum += math.Abs(change)
				count++
			}
		}
	}
	if sum == 0 {
		return 1 // every matching has the same value
	}
	return sum / float64(count)
}

// resized returns a slice of n elements, in the memory of s where that is enough.
func resized[S ~[]E, E any](s S, n int) S {
	if cap(s) < n {
		return make(S, n)
	}
	return s[:n]
}

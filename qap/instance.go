package qap

import (
	"errors"
	"fmt"
)

// Sense says whether a user's objective is to be maximised or minimised.
type Sense int8

// The senses.
const (
	Maximize Sense = iota
	Minimize
)

// String returns "max" or "min".
func (s Sense) String() string {
	if s == Minimize {
		return "min"
	}
	return "max"
}

// ParseSense reads "max" or "min".
func ParseSense(text string) (Sense, error) {
	switch text {
	case "max":
		return Maximize, nil
	case "min":
		return Minimize, nil
	}
	return 0, fmt.Errorf("qap: sense %q: want max or min", text)
}

// sign is what turns an objective of this sense into a score to maximise.
func (s Sense) sign() float64 {
	if s == Minimize {
		return -1
	}
	return 1
}

// ErrUnsupported is wrapped by the error of a solver that does not serve an
// instance's form (a search over swaps given two graphs of unequal size, say).
var ErrUnsupported = errors.New("not supported for this instance")

// Instance is one problem. It is not changed by solving it and may be shared by
// goroutines.
type Instance struct {
	Name     string
	Sense    Sense    // the user's; Affinity is maximised whatever it says
	Complete bool     // only matchings of min(n1, n2) nodes are solutions
	Affinity Affinity // K, turned so that it is maximised
}

// Size returns the numbers of nodes of graph 1 and graph 2.
func (in *Instance) Size() (n1, n2 int) { return in.Affinity.Size() }

// Objective turns a score into the user's sense.
func (in *Instance) Objective(score float64) float64 {
	if score == 0 {
		return 0 // never −0
	}
	return in.Sense.sign() * score
}

// ScoreOf turns an objective in the user's sense into a score.
func (in *Instance) ScoreOf(objective float64) float64 { return in.Objective(objective) }

// Score returns J(m), recomputed from the affinity in O(n²) look-ups. It panics
// if m is not a matching of this instance (see CheckMatching).
func (in *Instance) Score(m Matching) float64 {
	if k, ok := in.Affinity.(interface{ score(m Matching) float64 }); ok {
		return k.score(m)
	}
	_, n2 := in.Size()
	score := 0.0
	for i, a := range m {
		if a == Unmatched {
			continue
		}
		p := i*n2 + a
		score += in.Affinity.At(p, p)
		for j, b := range m[:i] {
			if b != Unmatched {
				score += 2 * in.Affinity.At(p, j*n2+b)
			}
		}
	}
	return score
}

// CheckMatching returns an error unless m has one entry a node of graph 1, each
// Unmatched or a node of graph 2 that no other entry names.
func (in *Instance) CheckMatching(m Matching) error {
	n1, n2 := in.Size()
	if len(m) != n1 {
		return fmt.Errorf("qap: matching has %d entries, want %d (one a node of graph 1)", len(m), n1)
	}
	holder := make([]int, n2)
	for i, a := range m {
		switch {
		case a == Unmatched:
		case a < 0 || a >= n2:
			return fmt.Errorf("qap: matching sends node %d to %d, want 0..%d or -1 (unmatched)", i, a, n2-1)
		case holder[a] > 0:
			return fmt.Errorf("qap: matching sends nodes %d and %d both to node %d", holder[a]-1, i, a)
		default:
			holder[a] = i + 1
		}
	}
	return nil
}

// IsSolution reports whether m, a matching, is large enough to be a solution.
func (in *Instance) IsSolution(m Matching) bool {
	n1, n2 := in.Size()
	return !in.Complete || m.Size() == min(n1, n2)
}

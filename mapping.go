package rgm

import (
	"fmt"

	"github.com/rgm-go/rgm/qap"
)

// Annealing is what knows flows as lists and places by a topology: auto takes it from autoInFull
// places on, other methods get the matrices in full, up to mostInFull places.
const (
	autoInFull = 300
	mostInFull = 1000
)

// inFull returns the instance as the method of the options takes it, which becomes anneal in place
// of auto for a mapping onto many places.
func (s *Solver) inFull(in *qap.Instance, o *Options) (*qap.Instance, error) {
	if in == nil { // which searchOf refuses
		return in, nil
	}
	k, mapping := in.Affinity.(*qap.Mapping)
	if !mapping || o.Method == MethodAnneal {
		return in, nil
	}
	places := k.Topology().Places()
	if o.Method == "" {
		if places >= autoInFull && !o.forPolicy() {
			o.Method = MethodAnneal
			return in, nil
		}
	}
	if places > mostInFull {
		return nil, fmt.Errorf("rgm: the method %s for %d places: take auto or anneal, others have at most %d: %w", o.Method, places, mostInFull, qap.ErrUnsupported)
	}
	return in.Matrices()
}

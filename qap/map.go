package qap

import (
	"context"
	"math"
	"time"
)

// EachEdge calls visit for every edge affinity K[p,q], p < q, that is not 0 and
// whose vertices do not conflict.
func (in *Instance) EachEdge(visit func(p, q int, v float64)) {
	_ = in.EachEdgeContext(context.Background(), visit) // which does not end
}

// EachEdgeContext is EachEdge that stops at some vertex p once the context has ended
// or its deadline is over, and returns why.
func (in *Instance) EachEdgeContext(ctx context.Context, visit func(p, q int, v float64)) error {
	n1, n2 := in.Size()
	switch k := in.Affinity.(type) {
	case *Sparse:
		return k.eachEdge(ctx, visit)
	case *EdgePairs:
		return k.eachEdge(ctx, visit)
	}
	row := make([]float64, n1*n2)
	for p := range row {
		if err := ended(ctx); err != nil {
			return err
		}
		in.Affinity.Row(row, p)
		for i := p/n2 + 1; i < n1; i++ {
			for a, v := range row[i*n2 : (i+1)*n2] {
				if v != 0 && a != p%n2 {
					visit(p, i*n2+a, v)
				}
			}
		}
	}
	return nil
}

func (s *Sparse) eachEdge(ctx context.Context, visit func(p, q int, v float64)) error {
	for p, end := range s.middle {
		if err := ended(ctx); err != nil {
			return err
		}
		for k := s.start[p]; k < end; k++ {
			if q := int(s.column[k]); q > p && s.value[k] != 0 {
				visit(p, q, s.value[k])
			}
		}
	}
	return nil
}

// ended returns an error once the context has ended. It looks at the clock, since a
// context may learn late of its deadline where all processors compute.
func ended(ctx context.Context) error {
	if deadline, ok := ctx.Deadline(); ok && !time.Now().Before(deadline) {
		return context.DeadlineExceeded
	}
	return ctx.Err()
}

// MapAffinities returns an instance to maximise with other affinities: edge(v) for
// every edge affinity v that is not 0, 0 for the others, and node[p] for vertex p.
// What is sparse stays so. Entries between vertices that conflict become 0.
func (in *Instance) MapAffinities(edge func(v float64) float64, node []float64) (*Instance, error) {
	return in.MapAffinitiesContext(context.Background(), edge, node)
}

// MapAffinitiesContext is MapAffinities that stops once the context has ended or its
// deadline is over, and returns why.
func (in *Instance) MapAffinitiesContext(ctx context.Context, edge func(v float64) float64, node []float64) (*Instance, error) {
	now := Instance{Name: in.Name, Sense: Maximize, Complete: in.Complete}
	var err error
	switch k := in.Affinity.(type) {
	case *Sparse:
		now.Affinity, err = k.mapped(ctx, edge, node)
	case *EdgePairs:
		now.Affinity, err = k.mapped(ctx, edge, node)
	default:
		now.Affinity, err = in.mapped(ctx, edge, node)
	}
	if err != nil {
		return nil, err
	}
	return &now, nil
}

// mapped returns dense affinities, which are symmetric as they are made.
func (in *Instance) mapped(ctx context.Context, edge func(v float64) float64, node []float64) (*Dense, error) {
	n1, n2 := in.Size()
	n := n1 * n2
	k := make([]float64, n*n)
	largest := 0.0
	err := in.EachEdgeContext(ctx, func(p, q int, v float64) {
		v = edge(v)
		k[p*n+q], k[q*n+p] = v, v
		largest = max(largest, math.Abs(v)) // NaN where one is
	})
	if err != nil {
		return nil, err
	}
	for p, v := range node {
		k[p*n+p] = v
		largest = max(largest, math.Abs(v))
	}
	if math.IsNaN(largest) || math.IsInf(largest, 0) {
		return nil, checkFinite("K", k, n)
	}
	if err := checkMagnitude(largest, n1, n2); err != nil {
		return nil, err
	}
	return &Dense{n1, n2, k}, nil
}

func (s *Sparse) mapped(ctx context.Context, edge func(v float64) float64, node []float64) (*Sparse, error) {
	now := &Sparse{n1: s.n1, n2: s.n2, diagonal: append([]float64(nil), node...), start: []int{0}}
	for p, end := range s.middle {
		if err := ended(ctx); err != nil {
			return nil, err
		}
		for k := s.start[p]; k < end; k++ {
			v := s.value[k]
			if v != 0 {
				v = edge(v)
			}
			now.column = append(now.column, s.column[k])
			now.value = append(now.value, v)
		}
		now.start = append(now.start, len(now.value))
		now.middle = append(now.middle, len(now.value))
	}
	now.longest = s.longest
	if err := checkFinite("K", now.diagonal, 1); err != nil {
		return nil, err
	}
	if err := checkFinite("K", now.value, 1); err != nil {
		return nil, err
	}
	if err := checkMagnitude(max(maxAbs(now.value), maxAbs(now.diagonal)), s.n1, s.n2); err != nil {
		return nil, err
	}
	return now, nil
}

// DenseByRows returns an instance to maximise whose affinities are held densely: row
// writes the row of a vertex p into numbers that are 0. K must be symmetric, which is not
// checked. It stops once the context has ended or its deadline is over, and returns why.
func DenseByRows(ctx context.Context, n1, n2 int, row func(p int, dst []float64)) (*Instance, error) {
	if err := checkSize(n1, n2); err != nil {
		return nil, err
	}
	n := n1 * n2
	k := make([]float64, n*n)
	largest := 0.0
	for p := range n {
		if err := ended(ctx); err != nil {
			return nil, err
		}
		dst := k[p*n : (p+1)*n]
		row(p, dst)
		largest = max(largest, maxAbs(dst)) // NaN where one is
	}
	if math.IsNaN(largest) || math.IsInf(largest, 0) {
		return nil, checkFinite("K", k, n)
	}
	if err := checkMagnitude(largest, n1, n2); err != nil {
		return nil, err
	}
	return &Instance{Sense: Maximize, Affinity: &Dense{n1, n2, k}}, nil
}

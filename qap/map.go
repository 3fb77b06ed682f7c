package qap

// EachEdge calls visit for every edge affinity K[p,q], p < q, that is not 0 and
// whose vertices do not conflict.
func (in *Instance) EachEdge(visit func(p, q int, v float64)) {
	n1, n2 := in.Size()
	if s, ok := in.Affinity.(*Sparse); ok {
		s.eachEdge(visit)
		return
	}
	row := make([]float64, n1*n2)
	for p := range row {
		in.Affinity.Row(row, p)
		for i := p/n2 + 1; i < n1; i++ {
			for a, v := range row[i*n2 : (i+1)*n2] {
				if v != 0 && a != p%n2 {
					visit(p, i*n2+a, v)
				}
			}
		}
	}
}

func (s *Sparse) eachEdge(visit func(p, q int, v float64)) {
	for p, end := range s.middle {
		for k := s.start[p]; k < end; k++ {
			if q := int(s.column[k]); q > p {
				visit(p, q, s.value[k])
			}
		}
	}
}

// MapAffinities returns an instance to maximise with other affinities: edge(v) for
// every edge affinity v that is not 0, 0 for the others, and node[p] for vertex p.
// What is sparse stays so. Entries between vertices that conflict become 0.
func (in *Instance) MapAffinities(edge func(v float64) float64, node []float64) (*Instance, error) {
	now := Instance{Name: in.Name, Sense: Maximize, Complete: in.Complete}
	var err error
	if s, ok := in.Affinity.(*Sparse); ok {
		now.Affinity, err = s.mapped(edge, node)
	} else {
		now.Affinity, err = in.mapped(edge, node)
	}
	if err != nil {
		return nil, err
	}
	return &now, nil
}

// mapped returns dense affinities, which are symmetric as they are made.
func (in *Instance) mapped(edge func(v float64) float64, node []float64) (*Dense, error) {
	n1, n2 := in.Size()
	n := n1 * n2
	k := make([]float64, n*n)
	in.EachEdge(func(p, q int, v float64) {
		v = edge(v)
		k[p*n+q], k[q*n+p] = v, v
	})
	for p, v := range node {
		k[p*n+p] = v
	}
	if err := checkFinite("K", k, n); err != nil {
		return nil, err
	}
	if err := checkMagnitude(maxAbs(k), n1, n2); err != nil {
		return nil, err
	}
	return &Dense{n1, n2, k}, nil
}

func (s *Sparse) mapped(edge func(v float64) float64, node []float64) (*Sparse, error) {
	now := &Sparse{n1: s.n1, n2: s.n2, diagonal: append([]float64(nil), node...), start: []int{0}}
	for p, end := range s.middle {
		for k := s.start[p]; k < end; k++ {
			now.column = append(now.column, s.column[k])
			now.value = append(now.value, edge(s.value[k]))
		}
		now.start = append(now.start, len(now.value))
		now.middle = append(now.middle, len(now.value))
	}
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

package edit

import "fmt"

// setInitial makes image Options.Initial.
func (s *Solver) setInitial(p *Problem) error {
	n1, n2 := len(p.Graph1.Nodes), len(p.Graph2.Nodes)
	if len(s.o.Initial) != n1 {
		return fmt.Errorf("the initial map has %d nodes, graph 1 %d", len(s.o.Initial), n1)
	}
	for i := range s.image {
		s.image[i] = int32(s.pair.n2)
	}
	taken := make([]bool, n2)
	for i, a := range s.o.Initial {
		if a == None {
			continue
		}
		if a < 0 || a >= n2 || taken[a] {
			return fmt.Errorf("the initial map sends node %d to %d, which is no node of graph 2 or has one already", i, a)
		}
		taken[a] = true
		if s.pair.swapped {
			s.image[a] = int32(i)
		} else {
			s.image[i] = int32(a)
		}
	}
	if !s.pair.partial {
		s.complete()
	}
	return nil
}

// complete gives nodes without an image one, which costs nothing where no match does.
func (s *Solver) complete() {
	taken := make([]bool, s.pair.width)
	for _, a := range s.image {
		taken[a] = true
	}
	next := 0
	for i, a := range s.image {
		if int(a) == s.pair.n2 {
			for taken[next] {
				next++
			}
			taken[next], s.image[i] = true, int32(next)
		}
	}
}

// dropLosses takes away matches that save less than nothing with all their edges, and returns what the image saves.
func (s *Solver) dropLosses(image []int32) int {
	p := &s.pair
	for changed := p.partial; changed; {
		changed = false
		for i, a := range image {
			if int(a) == p.n2 || p.node[i*p.width+int(a)] >= 0 {
				continue
			}
			value := int(p.node[i*p.width+int(a)])
			for _, arc := range p.g1.of(int32(i)) {
				value += int(p.edge[arc.row+int32(p.between[int(a)*p.width+int(image[arc.node])])])
			}
			if value < 0 {
				image[i], changed = int32(p.n2), true
			}
		}
	}
	return p.saved(image)
}

package rgm

import (
	"context"
	"slices"
)

// DefaultModels is the default of Config.Models: a network takes less than a megabyte, but for
// the tensors of its last searches.
const DefaultModels = 32

// find returns the index of a network, -1 where there is none.
func (s *Solver) find(name string) int {
	return slices.IndexFunc(s.networks, func(n *network) bool { return n.name == name })
}

// drop forgets a network, which is closed when no search holds it.
func (s *Solver) drop(k int) error {
	n := s.networks[k]
	s.networks = slices.Delete(s.networks, k, k+1)
	n.dropped = true
	if n.searches > 0 {
		return nil
	}
	return n.close()
}

// Unload forgets a model by its name: the next search that names it has Config.Model read it
// anew. Searches that use it end with what they began with; then it is closed, and its memory
// free. So a model is exchanged while searches run.
func (s *Solver) Unload(name string) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if k := s.find(name); k >= 0 {
		return s.drop(k)
	}
	return nil
}

// hold opens a network for a search, which keeps it open until it is released.
func (s *solve) hold(ctx context.Context, c *counted) error {
	s.solver.mutex.Lock()
	c.searches++
	s.held = append(s.held, c.network)
	s.solver.mutex.Unlock()
	return c.open(ctx)
}

// release lets the networks of a search go.
func (s *solve) release() {
	p := s.solver
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, n := range s.held {
		if n.searches--; n.dropped && n.searches == 0 {
			if err := n.close(); err != nil {
				p.config.Log.Warn("a network could not be closed", "model", n.name, "reason", err)
			}
		}
	}
}

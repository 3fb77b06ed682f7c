package portfolio

import (
	"context"
	"slices"
)

// DefaultModels is the default of Config.Models: a network takes less than a megabyte, but for
// the tensors of its last searches.
const DefaultModels = 32

// find returns the index of a network, -1 where there is none.
func (p *Portfolio) find(name string) int {
	return slices.IndexFunc(p.networks, func(n *network) bool { return n.name == name })
}

// drop forgets a network, which is closed when no search holds it.
func (p *Portfolio) drop(k int) error {
	n := p.networks[k]
	p.networks = slices.Delete(p.networks, k, k+1)
	n.dropped = true
	if n.searches > 0 {
		return nil
	}
	return n.close()
}

// Unload forgets a model by its name: the next search that names it has Config.Model read it
// anew. Searches that use it end with what they began with; then it is closed, and its memory
// free. So a model is exchanged while searches run.
func (p *Portfolio) Unload(name string) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if k := p.find(name); k >= 0 {
		return p.drop(k)
	}
	return nil
}

// hold opens a network for a search, which keeps it open until it is released.
func (s *solve) hold(ctx context.Context, c *counted) error {
	s.portfolio.mutex.Lock()
	c.searches++
	s.held = append(s.held, c.network)
	s.portfolio.mutex.Unlock()
	return c.open(ctx)
}

// release lets the networks of a search go.
func (s *solve) release() {
	p := s.portfolio
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

package train

import (
	"sync"

	"github.com/rgm-go/rgm/models"
)

// passes lends passes of a network, of any shape, to goroutines.
type passes struct {
	network models.Network
	mutex   sync.Mutex
	idle    map[shape][]models.Pass
}

func newPasses(network models.Network) *passes {
	return &passes{network: network, idle: map[shape][]models.Pass{}}
}

// take lends a pass until put gives it back.
func (p *passes) take(s shape) models.Pass {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	idle := p.idle[s]
	if len(idle) == 0 {
		return p.network.NewPass(s.batch, s.n1, s.n2)
	}
	p.idle[s] = idle[:len(idle)-1]
	return idle[len(idle)-1]
}

func (p *passes) put(s shape, pass models.Pass) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.idle[s] = append(p.idle[s], pass)
}

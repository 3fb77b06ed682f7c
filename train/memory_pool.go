package train

import (
	"sync"

	"github.com/rgm-go/rgm/models"
)

// shape is that of states evaluated together.
type shape struct{ batch, n1, n2 int }

// memoryPool keeps working memory for states of any shape, for goroutines to share. It
// makes no more of a shape than were ever in use at a time.
type memoryPool[Memory any] struct {
	make  func(shape) Memory
	mutex sync.Mutex
	idle  map[shape][]Memory
}

func newMemoryPool[Memory any](make func(shape) Memory) *memoryPool[Memory] {
	return &memoryPool[Memory]{make: make, idle: map[shape][]Memory{}}
}

// newPassPool returns a pool of passes of a network.
func newPassPool(network models.Network) *memoryPool[models.Pass] {
	return newMemoryPool(func(s shape) models.Pass { return network.NewPass(s.batch, s.n1, s.n2) })
}

// get returns memory that nobody uses, until put gives it back.
func (p *memoryPool[Memory]) get(s shape) Memory {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	idle := p.idle[s]
	if len(idle) == 0 {
		return p.make(s)
	}
	p.idle[s] = idle[:len(idle)-1]
	return idle[len(idle)-1]
}

func (p *memoryPool[Memory]) put(s shape, memory Memory) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.idle[s] = append(p.idle[s], memory)
}

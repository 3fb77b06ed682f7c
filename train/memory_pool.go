package train

import (
	"sync"

	"github.com/rgm-go/rgm/models"
)

// Shape is that of states evaluated together.
type Shape struct{ Batch, N1, N2 int }

// MemoryPool keeps working memory for states of any shape, for goroutines to share. It
// makes no more of a shape than were ever in use at a time.
type MemoryPool[Memory any] struct {
	make  func(Shape) Memory
	mutex sync.Mutex
	idle  map[Shape][]Memory
}

// NewMemoryPool returns a pool whose memories make makes.
func NewMemoryPool[Memory any](make func(Shape) Memory) *MemoryPool[Memory] {
	return &MemoryPool[Memory]{make: make, idle: map[Shape][]Memory{}}
}

// NewPassPool returns a pool of passes of a network.
func NewPassPool(network models.Network) *MemoryPool[models.Pass] {
	return NewMemoryPool(func(s Shape) models.Pass { return network.NewPass(s.Batch, s.N1, s.N2) })
}

// Get returns memory that nobody uses, until put gives it back.
func (p *MemoryPool[Memory]) Get(s Shape) Memory {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	idle := p.idle[s]
	if len(idle) == 0 {
		return p.make(s)
	}
	p.idle[s] = idle[:len(idle)-1]
	return idle[len(idle)-1]
}

// Put takes a memory back.
func (p *MemoryPool[Memory]) Put(s Shape, memory Memory) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.idle[s] = append(p.idle[s], memory)
}

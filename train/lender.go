package train

import (
	"sync"

	"github.com/rgm-go/rgm/models"
)

// shape is that of states evaluated together.
type shape struct{ batch, n1, n2 int }

// lender lends working memory for states of any shape to goroutines. It makes no more
// of a shape than were ever lent at a time.
type lender[Memory any] struct {
	make  func(shape) Memory
	mutex sync.Mutex
	idle  map[shape][]Memory
}

func newLender[Memory any](make func(shape) Memory) *lender[Memory] {
	return &lender[Memory]{make: make, idle: map[shape][]Memory{}}
}

// newPasses lends passes of a network.
func newPasses(network models.Network) *lender[models.Pass] {
	return newLender(func(s shape) models.Pass { return network.NewPass(s.batch, s.n1, s.n2) })
}

// take lends memory until put gives it back.
func (l *lender[Memory]) take(s shape) Memory {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	idle := l.idle[s]
	if len(idle) == 0 {
		return l.make(s)
	}
	l.idle[s] = idle[:len(idle)-1]
	return idle[len(idle)-1]
}

func (l *lender[Memory]) put(s shape, memory Memory) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.idle[s] = append(l.idle[s], memory)
}

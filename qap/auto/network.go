package auto

import (
	"errors"
	"fmt"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// Network is the forward pass of the architecture selector (docs/MODEL_FORMAT.md) without
// any library, w3·ReLU(W2·ReLU(W1·f + b1) + b2) + b3, with the same answers on any
// machine. It is a qap.QFunction, and may be shared by goroutines.
type Network struct {
	w1, b1, w2, b2, w3, b3 []float32
}

// NewNetwork returns the network of weights by the names of the initializers, matrices
// row-major, input × output. It returns an error unless their sizes fit together.
func NewNetwork(weights map[string][]float32) (*Network, error) {
	var n Network
	for name, w := range map[string]*[]float32{"w1": &n.w1, "b1": &n.b1, "w2": &n.w2, "b2": &n.b2, "w3": &n.w3, "b3": &n.b3} {
		*w = weights["choice."+name]
	}
	hidden, head := len(n.b1), len(n.b2)
	if hidden == 0 || head == 0 {
		return nil, errors.New("auto: a network without weights choice.b1 or choice.b2")
	}
	if len(n.w1) != features.SelectorChannels*hidden || len(n.w2) != hidden*head || len(n.w3) != head || len(n.b3) != 1 {
		return nil, fmt.Errorf("auto: %d, %d, %d and %d weights do not make up a network %d-%d-%d-1",
			len(n.w1), len(n.w2), len(n.w3), len(n.b3), features.SelectorChannels, hidden, head)
	}
	return &n, nil
}

// Features is features.Selector.
func (n *Network) Features() string { return features.Selector }

// NewBatch prepares size·n1·n2 questions.
func (n *Network) NewBatch(size, n1, n2 int) (qap.QBatch, error) {
	rows := size * n1 * n2
	return &networkBatch{
		Network: n, x: features.Make(features.Selector, size, n1, n2),
		h: make([]float32, len(n.b1)), u: make([]float32, len(n.b2)), q: make([]float32, rows),
	}, nil
}

type networkBatch struct {
	*Network
	x    [][]float32
	h, u []float32
	q    []float32
}

func (b *networkBatch) Inputs() [][]float32 { return b.x }
func (b *networkBatch) Close() error        { return nil }

func (b *networkBatch) Evaluate() ([]float32, error) {
	y := []float32{0}
	for row := range b.q {
		dense(b.h, b.x[0][row*features.SelectorChannels:(row+1)*features.SelectorChannels], b.w1, b.b1)
		rectify(b.h)
		dense(b.u, b.h, b.w2, b.b2)
		rectify(b.u)
		dense(y, b.u, b.w3, b.b3)
		b.q[row] = y[0]
	}
	return b.q, nil
}

// dense writes x·w + b. Products are rounded before they are added, so that no machine
// fuses the two.
func dense(y, x, w, b []float32) {
	copy(y, b)
	for i, v := range x {
		if v == 0 {
			continue
		}
		row := w[i*len(y) : (i+1)*len(y)]
		for k := range y {
			y[k] += float32(v * row[k])
		}
	}
}

func rectify(y []float32) {
	for k, v := range y {
		y[k] = max(v, 0)
	}
}

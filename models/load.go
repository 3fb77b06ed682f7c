package models

import (
	"fmt"
	"slices"

	"github.com/rgm-go/rgm/internal/modelfile"
	"github.com/rgm-go/rgm/internal/onnx"
)

// Header describes the network of a model file.
type Header = modelfile.Header

// Load reads a network and its header from the bytes of a model file. The weights
// are compared with the sha256 that the file records.
func Load(data []byte) (Network, Header, error) {
	m, h, err := modelfile.Read(data)
	if err != nil {
		return nil, Header{}, fmt.Errorf("models: %w", err)
	}
	c := Config{Architecture: h.Architecture, Hidden: h.Hidden, Head: h.Head, Iterations: h.Iterations, SingleStream: h.SingleStream, Features: h.Features}
	if err := checkWidths(m, c); err != nil {
		return nil, Header{}, err
	}
	n, err := New(c, nil)
	if err != nil {
		return nil, Header{}, err
	}
	if n.Features() != h.Features {
		return nil, Header{}, fmt.Errorf("models: architecture %s takes %s features, the file says %s", h.Architecture, n.Features(), h.Features)
	}
	for _, p := range n.Parameters() {
		t := m.Initializer(p.Name)
		if t == nil {
			return nil, Header{}, fmt.Errorf("models: weights %s are missing", p.Name)
		}
		values, err := t.Float32s()
		if err != nil {
			return nil, Header{}, fmt.Errorf("models: weights %s: %w", p.Name, err)
		}
		if !slices.Equal(t.Dims, Dims(p)) {
			return nil, Header{}, fmt.Errorf("models: weights %s have shape %v, want %v", p.Name, t.Dims, p.Shape)
		}
		copy(p.Data, values)
	}
	return n, h, nil
}

// checkWidths returns an error if a file holds too few weights for layers as wide as it
// states. What New takes for the others is within a hundred times the file's own.
func checkWidths(m *onnx.Model, c Config) error {
	least := float64(c.Hidden) * float64(c.Head)
	if a, known := architecture(c.Architecture); known && a.Least != nil {
		least = a.Least(c)
	}
	held := 0
	for _, t := range m.Graph.Initializers {
		held += len(t.Raw) / 4
	}
	if float64(held) < least {
		return fmt.Errorf("models: the file holds %d numbers, too few for the widths that it states: hidden %d, head %d, iterations %d", held, c.Hidden, c.Head, c.Iterations)
	}
	return nil
}

// Dims returns the shape of a parameter as ONNX writes it.
func Dims(p Parameter) []int64 {
	dims := make([]int64, len(p.Shape))
	for k, d := range p.Shape {
		dims[k] = int64(d)
	}
	return dims
}

// HeaderOf returns the header of a network; training says how its weights came to
// be, as JSON.
func HeaderOf(n Network, training string) Header {
	c := n.Config()
	return Header{
		Architecture: n.Architecture(), Features: n.Features(), Training: training, SingleStream: !n.Dueling(),
		Hidden: max(c.Hidden, 1), Head: max(c.Head, 1), Iterations: c.Iterations,
	}
}

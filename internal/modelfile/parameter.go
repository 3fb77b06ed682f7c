package modelfile

import "math/rand/v2"

// Parameter is one weight tensor of a network, row-major.
type Parameter struct {
	Name  string
	Shape []int
	Data  []float32
}

// Tensor returns a zeroed parameter.
func Tensor(name string, shape ...int) Parameter {
	size := 1
	for _, n := range shape {
		size *= n
	}
	return Parameter{Name: name, Shape: shape, Data: make([]float32, size)}
}

// Draw draws normal weights. It leaves them at zero without a source of chance.
func (p Parameter) Draw(deviation float64, rng *rand.Rand) {
	if rng == nil {
		return
	}
	for i := range p.Data {
		p.Data[i] = float32(deviation * rng.NormFloat64())
	}
}

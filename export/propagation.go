package export

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/models/propagation"
	"github.com/rgm-go/rgm/qap/align"
	"github.com/rgm-go/rgm/qap/align/belief"
)

// WritePropagation verifies the model file of learned belief propagation and puts it at path.
// training says how its weights came to be, as JSON.
func WritePropagation(ctx context.Context, path string, n *propagation.Network, training string, o infer.SessionOptions) error {
	data := propagation.Marshal(n, training)
	if err := VerifyPropagation(ctx, data, n, o); err != nil {
		return fmt.Errorf("export: %s not written: %w", path, err)
	}
	return Save(path, data)
}

// VerifyPropagation runs a model file in a loop through ONNX Runtime and compares every state with
// that of Go, for both stages on random pairs of graphs of several sizes.
func VerifyPropagation(ctx context.Context, data []byte, n *propagation.Network, o infer.SessionOptions) error {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, size := range [][2]int{{6, 6}, {25, 31}, {40, 17}} {
		a, b := randomEdges(size[0], rng), randomEdges(size[1], rng)
		p := belief.NewPair(a, b)
		clues := propagation.Clues(p, make([]float32, p.Size()), p.Match(make([]float32, p.Size())))
		for _, again := range []bool{false, true} {
			pass := n.First.NewPass(p, nil)
			if again {
				pass = n.Again.NewPass(p, clues)
			}
			state := pass.NewState()
			for range 4 {
				got, err := infer.Evaluate(ctx, data, o, PropagationInputs(p, state, clues, again)...)
				if err != nil {
					return err
				}
				pass.Step(state, state)
				if err := compare(got, state, [3]int{propagation.Channels, p.N1, p.N2}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// PropagationInputs returns those of the model file of a step, from a state.
func PropagationInputs(p *belief.Pair, state, clues []float32, again bool) []infer.Tensor {
	n1, n2 := int64(p.N1), int64(p.N2)
	stage := []float32{0}
	if again {
		stage[0] = 1
	}
	a, b := p.Adjacency()
	return []infer.Tensor{
		{Name: "state", Shape: []int64{propagation.Channels, n1, n2}, Data: append([]float32(nil), state...)},
		{Name: "a", Shape: []int64{n1, n1}, Data: a},
		{Name: "b", Shape: []int64{n2, n2}, Data: b},
		{Name: "clues", Shape: []int64{int64(len(clues)) / (n1 * n2), n1, n2}, Data: clues},
		{Name: "again", Shape: []int64{1}, Data: stage},
	}
}

// randomEdges returns a graph of so many nodes and twice as many edges drawn at random.
func randomEdges(nodes int, rng *rand.Rand) *align.Graph {
	ends := make([][2]int, 2*nodes)
	for k := range ends {
		ends[k] = [2]int{rng.IntN(nodes), rng.IntN(nodes)}
	}
	g, err := align.NewGraph(nodes, len(ends), func(k int) (i, j int) { return ends[k][0], ends[k][1] }, nil, false)
	if err != nil {
		panic(err) // they are of its nodes
	}
	return g
}

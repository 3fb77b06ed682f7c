package propagation

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/rgm-go/rgm/internal/modelfile"
	"github.com/rgm-go/rgm/internal/onnx"
)

// The inputs and the output of a model file, in their order: the state [Channels, n1, n2], the
// adjacency matrices [n1, n1] and [n2, n2] of zeros and ones, Clues of a matching, which the first
// stage leaves out, [8, n1, n2], and which stage it is, [1], 0 or 1; and the state after the step.
var (
	inputNames = []string{"state", "a", "b", "clues", "again"}
	outputName = "next"
)

// Marshal returns the model file of a network, which makes one step. training says how its weights
// came to be, as JSON; it goes into the metadata.
func Marshal(n *Network, training string) []byte {
	h := modelfile.Header{Architecture: Architecture, Features: modelfile.ByPairs, Training: training, Hidden: hidden, Head: Channels}
	m := &onnx.Model{IRVersion: onnx.IRVersion, Opset: onnx.Opset, Producer: "rgm", Metadata: h.Metadata(), Graph: n.graph()}
	m.Metadata[onnx.WeightsKey] = onnx.WeightsDigest(m)
	return onnx.Marshal(m)
}

// ErrNoAlign is wrapped by the errors of files that are no learned belief propagation.
var ErrNoAlign = errors.New("no model of the architecture " + Architecture)

// Load reads a network from the bytes of a model file. The weights are compared with the digest
// that the file records.
func Load(data []byte) (*Network, error) {
	m, err := onnx.Check(data)
	if err != nil {
		return nil, fmt.Errorf("propagation: %w: %w", ErrNoAlign, err)
	}
	said := m.Metadata["architecture"]
	if said != Architecture {
		return nil, fmt.Errorf("propagation: %w: the file says %q", ErrNoAlign, said)
	}
	n := New(nil)
	for _, p := range n.Parameters() {
		t := m.Initializer(p.Name)
		if t == nil {
			return nil, fmt.Errorf("propagation: %w: weights %s are missing", ErrNoAlign, p.Name)
		}
		values, err := t.Float32s()
		if err != nil || len(values) != len(p.Data) {
			return nil, fmt.Errorf("propagation: %w: weights %s have %d numbers, want %d", ErrNoAlign, p.Name, len(values), len(p.Data))
		}
		if k := slices.IndexFunc(values, func(v float32) bool { return v-v != 0 }); k >= 0 {
			return nil, fmt.Errorf("propagation: weights %s hold %v: export the model again, from a training that did not diverge", p.Name, values[k])
		}
		copy(p.Data, values)
	}
	return n, nil
}

// builder makes the graph of a step.
type builder struct {
	*onnx.Builder
	again string
}

// graph returns a step as an ONNX graph. Both stages are in it; again chooses the weights.
func (n *Network) graph() onnx.Graph {
	b := builder{Builder: onnx.NewBuilder("rgm " + Architecture)}
	n1, n2 := onnx.Named("n1"), onnx.Named("n2")
	state := b.Input(inputNames[0], onnx.Fixed(Channels), n1, n2)
	a := b.Input(inputNames[1], n1, n1)
	bb := b.Input(inputNames[2], n2, n2)
	clue := b.Input(inputNames[3], onnx.Fixed(clues), n1, n2)
	again := b.Input(inputNames[4], onnx.Fixed(1))
	b.again = b.Op("Greater", again, b.Number(0))
	for _, p := range n.Parameters() {
		dims := make([]int64, len(p.Shape))
		for k, d := range p.Shape {
			dims[k] = int64(d)
		}
		b.Initializers = append(b.Initializers, onnx.NewFloat32(p.Name, dims, p.Data))
	}
	first, second := n.First.Parameters(), n.Again.Parameters()
	var weights [ofPrior + 1]string
	for k := range weights {
		weights[k] = b.chosen(first[k], second[k])
	}
	b.Rename(b.step(weights, state, a, bb, clue), outputName)
	b.Output(outputName, onnx.Fixed(Channels), n1, n2)
	return b.Graph
}

// chosen is the weights of the stage that is asked for; those of the first have no columns of clues.
func (b *builder) chosen(first, second Parameter) string {
	name := first.Name
	if first.Shape[len(first.Shape)-1] != second.Shape[len(second.Shape)-1] {
		name = b.Concat(1, first.Name, b.Op("ConstantOfShape", b.Ints(hidden, clues)))
	}
	return b.Op("Where", b.again, second.Name, name)
}

// at is an entry of a vector, or a row of a matrix, of shape [1, …].
func (b *builder) at(v string, k int64) string { return b.Op("Gather", v, b.Ints(k)) }

func (b *builder) clip(v string, least, most float32) string {
	return b.Op("Clip", v, b.Number(least), b.Number(most))
}

// step is the formulas of Pass.Step.
func (b *builder) step(w [ofPrior + 1]string, state, a, bb, clue string) string {
	s := b.at(state, 0) // [1, n1, n2], as all that follows
	logSum := func(axis int64) string {
		most := b.LargestOf(s, axis)
		return b.Op("Add", most, b.Op("Log", b.Total(b.Op("Exp", b.Sub(s, most)), true, axis)))
	}
	rows, columns := logSum(2), logSum(1)
	odds := b.Sub(s, b.Mul(b.Number(0.5), b.Op("Add", rows, columns)))
	gap := b.Op("Abs", b.Sub(columns, rows))

	shape := b.Op("Shape", state)
	n1, n2 := b.Float(b.at(shape, 1)), b.Float(b.at(shape, 2))
	logSize := b.Op("Add", b.Op("Log", n1), b.Op("Log", n2))
	degree1 := b.Op("Unsqueeze", b.Total(a, true, 1), b.Ints(0))  // [1, n1, 1]
	degree2 := b.Op("Unsqueeze", b.Total(bb, true, 0), b.Ints(0)) // [1, 1, n2]
	ends := b.Op("Add", b.Op("ReduceSum", a), b.Op("ReduceSum", bb))
	mean := b.Op("Max", b.Div(ends, b.Op("Add", n1, n2)), b.Number(1)) // [1]
	unit := b.Div(b.Number(usualDegree), mean)

	mixed := b.mixed(w[ofMix], w[ofBias], state, odds, logSize) // [Messages, n1, n2]
	e := b.Op("Exp", b.clip(mixed, leastMessage, mostMessage))
	one := b.Number(1)
	log1p := func(v string) string { return b.Op("Log", b.Op("Add", v, one)) }
	r := b.Mul(unit, b.Product(a, log1p(b.Product(e, bb))))
	c := b.Mul(unit, b.Product(log1p(b.Product(a, e)), bb))
	less, greater := b.Op("Min", r, c), b.Op("Max", r, c)
	seen := b.Mul(unit, b.Product(b.Product(a, b.Op("Exp", odds)), bb))

	x := b.Concat(0,
		b.Mul(b.Number(ofState), state), b.Mul(b.Number(ofMessages), less), b.Mul(b.Number(ofMessages), greater),
		b.Mul(b.Number(ofWitnesses), seen), b.Mul(b.Number(ofOdds), odds), b.Mul(b.Number(ofGap), gap),
		b.degrees(b.Mul(unit, degree1), b.Mul(unit, degree2), logSize, mean, s), clue)
	x = b.Op("Reshape", b.clip(x, -mostInput, mostInput), b.Ints(againInputs, -1))
	column := func(v string) string { return b.Op("Unsqueeze", v, b.Ints(1)) }
	h := b.Op("Relu", b.Op("Add", b.Product(w[ofW1], x), column(w[ofB1])))
	d := b.Op("Add", b.Product(w[ofW2], h), column(w[ofB2]))
	d = b.Op("Reshape", d, shape)

	prior := b.Op("Add", b.at(w[ofPrior], 0), b.Mul(b.Mul(b.at(w[ofPrior], 1), unit), b.Op("Add", degree1, degree2)))
	prior = b.Op("Add", prior, b.Mul(b.at(w[ofPrior], 2), b.at(less, 0)))
	others := b.Op("Slice", d, b.Ints(1), b.Ints(math.MaxInt32), b.Ints(0))
	next := b.Concat(0, b.Op("Add", b.at(d, 0), prior), others)
	keep := b.Op("Unsqueeze", b.Op("Sigmoid", w[ofKeep]), b.Ints(1, 2))
	return b.Op("Add", b.Mul(keep, state), b.Mul(b.Sub(one, keep), next))
}

// mixed is the logarithms of what pairs say in each message.
func (b *builder) mixed(mix, bias, state, odds, logSize string) string {
	said := b.Concat(0, b.Mul(b.Number(ofState), state), b.Op("Add", odds, b.Mul(b.Number(0.5), logSize)))
	flat := b.Op("Reshape", said, b.Ints(Channels+1, -1))
	sums := b.Op("Add", b.Product(mix, flat), b.Op("Unsqueeze", bias, b.Ints(1)))
	size := b.Op("Shape", state)
	return b.Op("Reshape", sums, b.Concat(0, b.Ints(Messages), b.at(size, 1), b.at(size, 2)))
}

// degrees is the inputs of Pass.ofDegrees.
func (b *builder) degrees(d1, d2, logSize, mean, like string) string {
	d := b.Op("Abs", b.Sub(d1, d2))
	scaled := func(factor float32, v string) string { return b.Mul(b.Number(factor), v) }
	whole := func(v string) string { return b.Op("Expand", v, b.Op("Shape", like)) }
	return b.Concat(0,
		scaled(0.25, d), scaled(0.25, b.Op("Min", d1, d2)), scaled(0.25, b.Op("Max", d1, d2)), scaled(0.05, b.Mul(d, d)),
		whole(scaled(0.25, b.Sub(logSize, b.Number(10)))), whole(scaled(0.5, b.Op("Log", b.Mul(mean, b.Number(1.0/usualDegree))))))
}

// Weights returns the number of weights.
func (n *Network) Weights() int {
	count := 0
	for _, p := range n.Parameters() {
		count += len(p.Data)
	}
	return count
}

// String says what the network is.
func (n *Network) String() string {
	return Architecture + ", " + strconv.Itoa(n.Weights()) + " weights"
}

package propagation

import (
	"errors"
	"fmt"
	"math"
	"slices"

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
	b.Rename(b.step(weights, state, a, bb, clue, again), outputName)
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

// step is the formulas of Pass.Step, mostly in the layout [n1, channels, n2], whose products are of
// what a cache holds. Factors of inputs are taken to the weights and to A and B where they can, since
// a pass over all pairs costs more.
func (b *builder) step(w [ofPrior + 1]string, state, a, bb, clue, again string) string {
	half, one, most := b.Number(0.5), b.Number(1), b.Number(mostInput)
	s := b.Op("Squeeze", b.at(state, 0), b.Ints(0)) // [n1, n2]
	logSum := func(axis int64) string {
		most := b.LargestOf(s, axis)
		return b.Op("Add", most, b.Op("Log", b.Total(b.Op("Exp", b.Sub(s, most)), true, axis)))
	}
	rows, columns := logSum(1), logSum(0)
	odds := b.Sub(b.Sub(s, b.Mul(half, rows)), b.Mul(half, columns))
	gap := b.Op("Abs", b.Sub(b.scaled(ofGap, columns), b.scaled(ofGap, rows)))

	shape := b.Op("Shape", s)
	n1, n2 := b.Float(b.at(shape, 0)), b.Float(b.at(shape, 1))
	logSize := b.Op("Add", b.Op("Log", n1), b.Op("Log", n2)) // [1]
	ends := b.Op("Reshape", b.Op("Add", b.Op("ReduceSum", a), b.Op("ReduceSum", bb)), b.Ints(1))
	mean := b.Op("Max", b.Div(ends, b.Op("Add", n1, n2)), one) // [1]
	unit := b.Div(b.Number(usualDegree), mean)
	degree1, degree2 := b.Mul(unit, b.Total(a, true, 1)), b.Mul(unit, b.Total(bb, true, 0)) // [n1, 1], [1, n2]

	turned := b.turned(state)
	e := b.Op("Exp", b.clip(b.mixed(w, turned, odds, logSize), leastMessage, mostMessage)) // [n1, Messages, n2]
	log1p := func(v string) string { return b.Op("Log", b.Op("Add", v, one)) }
	byRows := func(v string) string { return b.Op("Reshape", v, b.Ints(0, -1)) } // [n1, Messages·n2]
	share := b.scaled(ofMessages, unit)
	r := b.Product(b.Mul(share, a), byRows(log1p(b.Product(e, bb))))
	r = b.Op("Reshape", r, b.Ints(0, Messages, -1))
	c := b.Op("Reshape", log1p(b.Product(a, byRows(e))), b.Ints(0, Messages, -1))
	c = b.Product(c, b.Mul(share, bb))
	less, greater := b.Op("Min", r, c), b.Op("Max", r, c)
	seen := b.Product(b.Product(b.Mul(b.scaled(ofWitnesses, unit), a), b.Op("Exp", odds)), bb)

	x := append([]string{b.clip(turned, -mostInput/ofState, mostInput/ofState), b.Op("Min", less, most), b.Op("Min", greater, most),
		b.column(b.Op("Min", seen, most)), b.column(b.clip(b.scaled(ofOdds, odds), -mostInput, mostInput)), b.column(b.Op("Min", gap, most))},
		b.degrees(degree1, degree2)...) // [n1, …, n2]
	keep := b.column(b.Op("Sigmoid", w[ofKeep]))
	change := b.Sub(one, keep)
	d := b.perceive(w, x, clue, again, change, b.usual(logSize, mean))
	next := b.Op("Add", b.Mul(b.Op("Unsqueeze", keep, b.Ints(2)), state), d)

	change = b.at(change, 0)
	weight := func(k int64) string { return b.Mul(change, b.at(w[ofPrior], k)) }
	least := b.Op("Squeeze", b.OpWith("Gather", []onnx.Attribute{{Name: "axis", Value: int64(1)}}, less, b.Ints(0)), b.Ints(1))
	prior := b.Sum(b.Op("Add", weight(0), b.Mul(weight(1), degree1)), b.Mul(weight(1), degree2), b.Mul(b.scaled(1/ofMessages, weight(2)), least))
	others := b.Op("Slice", next, b.Ints(1), b.Ints(math.MaxInt32), b.Ints(0))
	return b.Concat(0, b.Op("Add", b.at(next, 0), prior), others)
}

// turned exchanges the first two axes of three.
func (b *builder) turned(v string) string {
	return b.OpWith("Transpose", []onnx.Attribute{{Name: "perm", Value: []int64{1, 0, 2}}}, v)
}

// column turns a vector into a matrix of one column, and [n1, n2] into [n1, 1, n2].
func (b *builder) column(v string) string { return b.Op("Unsqueeze", v, b.Ints(1)) }

func (b *builder) scaled(factor float32, v string) string { return b.Mul(b.Number(factor), v) }

// columns is those of a matrix from low to below high.
func (b *builder) columns(v string, low, high int64) string {
	return b.Op("Slice", v, b.Ints(low), b.Ints(high), b.Ints(1))
}

// mixed is the logarithms of what pairs say in each message.
func (b *builder) mixed(w [ofPrior + 1]string, state, odds, logSize string) string {
	ofOdds := b.columns(w[ofMix], Channels, Channels+1)
	bias := b.Op("Add", b.column(w[ofBias]), b.Mul(ofOdds, b.scaled(0.5, logSize)))
	said := b.Op("Add", b.Mul(ofOdds, b.column(odds)), bias)
	return b.Op("Add", b.Product(b.scaled(ofState, b.columns(w[ofMix], 0, Channels)), state), said)
}

// perceive is change times the outputs of the perceptron, [Channels, n1, n2], of inputs of the pairs,
// a matching's where again says so, and usual ones.
func (b *builder) perceive(w [ofPrior + 1]string, x []string, clue, again, change, usual string) string {
	const before = firstInputs - usualInputs
	count := b.OpWith("Cast", []onnx.Attribute{{Name: "to", Value: int64(onnx.Int64)}}, b.scaled(clues, again))
	x = append(x, b.turned(b.Op("Slice", clue, b.Ints(0), count, b.Ints(0))))
	w1 := b.Concat(1, b.scaled(ofState, b.columns(w[ofW1], 0, Channels)), b.columns(w[ofW1], Channels, before), b.columns(w[ofW1], firstInputs, againInputs))
	w1 = b.Op("Slice", w1, b.Ints(0), b.Op("Add", b.Ints(before), count), b.Ints(1))
	b1 := b.Op("Gemm", b.columns(w[ofW1], before, firstInputs), b.column(usual), b.column(w[ofB1]))
	layer := func(w, x, bias string) string { // as a convolution, into which ONNX Runtime takes the ReLU
		return b.Op("Conv", x, b.Op("Unsqueeze", w, b.Ints(2, 3)), b.Op("Squeeze", bias, b.Ints(1)))
	}
	h := b.Op("Relu", layer(w1, b.Op("Unsqueeze", b.Concat(1, x...), b.Ints(2)), b1))
	return b.turned(b.Op("Squeeze", layer(b.Mul(change, w[ofW2]), h, b.Mul(change, b.column(w[ofB2]))), b.Ints(2)))
}

const usualInputs = 2 // the last of Pass.ofDegrees, which are the same for all pairs

func (b *builder) usual(logSize, mean string) string {
	v := b.Concat(0, b.scaled(0.25, b.Sub(logSize, b.Number(10))), b.scaled(0.5, b.Op("Log", b.scaled(1.0/usualDegree, mean))))
	return b.Op("Min", v, b.Number(mostInput))
}

// degrees is the inputs of Pass.ofDegrees that differ among pairs, of degrees in units of the mean.
func (b *builder) degrees(d1, d2 string) []string {
	d1, d2 = b.scaled(0.25, d1), b.scaled(0.25, d2)
	d := b.Op("Abs", b.Sub(d1, d2))
	inputs := []string{d, b.Op("Min", d1, d2), b.Op("Max", d1, d2), b.scaled(0.05/(0.25*0.25), b.Mul(d, d))}
	for k, v := range inputs {
		inputs[k] = b.column(b.Op("Min", v, b.Number(mostInput)))
	}
	return inputs
}

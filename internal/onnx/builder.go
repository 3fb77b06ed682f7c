package onnx

import "fmt"

// Builder makes a graph node by node. Values are named after the order in
// which they are made, so that equal networks give equal bytes.
type Builder struct {
	Graph
	made      int
	constants map[string]string
}

// NewBuilder returns an empty graph.
func NewBuilder(name string) *Builder {
	return &Builder{Graph: Graph{Name: name}, constants: map[string]string{}}
}

// Op adds a node with one output and returns the output's name.
func (b *Builder) Op(op string, inputs ...string) string {
	return b.OpWith(op, nil, inputs...)
}

// OpWith is Op with attributes.
func (b *Builder) OpWith(op string, attributes []Attribute, inputs ...string) string {
	b.made++
	output := fmt.Sprintf("v%d_%s", b.made, op)
	b.Nodes = append(b.Nodes, Node{Op: op, Inputs: inputs, Outputs: []string{output}, Attributes: attributes})
	return output
}

// Sum adds values.
func (b *Builder) Sum(first string, rest ...string) string {
	for _, v := range rest {
		first = b.Op("Add", first, v)
	}
	return first
}

// Mean averages over axes, which stay with size 1.
func (b *Builder) Mean(v string, axes ...int64) string {
	return b.OpWith("ReduceMean", []Attribute{{Name: "axes", Value: axes}, {Name: "keepdims", Value: int64(1)}}, v)
}

// Total adds up over axes, which stay with size 1 or go.
func (b *Builder) Total(v string, keep bool, axes ...int64) string {
	keepdims := int64(0)
	if keep {
		keepdims = 1
	}
	return b.OpWith("ReduceSum", []Attribute{{Name: "keepdims", Value: keepdims}}, v, b.Ints(axes...))
}

// Rename gives a value the name of an output.
func (b *Builder) Rename(v, name string) {
	b.Nodes = append(b.Nodes, Node{Op: "Identity", Inputs: []string{v}, Outputs: []string{name}})
}

// Ints returns a constant vector of int64.
func (b *Builder) Ints(values ...int64) string {
	return b.Constant(fmt.Sprintf("ints%v", values), func(name string) Tensor {
		return NewInt64(name, []int64{int64(len(values))}, values)
	})
}

// Number returns a constant scalar.
func (b *Builder) Number(value float32) string {
	return b.Constant(fmt.Sprintf("number %v", value), func(name string) Tensor {
		return NewFloat32(name, nil, []float32{value})
	})
}

// Constant adds a constant once, whoever asks for it.
func (b *Builder) Constant(key string, make func(name string) Tensor) string {
	return b.Once(key, func() string {
		name := fmt.Sprintf("c%d", len(b.constants)+1)
		b.Initializers = append(b.Initializers, make(name))
		return name
	})
}

// Once returns the value that make made when it was asked for the first time.
func (b *Builder) Once(key string, make func() string) string {
	value, known := b.constants[key]
	if !known {
		value = make()
		b.constants[key] = value
	}
	return value
}

// Input declares an input of float32.
func (b *Builder) Input(name string, dims ...Dim) string {
	b.Inputs = append(b.Inputs, ValueInfo{Name: name, Type: Float32, Dims: dims})
	return name
}

// Output declares an output of float32.
func (b *Builder) Output(name string, dims ...Dim) {
	b.Outputs = append(b.Outputs, ValueInfo{Name: name, Type: Float32, Dims: dims})
}

// Named returns a dimension whose size a model leaves open.
func Named(name string) Dim { return Dim{Name: name} }

// Fixed returns a dimension of one size.
func Fixed(size int64) Dim { return Dim{Size: size} }

// Dense is x·w + bias.
func (b *Builder) Dense(x, w, bias string) string { return b.Op("Add", b.Op("MatMul", x, w), bias) }

// Sub is x−y, entry by entry.
func (b *Builder) Sub(v, w string) string { return b.Op("Sub", v, w) }

// Mul is x·y, entry by entry.
func (b *Builder) Mul(v, w string) string { return b.Op("Mul", v, w) }

// Div is x/y, entry by entry.
func (b *Builder) Div(v, w string) string { return b.Op("Div", v, w) }

// Product is the product of two matrices.
func (b *Builder) Product(v, w string) string { return b.Op("MatMul", v, w) }

// Concat joins values along an axis.
func (b *Builder) Concat(axis int64, values ...string) string {
	return b.OpWith("Concat", []Attribute{{Name: "axis", Value: axis}}, values...)
}

// Float turns numbers into float32.
func (b *Builder) Float(v string) string {
	return b.OpWith("Cast", []Attribute{{Name: "to", Value: int64(Float32)}}, v)
}

// Transpose exchanges the axes of a matrix.
func (b *Builder) Transpose(v string) string {
	return b.OpWith("Transpose", []Attribute{{Name: "perm", Value: []int64{1, 0}}}, v)
}

// LargestOf is the maximum over axes, which stay with size 1.
func (b *Builder) LargestOf(v string, axes ...int64) string {
	return b.OpWith("ReduceMax", []Attribute{{Name: "axes", Value: axes}, {Name: "keepdims", Value: int64(1)}}, v)
}

// Sizes are the numbers of nodes as vectors of one int64, taken from [batch, n1, n2, …].
func (b *Builder) Sizes(v string) (n1, n2 string) {
	size := b.Op("Shape", v)
	return b.Op("Gather", size, b.Ints(1)), b.Op("Gather", size, b.Ints(2))
}

// Neighbours is (n1−1)·(n2−1), at least 1, for v over [batch, n1, n2, …].
func (b *Builder) Neighbours(v string) string {
	shape := b.Op("Shape", v)
	others := func(axis int64) string {
		return b.Op("Sub", b.Float(b.Op("Gather", shape, b.Ints(axis))), b.Number(1))
	}
	return b.Op("Max", b.Op("Mul", others(1), others(2)), b.Number(1))
}

// Duel is v + a − mean a, over the axes of the vertices.
func (b *Builder) Duel(a, v string, axes ...int64) string {
	return b.Op("Add", a, b.Op("Sub", v, b.Mean(a, axes...)))
}

// Eye is the n×n identity, for n a vector of one int64.
func (b *Builder) Eye(n string) string {
	square := b.Op("ConstantOfShape", b.Concat(0, n, n))
	return b.OpWith("EyeLike", []Attribute{{Name: "dtype", Value: int64(Float32)}}, square)
}

// SplitAffinities symmetrises an affinity matrix k, [n1·n2, n1·n2], and takes it apart: edges,
// [n1, n2, n1, n2], have K between vertices that share no node and 0 elsewhere, weights, [n1, n2],
// K of a vertex with itself. eye makes identities of the type that one and half are of.
func (b *Builder) SplitAffinities(k, n1, n2 string, eye func(n string) string, one, half string) (edges, weights string) {
	eye1, eye2 := eye(n1), eye(n2)
	// Both as [n1, n2, n1, n2]: the first two axes are vertex p, the others q.
	same := b.Mul(b.Op("Unsqueeze", eye1, b.Ints(1, 3)), b.Op("Unsqueeze", eye2, b.Ints(0, 2)))
	adjacent := b.Mul(b.Op("Unsqueeze", b.Sub(one, eye1), b.Ints(1, 3)), b.Op("Unsqueeze", b.Sub(one, eye2), b.Ints(0, 2)))
	symmetric := b.Mul(b.Op("Add", k, b.Transpose(k)), half)
	k4 := b.Op("Reshape", symmetric, b.Concat(0, n1, n2, n1, n2))
	return b.Mul(k4, adjacent), b.Total(b.Mul(k4, same), false, 2, 3)
}

package onnx

import (
	"errors"
	"fmt"
	"strings"
)

// MaxSize is the size in bytes of the largest file that Check takes.
const MaxSize = 64 << 20

// IR 7 and opset 13 came with ONNX 1.8, IR 10 and opset 21 with ONNX 1.16; between
// them the operators below kept their meaning, and moved at most attributes to inputs.
const (
	minIRVersion, maxIRVersion = 7, 10
	minOpset, maxOpset         = 13, 21
)

// operators are those a network here may use: pure arithmetic on tensors, without
// control flow, randomness or anything outside the default domain.
var operators = setOf(`
	Add Sub Mul Div MatMul Gemm Conv Neg Abs Sqrt Exp Log Pow Max Min Clip
	Relu Tanh Sigmoid Softplus
	ReduceMean ReduceSum ReduceMax
	Reshape Transpose Concat Slice Gather Squeeze Unsqueeze Expand Shape Cast Identity
	Constant ConstantOfShape EyeLike
	Where Equal Greater Less Not`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// Check reads a model that is to be run, and refuses one that ONNX Runtime should
// not see: a file beyond MaxSize, an operator not listed above, a version out of
// range, a tensor whose data do not fill its shape, names that are missing or
// ambiguous, and weights that differ from the digest in the metadata. What Unmarshal
// refuses, it refuses too.
func Check(data []byte) (*Model, error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("onnx: %d bytes, want at most %d", len(data), MaxSize)
	}
	m, err := Unmarshal(data)
	if err != nil {
		return nil, err
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	return m, nil
}

func (m *Model) check() error {
	if v := m.IRVersion; v < minIRVersion || v > maxIRVersion {
		return fmt.Errorf("IR version %d, want %d to %d", v, minIRVersion, maxIRVersion)
	}
	if v := m.Opset; v < minOpset || v > maxOpset {
		return fmt.Errorf("opset %d, want %d to %d", v, minOpset, maxOpset)
	}
	if err := m.Graph.check(); err != nil {
		return err
	}
	return m.checkWeights()
}

// check follows the values from the inputs and initializers through the nodes to
// the outputs.
func (g *Graph) check() error {
	defined := names{}
	for i := range g.Inputs {
		if err := g.Inputs[i].check(defined.define); err != nil {
			return fmt.Errorf("graph: input[%d]: %w", i, err)
		}
	}
	for i := range g.Initializers {
		t := &g.Initializers[i]
		err := defined.define(t.Name)
		if err == nil {
			err = t.check()
		}
		if err != nil {
			return fmt.Errorf("graph: initializer[%d] %q: %w", i, t.Name, err)
		}
	}
	for i := range g.Nodes {
		if err := g.Nodes[i].check(defined); err != nil {
			return fmt.Errorf("graph: node[%d] %q: %w", i, g.Nodes[i].Op, err)
		}
	}
	return g.checkOutputs(defined)
}

// checkOutputs fails if there is no output, or one is not computed or given twice.
func (g *Graph) checkOutputs(defined names) error {
	if len(g.Outputs) == 0 {
		return errors.New("graph: no output")
	}
	outputs := names{}
	for i := range g.Outputs {
		err := g.Outputs[i].check(outputs.define)
		if err == nil {
			err = defined.use(g.Outputs[i].Name)
		}
		if err != nil {
			return fmt.Errorf("graph: output[%d]: %w", i, err)
		}
	}
	return nil
}

// check fails if the operator or an attribute is not allowed or an input is not
// defined before, and defines the outputs.
func (n *Node) check(defined names) error {
	if !operators[n.Op] {
		return errors.New("the operator is not allowed")
	}
	if err := n.checkAttributes(); err != nil {
		return err
	}
	for _, input := range n.Inputs {
		if input == "" { // left out
			continue
		}
		if err := defined.use(input); err != nil {
			return err
		}
	}
	for _, output := range n.Outputs {
		if err := defined.define(output); err != nil {
			return err
		}
	}
	return nil
}

func (n *Node) checkAttributes() error {
	attributes := names{}
	for _, a := range n.Attributes {
		err := attributes.define(a.Name)
		if t, ok := a.Value.(*Tensor); ok && err == nil {
			err = t.check()
		}
		if err != nil {
			return fmt.Errorf("attribute %q: %w", a.Name, err)
		}
	}
	return nil
}

// check fails if the elements do not fill the dimensions.
func (t *Tensor) check() error {
	size := t.Type.size() // of the elements counted so far
	if size == 0 {
		return fmt.Errorf("elements of type %d, want %d (float32) or %d (int64)", t.Type, Float32, Int64)
	}
	for _, d := range t.Dims {
		if d < 0 || d > MaxSize || size*d > MaxSize { // each factor fits 32 bits
			return fmt.Errorf("dimensions %v are out of range", t.Dims)
		}
		size *= d
	}
	if int64(len(t.Raw)) != size {
		return fmt.Errorf("%d bytes, want %d for the dimensions %v", len(t.Raw), size, t.Dims)
	}
	return nil
}

// check passes the name to admit, and fails if the type or the shape is not allowed.
func (v *ValueInfo) check(admit func(name string) error) error {
	if err := admit(v.Name); err != nil {
		return err
	}
	if v.Type.size() == 0 {
		return fmt.Errorf("%q: elements of type %d, want %d (float32) or %d (int64)", v.Name, v.Type, Float32, Int64)
	}
	for i, d := range v.Dims {
		if (d.Size > 0) == (d.Name != "") || d.Size < 0 {
			return fmt.Errorf("%q: dimension %d: want a size or a name, have %d and %q", v.Name, i, d.Size, d.Name)
		}
	}
	return nil
}

// names are the values defined so far.
type names map[string]bool

func (defined names) define(name string) error {
	if name == "" {
		return errors.New("no name")
	}
	if defined[name] {
		return fmt.Errorf("%q is defined twice", name)
	}
	defined[name] = true
	return nil
}

func (defined names) use(name string) error {
	if !defined[name] {
		return fmt.Errorf("%q is not defined before it is used", name)
	}
	return nil
}

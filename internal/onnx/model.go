// Package onnx writes, reads and checks the models of this program: the few
// messages of ONNX's protocol buffers that they need, and no others.
//
// Marshal is deterministic: equal models give equal bytes. Unmarshal and Check
// are made for bytes from untrusted sources: they never panic, they allocate little more
// than a model of that size needs, and they refuse whatever this package does
// not know, so that ONNX Runtime never reads what was not checked here.
package onnx

import (
	"encoding/binary"
	"fmt"
	"math"
)

// What Marshal is meant to be given, because it can be checked and read widely.
const (
	IRVersion = 8
	Opset     = 17
)

// Model is a network and what its file says about it.
type Model struct {
	IRVersion       int64
	Opset           int64 // of the default domain, the only one
	Producer        string
	ProducerVersion string
	Metadata        map[string]string
	Graph           Graph
}

// Graph computes Outputs from Inputs. A node follows the nodes it depends on.
type Graph struct {
	Name         string
	Nodes        []Node
	Initializers []Tensor
	Inputs       []ValueInfo
	Outputs      []ValueInfo
}

// Node applies an operator. An input "" is one that is left out.
type Node struct {
	Name       string // may be empty
	Op         string
	Inputs     []string
	Outputs    []string
	Attributes []Attribute
}

// Attribute is a named constant of a node.
type Attribute struct {
	Name  string
	Value any // int64, []int64 (not empty), float32, string or *Tensor
}

// DataType is the type of a tensor's elements, numbered as ONNX numbers it.
type DataType int64

// The types that the codec knows.
const (
	Float32 DataType = 1
	Int64   DataType = 7
)

// size returns the bytes of an element, 0 for a type that is not known here.
func (d DataType) size() int64 {
	switch d {
	case Float32:
		return 4
	case Int64:
		return 8
	}
	return 0
}

// Tensor is a constant: Raw holds its elements in row-major order, little-endian.
// A scalar has no dimensions.
type Tensor struct {
	Name string
	Type DataType
	Dims []int64
	Raw  []byte
}

// NewFloat32 returns a tensor of float32.
func NewFloat32(name string, dims []int64, values []float32) Tensor {
	raw := make([]byte, 0, 4*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	return Tensor{Name: name, Type: Float32, Dims: dims, Raw: raw}
}

// NewInt64 returns a tensor of int64.
func NewInt64(name string, dims []int64, values []int64) Tensor {
	raw := make([]byte, 0, 8*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	return Tensor{Name: name, Type: Int64, Dims: dims, Raw: raw}
}

// Float32s returns a copy of the elements of a tensor of float32.
func (t *Tensor) Float32s() ([]float32, error) {
	err := t.check()
	if err == nil && t.Type != Float32 {
		err = fmt.Errorf("elements are of type %d, want %d", t.Type, Float32)
	}
	if err != nil {
		return nil, fmt.Errorf("onnx: tensor %q: %w", t.Name, err)
	}
	values := make([]float32, len(t.Raw)/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(t.Raw[4*i:]))
	}
	return values, nil
}

// ValueInfo is an input or an output: a tensor's element type and shape.
type ValueInfo struct {
	Name string
	Type DataType
	Dims []Dim
}

// Dim is a dimension: of a fixed Size, or, if it has a Name, of any.
type Dim struct {
	Size int64
	Name string
}

// Initializer returns the initializer of that name, nil if there is none.
func (m *Model) Initializer(name string) *Tensor {
	for i := range m.Graph.Initializers {
		if t := &m.Graph.Initializers[i]; t.Name == name {
			return t
		}
	}
	return nil
}

package onnx

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// Marshal returns the bytes of a model: equal models give equal bytes. Fields are
// in the order of their numbers, metadata in that of their keys. It panics on an
// attribute whose Value has a type that Attribute does not list.
func Marshal(m *Model) []byte {
	var b message
	b.integer(modelIRVersion, m.IRVersion)
	b.name(modelProducer, m.Producer)
	b.name(modelProducerVersion, m.ProducerVersion)
	b.message(modelGraph, m.Graph.marshal())
	var opset message
	opset.integer(opsetVersion, m.Opset)
	b.message(modelOpset, opset)
	for _, key := range slices.Sorted(maps.Keys(m.Metadata)) {
		var entry message
		entry.text(entryKey, key)
		entry.text(entryValue, m.Metadata[key])
		b.message(modelMetadata, entry)
	}
	return b
}

func (g *Graph) marshal() message {
	var b message
	for i := range g.Nodes {
		b.message(graphNode, g.Nodes[i].marshal())
	}
	b.name(graphName, g.Name)
	for i := range g.Initializers {
		b.message(graphInitializer, g.Initializers[i].marshal())
	}
	for i := range g.Inputs {
		b.message(graphInput, g.Inputs[i].marshal())
	}
	for i := range g.Outputs {
		b.message(graphOutput, g.Outputs[i].marshal())
	}
	return b
}

func (n *Node) marshal() message {
	var b message
	for _, input := range n.Inputs {
		b.text(nodeInput, input)
	}
	for _, output := range n.Outputs {
		b.text(nodeOutput, output)
	}
	b.name(nodeName, n.Name)
	b.text(nodeOp, n.Op)
	for i := range n.Attributes {
		b.message(nodeAttribute, n.Attributes[i].marshal())
	}
	return b
}

func (a *Attribute) marshal() message {
	var b message
	b.text(attributeName, a.Name)
	switch v := a.Value.(type) {
	case float32:
		b.real(attributeFloat, v)
	case int64:
		b.integer(attributeInt, v)
	case string:
		b.text(attributeString, v)
	case *Tensor:
		b.message(attributeTensor, v.marshal())
	case []int64:
		for _, i := range v {
			b.integer(attributeInts, i)
		}
	default:
		panic(fmt.Sprintf("onnx: attribute %q: a value of type %T", a.Name, a.Value))
	}
	b.integer(attributeType, attributeTypeOf(a.Value))
	return b
}

// attributeTypeOf returns the AttributeType of a value, 0 if it has none.
func attributeTypeOf(value any) int64 {
	switch value.(type) {
	case float32:
		return attributeIsFloat
	case int64:
		return attributeIsInt
	case string:
		return attributeIsString
	case *Tensor:
		return attributeIsTensor
	case []int64:
		return attributeIsInts
	}
	return 0
}

func (t *Tensor) marshal() message {
	var b message
	for _, d := range t.Dims {
		b.integer(tensorDims, d)
	}
	b.integer(tensorType, int64(t.Type))
	b.name(tensorName, t.Name)
	b.message(tensorRaw, t.Raw)
	return b
}

func (v *ValueInfo) marshal() message {
	var shape, tensor, valueInfoType, b message
	for _, d := range v.Dims {
		shape.message(shapeDim, d.marshal())
	}
	tensor.integer(tensorTypeElement, int64(v.Type))
	tensor.message(tensorTypeShape, shape)
	valueInfoType.message(typeTensor, tensor)
	b.text(valueName, v.Name)
	b.message(valueType, valueInfoType)
	return b
}

func (d Dim) marshal() message {
	var b message
	if d.Name != "" {
		b.text(dimName, d.Name)
	} else {
		b.integer(dimSize, d.Size)
	}
	return b
}

// message is the bytes of a message, to which fields are appended.
type message []byte

func (b *message) integer(n protowire.Number, v int64) {
	*b = protowire.AppendVarint(protowire.AppendTag(*b, n, protowire.VarintType), uint64(v))
}

func (b *message) real(n protowire.Number, v float32) {
	*b = protowire.AppendFixed32(protowire.AppendTag(*b, n, protowire.Fixed32Type), math.Float32bits(v))
}

func (b *message) text(n protowire.Number, v string) {
	*b = protowire.AppendString(protowire.AppendTag(*b, n, protowire.BytesType), v)
}

// name appends a text that is left out if it is empty.
func (b *message) name(n protowire.Number, v string) {
	if v != "" {
		b.text(n, v)
	}
}

func (b *message) message(n protowire.Number, v []byte) {
	*b = protowire.AppendBytes(protowire.AppendTag(*b, n, protowire.BytesType), v)
}

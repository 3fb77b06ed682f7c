package onnx

import (
	"errors"
	"fmt"
)

// Unmarshal reads a model. It refuses what Model cannot hold: custom domains,
// functions, subgraphs, external data, types other than those of Attribute and
// DataType. Tensors share the memory of data, so data must not be changed. See
// Check for bytes that are to be run.
func Unmarshal(data []byte) (*Model, error) {
	var d decoder
	m, err := d.model(data)
	if err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	return m, nil
}

func (d *decoder) model(data []byte) (*Model, error) {
	m := &Model{Metadata: map[string]string{}}
	opsets := 0
	err := d.each(modelSchema, data, func(f field) (err error) {
		switch f.number {
		case modelIRVersion:
			m.IRVersion = f.integer
		case modelProducer:
			m.Producer = f.text
		case modelProducerVersion:
			m.ProducerVersion = f.text
		case modelGraph:
			m.Graph, err = d.graph(f.blob)
		case modelOpset:
			opsets++
			m.Opset, err = d.opset(f.blob)
		case modelMetadata:
			err = d.metadata(m.Metadata, f.blob)
		}
		return err
	})
	if err == nil && opsets != 1 {
		err = fmt.Errorf("opset_import: have %d, want 1", opsets)
	}
	return m, err
}

func (d *decoder) opset(data []byte) (version int64, err error) {
	err = d.each(opsetSchema, data, func(f field) error {
		if f.number == opsetDomain {
			return defaultDomain(f.text)
		}
		version = f.integer
		return nil
	})
	return version, err
}

func defaultDomain(domain string) error {
	if domain != "" {
		return fmt.Errorf("custom domain %q is not supported", domain)
	}
	return nil
}

// metadata reads one entry.
func (d *decoder) metadata(entries map[string]string, data []byte) error {
	var key, value string
	err := d.each(entrySchema, data, func(f field) error {
		switch f.number {
		case entryKey:
			key = f.text
		case entryValue:
			value = f.text
		}
		return nil
	})
	if err != nil {
		return err
	}
	if _, twice := entries[key]; twice {
		return fmt.Errorf("key %q occurs twice", key)
	}
	entries[key] = value
	return nil
}

func (d *decoder) graph(data []byte) (g Graph, err error) {
	err = d.each(graphSchema, data, func(f field) (err error) {
		switch f.number {
		case graphNode:
			g.Nodes, err = add(g.Nodes, f.blob, d.node)
		case graphName:
			g.Name = f.text
		case graphInitializer:
			g.Initializers, err = add(g.Initializers, f.blob, d.tensor)
		case graphInput:
			g.Inputs, err = add(g.Inputs, f.blob, d.value)
		case graphOutput:
			g.Outputs, err = add(g.Outputs, f.blob, d.value)
		}
		return err
	})
	return g, err
}

// add appends what decode reads to a list.
func add[T any](list []T, data []byte, decode func([]byte) (T, error)) ([]T, error) {
	item, err := decode(data)
	return append(list, item), err
}

func (d *decoder) node(data []byte) (n Node, err error) {
	err = d.each(nodeSchema, data, func(f field) (err error) {
		switch f.number {
		case nodeInput:
			n.Inputs = append(n.Inputs, f.text)
		case nodeOutput:
			n.Outputs = append(n.Outputs, f.text)
		case nodeName:
			n.Name = f.text
		case nodeOp:
			n.Op = f.text
		case nodeAttribute:
			n.Attributes, err = add(n.Attributes, f.blob, d.attribute)
		case nodeDomain:
			err = defaultDomain(f.text)
		}
		return err
	})
	return n, err
}

func (d *decoder) attribute(data []byte) (a Attribute, err error) {
	var declared int64
	var values []any
	var ints []int64
	err = d.each(attributeSchema, data, func(f field) error {
		switch f.number {
		case attributeName:
			a.Name = f.text
		case attributeType:
			declared = f.integer
		case attributeFloat:
			values = append(values, f.real)
		case attributeInt:
			values = append(values, f.integer)
		case attributeString:
			values = append(values, f.text)
		case attributeTensor:
			t, err := d.tensor(f.blob)
			values = append(values, &t)
			return err
		case attributeInts:
			ints = append(ints, f.integer)
		}
		return nil
	})
	if err != nil {
		return a, err
	}
	if len(ints) > 0 {
		values = append(values, ints)
	}
	if len(values) != 1 {
		return a, fmt.Errorf("attribute %q has %d values, want 1", a.Name, len(values))
	}
	a.Value = values[0]
	if have := attributeTypeOf(a.Value); have != declared {
		return a, fmt.Errorf("attribute %q: its type is %d, but that of its value is %d", a.Name, declared, have)
	}
	return a, nil
}

func (d *decoder) tensor(data []byte) (t Tensor, err error) {
	err = d.each(tensorSchema, data, func(f field) error {
		switch f.number {
		case tensorDims:
			t.Dims = append(t.Dims, f.integer)
		case tensorType:
			t.Type = DataType(f.integer)
		case tensorName:
			t.Name = f.text
		case tensorRaw:
			t.Raw = f.blob
		case tensorLocation:
			if f.integer != 0 {
				return errors.New("external data is not supported")
			}
		}
		return nil
	})
	return t, err
}

func (d *decoder) value(data []byte) (v ValueInfo, err error) {
	err = d.each(valueSchema, data, func(f field) error {
		if f.number == valueName {
			v.Name = f.text
			return nil
		}
		return d.each(typeSchema, f.blob, func(f field) error { return d.tensorType(&v, f.blob) })
	})
	return v, err
}

// tensorType reads the element type and the shape of v.
func (d *decoder) tensorType(v *ValueInfo, data []byte) error {
	shaped := false
	err := d.each(tensorTypeSchema, data, func(f field) error {
		if f.number == tensorTypeElement {
			v.Type = DataType(f.integer)
			return nil
		}
		shaped = true
		return d.each(shapeSchema, f.blob, func(f field) (err error) {
			v.Dims, err = add(v.Dims, f.blob, d.dim)
			return err
		})
	})
	if err == nil && !shaped {
		err = errors.New("no shape")
	}
	return err
}

func (d *decoder) dim(data []byte) (dim Dim, err error) {
	err = d.each(dimSchema, data, func(f field) error {
		if f.number == dimName {
			dim.Name = f.text
		} else {
			dim.Size = f.integer
		}
		return nil
	})
	return dim, err
}

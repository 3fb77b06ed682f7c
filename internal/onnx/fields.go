package onnx

import (
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

const (
	// maxParts bounds the fields of a file: two bytes of file can ask for a
	// hundred of memory. A node is about ten parts.
	maxParts = 1 << 14

	// maxText bounds names and metadata, which errors quote.
	maxText = 1 << 16
)

var errMalformed = errors.New("malformed: not an ONNX file, or a damaged one")

// decoder reads the messages of one file.
type decoder struct {
	parts int // fields read so far
}

// field is one occurrence of a field; only what its kind says is set.
type field struct {
	number  protowire.Number
	integer int64
	real    float32
	text    string
	blob    []byte // shares the file's memory
}

// each calls visit for every field of a message. It refuses what s does not allow
// and a second occurrence of a field that is no list: protocol buffers merge the
// two, so a check of either alone would not be one of what is loaded.
func (d *decoder) each(s schema, data []byte, visit func(field) error) error {
	var seen [32]int // by field number; all numbers known here are below
	for len(data) > 0 {
		number, wire, n := protowire.ConsumeTag(data)
		if n < 0 {
			return errMalformed
		}
		data = data[n:]
		r, known := s[number]
		switch {
		case !known:
			return fmt.Errorf("not an ONNX file, or one of a later version (field %d)", number)
		case r.kind == refused:
			return fmt.Errorf("%s is not supported", r.name)
		case !r.list && seen[number] > 0:
			return fmt.Errorf("%s occurs twice", r.name)
		}
		n, err := d.read(r, number, wire, data, visit)
		if err != nil {
			return r.at(seen[number], err)
		}
		seen[number]++
		data = data[n:]
	}
	return nil
}

// at says in which field an error is.
func (r rule) at(index int, err error) error {
	if r.list {
		return fmt.Errorf("%s[%d]: %w", r.name, index, err)
	}
	return fmt.Errorf("%s: %w", r.name, err)
}

// read visits the field at the start of data, which may be a packed list, and
// returns its length.
func (d *decoder) read(r rule, number protowire.Number, wire protowire.Type, data []byte, visit func(field) error) (int, error) {
	if r.list && r.kind == integer && wire == protowire.BytesType {
		packed, n := protowire.ConsumeBytes(data)
		if n < 0 {
			return 0, errMalformed
		}
		return n, d.unpack(r, number, packed, visit)
	}
	if wire != r.kind.wire() {
		return 0, fmt.Errorf("%w (wire type %d, want %d)", errMalformed, wire, r.kind.wire())
	}
	return d.one(r, number, data, visit)
}

// unpack visits the integers of a packed list.
func (d *decoder) unpack(r rule, number protowire.Number, packed []byte, visit func(field) error) error {
	for len(packed) > 0 {
		n, err := d.one(r, number, packed, visit)
		if err != nil {
			return err
		}
		packed = packed[n:]
	}
	return nil
}

// one visits the one value at the start of data and returns its length.
func (d *decoder) one(r rule, number protowire.Number, data []byte, visit func(field) error) (n int, err error) {
	if d.parts++; d.parts > maxParts {
		return 0, fmt.Errorf("more than %d fields in the file", maxParts)
	}
	f := field{number: number}
	switch r.kind {
	case integer:
		var v uint64
		v, n = protowire.ConsumeVarint(data)
		f.integer = int64(v)
	case real:
		var v uint32
		v, n = protowire.ConsumeFixed32(data)
		f.real = math.Float32frombits(v)
	default:
		f.blob, n = protowire.ConsumeBytes(data)
	}
	if n < 0 {
		return 0, errMalformed
	}
	if r.kind == text {
		if f.text, err = readText(f.blob); err != nil {
			return 0, err
		}
	}
	return n, visit(f)
}

func readText(data []byte) (string, error) {
	if len(data) > maxText {
		return "", fmt.Errorf("a text of %d bytes, want at most %d", len(data), maxText)
	}
	if !utf8.Valid(data) {
		return "", errors.New("a text that is not UTF-8")
	}
	return string(data), nil
}

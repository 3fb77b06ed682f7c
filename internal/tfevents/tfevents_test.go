package tfevents

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// TestCRC32C: the check value of the Castagnoli polynomial (RFC 3720, B.4, and the
// catalogue of parametrised CRCs), unmasked again.
func TestCRC32C(t *testing.T) {
	const want = 0xe3069283
	rotated := maskedCRC([]byte("123456789")) - 0xa282ead8
	if have := rotated>>17 | rotated<<15; have != want {
		t.Errorf("CRC-32C %#x, want %#x", have, want)
	}
}

// TestHeader: the first bytes of any file that TensorFlow writes, whose first
// record has 24 bytes.
func TestHeader(t *testing.T) {
	file := AppendHeader(nil, 0)
	want := []byte("\x18\x00\x00\x00\x00\x00\x00\x00\xa3\x7fK\"\x09\x00\x00\x00\x00\x00\x00\x00\x00\x1a\x0dbrain.Event:2")
	if !bytes.HasPrefix(file, want) || len(file) != len(want)+4 {
		t.Errorf("file begins with\n%q, want\n%q", file, want)
	}
}

// event is a decoded record.
type event struct {
	wallTime float64
	step     uint64
	version  string
	scalars  []Scalar
}

// TestScalarsAreReadBack decodes a file field by field.
func TestScalarsAreReadBack(t *testing.T) {
	want := []Scalar{{"training/loss", 0.25}, {"validation/gap", -3}, {"ε", 1e-30}}
	file := AppendScalars(AppendHeader(nil, 1), 2.5, 1000, want)
	file = AppendScalars(file, 3, 2000, nil)
	events := decode(t, file)
	if len(events) != 3 || events[0].version != "brain.Event:2" || events[0].wallTime != 1 {
		t.Fatalf("events %+v", events)
	}
	if e := events[1]; e.wallTime != 2.5 || e.step != 1000 || !slices.EqualFunc(e.scalars, want, sameScalar) {
		t.Errorf("event %+v, want %+v", e, want)
	}
	if e := events[2]; e.step != 2000 || len(e.scalars) != 0 {
		t.Errorf("event %+v, want one without scalars", e)
	}
}

func sameScalar(x, y Scalar) bool {
	return x.Tag == y.Tag && float32(x.Value) == float32(y.Value)
}

// decode reads a file and demands that every checksum holds.
func decode(t *testing.T, file []byte) []event {
	t.Helper()
	var events []event
	for len(file) > 0 {
		length := int(binary.LittleEndian.Uint64(file))
		data := file[12 : 12+length]
		if binary.LittleEndian.Uint32(file[8:]) != maskedCRC(file[:8]) || binary.LittleEndian.Uint32(file[12+length:]) != maskedCRC(data) {
			t.Fatal("a checksum is wrong")
		}
		var e event
		fields(t, data, func(number protowire.Number, value []byte, bits uint64) {
			switch number {
			case 1:
				e.wallTime = math.Float64frombits(bits)
			case 2:
				e.step = bits
			case 3:
				e.version = string(value)
			case 5:
				fields(t, value, func(_ protowire.Number, value []byte, _ uint64) {
					e.scalars = append(e.scalars, decodeScalar(t, value))
				})
			}
		})
		events = append(events, e)
		file = file[16+length:]
	}
	return events
}

func decodeScalar(t *testing.T, message []byte) (s Scalar) {
	fields(t, message, func(number protowire.Number, value []byte, bits uint64) {
		if number == 1 {
			s.Tag = string(value)
		} else {
			s.Value = float64(math.Float32frombits(uint32(bits)))
		}
	})
	return s
}

// fields calls visit for each field of a message.
func fields(t *testing.T, message []byte, visit func(number protowire.Number, value []byte, bits uint64)) {
	t.Helper()
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		message = message[n:]
		var value []byte
		var bits uint64
		switch kind {
		case protowire.BytesType:
			value, n = protowire.ConsumeBytes(message)
		case protowire.Fixed64Type:
			bits, n = protowire.ConsumeFixed64(message)
		case protowire.Fixed32Type:
			var v uint32
			v, n = protowire.ConsumeFixed32(message)
			bits = uint64(v)
		default:
			bits, n = protowire.ConsumeVarint(message)
		}
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		visit(number, value, bits)
		message = message[n:]
	}
}

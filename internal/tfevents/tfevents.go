// Package tfevents encodes scalars as TensorBoard's event files hold them.
//
// A file is a sequence of TFRecords: the length of the data (8 bytes, little
// endian), its masked CRC-32C (4), the data, their masked CRC-32C (4). The data of
// each record is an Event in protocol buffers; only these fields are
// written: wall_time (1, double), step (2, int64), file_version (3, string, in the
// first record alone), summary (5) with values (1) of tag (1, string) and
// simple_value (2, float).
//
// Sources: tensorflow/core/util/event.proto, tensorflow/core/framework/summary.proto
// and tensorflow/core/lib/io/record_writer.h.
package tfevents

import (
	"encoding/binary"
	"hash/crc32"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// Scalar is a number with the tag under which TensorBoard shows it; tags of one
// group share what stands before a slash.
type Scalar struct {
	Tag   string
	Value float64
}

const fileVersion = "brain.Event:2"

// AppendHeader appends the record that every file begins with.
func AppendHeader(file []byte, wallTime float64) []byte {
	event := appendWallTime(nil, wallTime)
	event = protowire.AppendTag(event, 3, protowire.BytesType)
	return appendRecord(file, protowire.AppendString(event, fileVersion))
}

// AppendScalars appends a record of what was measured at a step. wallTime counts
// seconds from 1970.
func AppendScalars(file []byte, wallTime float64, step int, scalars []Scalar) []byte {
	var summary []byte
	for _, s := range scalars {
		value := protowire.AppendTag(nil, 1, protowire.BytesType)
		value = protowire.AppendString(value, s.Tag)
		value = protowire.AppendTag(value, 2, protowire.Fixed32Type)
		value = protowire.AppendFixed32(value, math.Float32bits(float32(s.Value)))
		summary = protowire.AppendTag(summary, 1, protowire.BytesType)
		summary = protowire.AppendBytes(summary, value)
	}
	event := appendWallTime(nil, wallTime)
	event = protowire.AppendTag(event, 2, protowire.VarintType)
	event = protowire.AppendVarint(event, uint64(step))
	event = protowire.AppendTag(event, 5, protowire.BytesType)
	return appendRecord(file, protowire.AppendBytes(event, summary))
}

func appendWallTime(event []byte, seconds float64) []byte {
	event = protowire.AppendTag(event, 1, protowire.Fixed64Type)
	return protowire.AppendFixed64(event, math.Float64bits(seconds))
}

func appendRecord(file, data []byte) []byte {
	length := binary.LittleEndian.AppendUint64(nil, uint64(len(data)))
	file = append(file, length...)
	file = binary.LittleEndian.AppendUint32(file, maskedCRC(length))
	file = append(file, data...)
	return binary.LittleEndian.AppendUint32(file, maskedCRC(data))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// maskedCRC is the CRC-32C, rotated and shifted so that the CRC of data that hold
// CRCs stays a good one.
func maskedCRC(data []byte) uint32 {
	crc := crc32.Checksum(data, castagnoli)
	return (crc>>15 | crc<<17) + 0xa282ead8
}

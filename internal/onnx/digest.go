package onnx

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
)

// WeightsKey is the key of the metadata under which a model keeps its
// WeightsDigest. ONNX Runtime loads a file with a flipped bit in a weight without
// a word; Check does not.
const WeightsKey = "weights_sha256"

// WeightsDigest returns the sha256, in hexadecimal, of the initializers in the
// order of their names. Of each it takes, every number as 8 bytes little-endian:
// the length of the name, the name, the data type, the number of dimensions, the
// dimensions, the length of the data, the data (little-endian, row-major).
func WeightsDigest(m *Model) string {
	tensors := slices.Clone(m.Graph.Initializers)
	slices.SortStableFunc(tensors, func(s, t Tensor) int { return cmp.Compare(s.Name, t.Name) })
	hash := sha256.New()
	var head []byte
	number := func(v int64) { head = binary.LittleEndian.AppendUint64(head, uint64(v)) }
	for _, t := range tensors {
		head = head[:0]
		number(int64(len(t.Name)))
		head = append(head, t.Name...)
		number(int64(t.Type))
		number(int64(len(t.Dims)))
		for _, d := range t.Dims {
			number(d)
		}
		number(int64(len(t.Raw)))
		hash.Write(head)
		hash.Write(t.Raw)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// checkWeights compares the digest with the recorded one, if there is one.
func (m *Model) checkWeights() error {
	want, recorded := m.Metadata[WeightsKey]
	if !recorded {
		return nil
	}
	if have := WeightsDigest(m); have != want {
		return fmt.Errorf("the weights do not match the recorded sha256 (have %s, want %s): the file is damaged; get or export it again",
			have, want)
	}
	return nil
}

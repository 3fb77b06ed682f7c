package datasets

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/rgm-go/rgm/qap"
)

// ReadMatching reads a matching from a .json file, an array of whole numbers, or
// from a .npy file, a one-dimensional array of them, integers or floats: entry i is the node of graph 2
// that node i of graph 1 is matched to, 0-based, or −1 where it is unmatched.
// Whether it is a matching of an instance tells qap.Instance.CheckMatching.
func ReadMatching(path string) (qap.Matching, error) {
	s, file, err := openSource(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var m qap.Matching
	switch format := extension(path); format {
	case ".json":
		m, err = ReadMatchingJSON(s.text())
	case ".npy":
		m, err = readNPYMatching(s.text(), s.size)
	default:
		err = fmt.Errorf("a matching in format %q: want .json or .npy", format)
	}
	if err != nil {
		return nil, s.errorf(0, "%w", err)
	}
	return m, nil
}

// ReadMatchingJSON reads a matching as ReadMatching does from a .json file.
func ReadMatchingJSON(r io.Reader) (qap.Matching, error) {
	var m qap.Matching
	decoder := json.NewDecoder(r)
	if err := decoder.Decode(&m); err != nil {
		return nil, fmt.Errorf("want a JSON array of whole numbers: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("want the end of the file after a JSON array of whole numbers")
	}
	if m == nil {
		return nil, errors.New("want a JSON array of whole numbers, have null")
	}
	return m, nil
}

func readNPYMatching(r io.Reader, size int64) (qap.Matching, error) {
	stream, err := openNPY(r, size)
	if err != nil {
		return nil, err
	}
	if len(stream.shape) != 1 {
		return nil, fmt.Errorf("an array of shape %s: want one dimension of whole numbers", shapeText(stream.shape))
	}
	array, err := stream.array()
	if err != nil {
		return nil, err
	}
	m := make(qap.Matching, len(array.Data))
	for i, v := range array.Data {
		if v != math.Trunc(v) || math.Abs(v) > maxNodes {
			return nil, fmt.Errorf("node %d goes to %v: want -1..%d", i, v, maxNodes-1)
		}
		m[i] = int(v)
	}
	return m, nil
}

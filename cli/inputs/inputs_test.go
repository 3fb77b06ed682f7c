package inputs

import (
	"strings"
	"testing"

	"github.com/rgm-go/rgm/datasets"
)

// endless is a stream that never ends.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	clear(p)
	e.read += len(p)
	return len(p), nil
}

// TestStandardInputIsBounded: what does not end is refused, and not read until memory is gone.
func TestStandardInputIsBounded(t *testing.T) {
	in := new(endless)
	for _, err := range stdinInstances(in, "npy", 1000, datasets.Options{}) {
		if err == nil || err.Error() != "standard input: more than 1000 bytes: give a file" || in.read > 2000 {
			t.Errorf("%v after %d bytes", err, in.read)
		}
	}
	for x, err := range stdinInstances(strings.NewReader("2\n0 1\n1 0\n0 3\n3 0\n"), "dat", 18, datasets.Options{}) {
		if err != nil || x == nil {
			t.Errorf("%v of as many bytes as may be", err)
		}
	}
}

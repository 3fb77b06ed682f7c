//go:build !wasm

package datasets

import (
	"fmt"
	"io"

	"github.com/rgm-go/rgm/qap"
	"github.com/sbinet/npyio/npy"
)

// WriteMatching writes a matching as a .npy file of int64, which ReadMatching
// reads.
func WriteMatching(w io.Writer, m qap.Matching) error {
	numbers := make([]int64, len(m))
	for i, a := range m {
		numbers[i] = int64(a)
	}
	if err := npy.Write(w, numbers); err != nil {
		return fmt.Errorf("datasets: %w", err)
	}
	return nil
}

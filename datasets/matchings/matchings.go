// Package matchings writes matchings as numpy reads them, by npyio. It is apart from datasets, so that a program that
// reads instances does not link npyio's matrices.
package matchings

import (
	"fmt"
	"io"

	"github.com/rgm-go/rgm/qap"
	"github.com/sbinet/npyio/npy"
)

// Write writes a matching as a .npy file of int64, which datasets.ReadMatching
// reads.
func Write(w io.Writer, m qap.Matching) error {
	numbers := make([]int64, len(m))
	for i, a := range m {
		numbers[i] = int64(a)
	}
	if err := npy.Write(w, numbers); err != nil {
		return fmt.Errorf("matchings: %w", err)
	}
	return nil
}

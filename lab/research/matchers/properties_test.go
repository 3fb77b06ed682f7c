package matchers_test

import (
	"testing"

	"github.com/rgm-go/rgm/internal/rgmtest"
	_ "github.com/rgm-go/rgm/lab/research/matchers"
)

// TestProperties: what holds of the methods of this package.
func TestProperties(t *testing.T) {
	rgmtest.Properties(t, []string{"gagm", "psm", "gnccp", "bpf", "zacr", "skja", "sa"})
}

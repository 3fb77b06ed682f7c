package full_test

import (
	"testing"

	"github.com/rgm-go/rgm/infer/portfolio/full/fulltest"
)

// TestProperties: what holds of the methods of rgm.
func TestProperties(t *testing.T) { fulltest.Properties(t, fulltest.Open(t).Methods()) }

package rgm_test

import (
	"testing"

	"github.com/rgm-go/rgm/internal/rgmtest"
)

// TestProperties: what holds of the methods of rgm.
func TestProperties(t *testing.T) { rgmtest.Properties(t, rgmtest.Open(t).Methods()) }

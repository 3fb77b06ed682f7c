package export

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/ortlib"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models"
)

// gain returns a network of random weights.
func gain(t testing.TB) models.Network {
	return must.Get(models.New(models.Config{Architecture: models.ArchitectureGain, Hidden: 5, Head: 3}, rand.New(rand.NewPCG(1, 2))))(t)
}

// needRuntime skips a test where ONNX Runtime cannot be had.
func needRuntime(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, ortlib.ErrUnavailable) {
		t.Skipf("needs ONNX Runtime: %v", err)
	}
}

// TestSelfContainedUnderEveryRule compares all sizes under all rules; an export
// compares some of them.
func TestSelfContainedUnderEveryRule(t *testing.T) {
	if testing.Short() {
		t.Skip("an export compares some of this too")
	}
	n := gain(t)
	for _, form := range []Form{Lawler, KoopmansBeckmann} {
		data := must.Get(MarshalSelfContained(n, "{}", form))(t)
		m := must.Get(onnx.Check(data))(t)
		check := newSelfContainedCheck(context.Background(), m, n, infer.SessionOptions{Install: true})
		for _, shape := range parityShapes {
			for k, rule := range check.rules(form, shape) {
				err := check.episodes(shape, form, rule)
				needRuntime(t, err)
				if err != nil {
					t.Errorf("%s, %v, rule %d: %v", form, shape, k, err)
				}
			}
		}
	}
}

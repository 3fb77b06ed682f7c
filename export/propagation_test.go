package export

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/ortlib"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/models/propagation"
)

// TestPropagation: ONNX Runtime makes the steps of Go, and what is loaded is what was written.
func TestPropagation(t *testing.T) {
	n := propagation.New(rand.New(rand.NewPCG(1, 2)))
	for _, p := range n.Parameters() {
		for i := range p.Data {
			p.Data[i] += 0.05 * float32(i%7-3)
		}
	}
	data := propagation.Marshal(n, "{}")
	loaded := must.Get(propagation.Load(data))(t)
	for k, p := range loaded.Parameters() {
		want := n.Parameters()[k]
		for i, v := range p.Data {
			if v != want.Data[i] {
				t.Fatalf("%s[%d]: %v after loading, want %v", p.Name, i, v, want.Data[i])
			}
		}
	}
	err := WritePropagation(t.Context(), filepath.Join(t.TempDir(), "align.onnx"), n, "{}", infer.SessionOptions{})
	if errors.Is(err, ortlib.ErrUnavailable) {
		t.Skipf("needs ONNX Runtime: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	other := propagation.New(rand.New(rand.NewPCG(3, 4)))
	if err := VerifyPropagation(t.Context(), data, other, infer.SessionOptions{}); !errors.Is(err, ErrParity) {
		t.Errorf("weights of another network: %v, want ErrParity", err)
	}
}

//go:build cgo

package infer

import (
	"context"
	"errors"
	"testing"

	"github.com/rgm-go/rgm/infer/ortlib"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/models/pretrained"
)

// TestPoolIsBounded: of many shapes the pool keeps the batches that were used last, and
// knows how much memory they hold; a batch of nothing is an error.
func TestPoolIsBounded(t *testing.T) {
	data := must.Get(pretrained.Model("qap"))(t)
	net, err := Open(context.Background(), data, SessionOptions{Install: true})
	if errors.Is(err, ortlib.ErrUnavailable) {
		t.Skipf("needs ONNX Runtime: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer net.Close()
	for n := range mostIdle + 10 {
		b := must.Get(net.NewBatch(1, n+1, 2))(t)
		if err := errors.Join(b.Close(), b.Close()); err != nil { // the second does nothing
			t.Fatal(err)
		}
	}
	floats := 0
	for _, b := range net.batches.idle {
		floats += b.floats()
	}
	if p := &net.batches; p.inUse != 0 || len(p.idle) != mostIdle || p.floats != floats || p.idle[0].shape.n1 != 11 {
		t.Errorf("%d used and %d idle batches of %d floats, counted as %d, the first of %d nodes", p.inUse, len(p.idle), floats, p.floats, p.idle[0].shape.n1)
	}
	for _, shape := range [][3]int{{0, 2, 2}, {2, 0, 2}, {2, 2, -1}} {
		if b, err := net.NewBatch(shape[0], shape[1], shape[2]); err == nil || b != nil {
			t.Errorf("a batch of %v: %v", shape, b)
		}
	}
}

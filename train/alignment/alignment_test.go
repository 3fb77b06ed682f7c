package alignment

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/sealed/sealedtest"
	"github.com/rgm-go/rgm/models/propagation"
	"github.com/rgm-go/rgm/qap/align/belief"
)

// short is a training of seconds.
func short() Config {
	c := Default()
	c.Seed, c.Updates, c.AgainUpdates, c.Pairs, c.Steps, c.AgainSteps, c.LeastNodes, c.MostNodes = 3, 25, 25, 300, 3, 2, 20, 24
	return c
}

// TestResumedIsAsIfNeverBrokenOff: broken off in either stage and taken up again, a training ends
// with the same bytes.
func TestResumedIsAsIfNeverBrokenOff(t *testing.T) {
	whole := must.Get(New(short()))(t)
	if err := whole.Run(t.Context(), Options{}); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	broken, err := New(short())
	for round := 0; err == nil && round < 2; round++ {
		ctx, cancel := context.WithCancel(t.Context())
		if err := broken.Run(ctx, Options{Dir: dir, Progress: func(Metrics) { cancel() }}); err == nil {
			t.Fatal("it was not broken off")
		}
		broken, err = Resume(filepath.Join(dir, CheckpointFile))
	}
	if err == nil {
		err = broken.Run(t.Context(), Options{Dir: dir})
	}
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(propagation.Marshal(broken.Network(), ""), propagation.Marshal(whole.Network(), "")) {
		t.Error("other weights than without a break")
	}
	if len(broken.Metrics()) != len(whole.Metrics()) || broken.Validation().Again != whole.Validation().Again {
		t.Errorf("%d lines and %v, without a break %d and %v", len(broken.Metrics()), broken.Validation(), len(whole.Metrics()), whole.Validation())
	}
}

// TestCrossEntropy compares its derivative with differences; a pair with nodes that have no partner.
func TestCrossEntropy(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x := newSample(randomKind, 12, 3, 0.2, true, 0.2, rng)
	p := x.pair
	s, d := make([]float32, p.Size()), make([]float32, p.Size())
	for k := range s {
		s[k] = float32(rng.NormFloat64())
	}
	norms := belief.NewNormalizer(p.N1, p.N2)
	crossEntropy(d, s, &x, norms, 1)
	none := make([]float32, p.Size())
	for k := range s {
		const h = 1e-2
		at := func(v float32) float64 {
			was := s[k]
			s[k] = v
			loss, _ := crossEntropy(none, s, &x, norms, 1)
			s[k] = was
			return loss
		}
		if want := (at(s[k]+h) - at(s[k]-h)) / (2 * h); math.Abs(want-float64(d[k])) > 1e-4 {
			t.Errorf("entry %d: %v by differences, %v", k, want, d[k])
		}
	}
}

// TestSamples: the truth shares the edges that a sample says, and sizes are those of the drawing.
func TestSamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	for range 100 {
		x := drawing{30, 60, 0.4}.draw(rng)
		if n := x.pair.N1; n < 30 || n > 60 || x.pair.N2 > n {
			t.Fatalf("%d and %d nodes", n, x.pair.N2)
		}
		if got := x.pair.Shared(x.truth); got < x.edges {
			t.Fatalf("the truth shares %d edges, want %d at least", got, x.edges)
		}
	}
}

// FuzzCheckpoint: whatever a checkpoint with a right checksum holds, reading gives an error or a
// training that can be saved again.
func FuzzCheckpoint(f *testing.F) {
	trainer := must.Get(New(short()))(f)
	path := filepath.Join(f.TempDir(), CheckpointFile)
	if err := trainer.WriteCheckpoint(path); err != nil {
		f.Fatal(err)
	}
	f.Add(sealedtest.Payload(f, checkpointFormat, path))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, payload []byte) {
		if err := os.WriteFile(path, sealedtest.File(checkpointFormat, payload), 0o666); err != nil {
			t.Fatal(err)
		}
		if resumed, err := Resume(path); err == nil {
			if err := resumed.WriteCheckpoint(path); err != nil {
				t.Error(err)
			}
		}
	})
}

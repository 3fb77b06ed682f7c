package drawn

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/sealed/sealedtest"
	"github.com/rgm-go/rgm/lab/research/lcs"
	"github.com/rgm-go/rgm/lab/research/ngm"
	"github.com/rgm-go/rgm/lab/research/rewriter"
	"github.com/rgm-go/rgm/train"
)

// FuzzCheckpoint: whatever a checkpoint of any architecture with a right checksum holds,
// reading gives an error or a training that can go on.
func FuzzCheckpoint(f *testing.F) {
	path := filepath.Join(f.TempDir(), CheckpointFile("any"))
	for _, c := range []Config{
		small(ngm.Name, LossTruth), small(ngm.Name, LossObjective),
		small(lcs.Name, LossTruth), small(rewriter.Name, LossScore),
	} {
		c.Hidden, c.Layers, c.LeastNodes, c.MostNodes, c.ValidationPairs, c.Updates, c.Batch = 1, 1, 3, 3, 1, 4, 1
		trainer := must.Get(New(c, sourceOf(c)))(f)
		for range 2 {
			if err := trainer.WriteCheckpoint(path); err != nil {
				f.Fatal(err)
			}
			f.Add(sealedtest.Payload(f, checkpointFormat, path))
			if _, err := trainer.update(f.Context()); err != nil {
				f.Fatal(err)
			}
		}
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		file := sealedtest.File(checkpointFormat, payload)
		if c, err := decode(file); err != nil || asksForMuch(&c.Config) {
			return
		}
		resumed, err := resume(file, sourceOf)
		if err != nil || resumed.state.Update >= resumed.config.Updates {
			return
		}
		before := resumed.state.Update
		_, err = resumed.update(context.Background())
		if errors.Is(err, train.ErrNotFinite) { // weights that are no good
			return
		}
		if n := resumed.state; err == nil && (n.Update != before+1 || math.IsNaN(n.Loss)) {
			t.Errorf("after update %d: %+v", before, n)
		}
	})
}

// asksForMuch reports whether a training, right or wrong, takes more memory or time than a
// fuzzer has.
func asksForMuch(c *Config) bool {
	return c.Hidden > 16 || c.Layers > 3 || c.MostNodes > 6 || c.Batch > 3
}

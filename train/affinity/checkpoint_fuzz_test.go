package affinity

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/rgm-go/rgm/datasets/pairs/kinds"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/sealed/sealedtest"
)

// errMuch is that of a training, right or wrong, that takes more memory or time than a
// fuzzer has.
var errMuch = errors.New("too much for a fuzzer")

const (
	mostFuzzedNodes = 6
	mostFuzzedPairs = 3
)

// FuzzCheckpoint: whatever a checkpoint with a right checksum holds, reading gives an error
// or a training that can go on.
func FuzzCheckpoint(f *testing.F) {
	begin := func(c Config) (*Trainer, error) {
		if c.Width > 8 || c.LargestNodes > mostFuzzedNodes || max(c.Pairs, c.SizePairs, c.ValidationPairs) > mostFuzzedPairs {
			return nil, errMuch
		}
		return New(c, kinds.Broad{})
	}
	c := smallConfig()
	c.Width, c.LeastNodes, c.MostNodes, c.LargestNodes, c.Pairs, c.SizePairs, c.ValidationPairs, c.Updates, c.SizeUpdates = 1, 5, 5, 5, 1, 2, 1, 2, 2
	trainer := must.Get(begin(c))(f)
	for stage := range 3 { // the third is the end
		for _, entered := range []bool{false, true} {
			if entered = entered && stage < 2; entered {
				trainer.state.Stage = stage
				if _, err := trainer.enter(context.Background()); err != nil {
					f.Fatal(err)
				}
			}
			f.Add(payloadOf(f, trainer))
			trainer.present = nil
		}
		trainer.state.Stage = stage + 1
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		trainer, err := decoded(t.Context(), sealedtest.File(checkpointFormat, payload), begin)
		if err == nil && trainer.present != nil {
			trainer.present.update(trainer.config.LearningRate)
		}
	})
}

// payloadOf returns what the checkpoint of a training holds.
func payloadOf(t testing.TB, trainer *Trainer) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), CheckpointFile)
	if err := trainer.WriteCheckpoint(path); err != nil {
		t.Fatal(err)
	}
	return sealedtest.Payload(t, checkpointFormat, path)
}

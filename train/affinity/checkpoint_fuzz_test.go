package affinity

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/sealed"
	"github.com/rgm-go/rgm/internal/sealed/sealedtest"
)

// errMuch is that of a training, right or wrong, that takes more memory or time than a
// fuzzer has.
var errMuch = errors.New("too much for a fuzzer")

const (
	mostFuzzedNodes = 6
	mostFuzzedPairs = 3
)

// FuzzCheckpoint: whatever a checkpoint of an affinity or of a gate with a right checksum
// holds, reading gives an error or a training that can go on.
func FuzzCheckpoint(f *testing.F) {
	a := shippedAffinity(f)
	begin := func(c Config) (*Trainer, *training[Config, Validation], error) {
		if c.Width > 8 || c.LargestNodes > mostFuzzedNodes || max(c.Pairs, c.SizePairs, c.ValidationPairs) > mostFuzzedPairs {
			return nil, nil, errMuch
		}
		t, err := New(c, pairs.Wide{})
		if err != nil {
			return nil, nil, err
		}
		return t, &t.training, nil
	}
	beginGate := func(c GateConfig) (*GateTrainer, *training[GateConfig, GateValidation], error) {
		if c.Width > 8 || c.LargestNodes > mostFuzzedNodes || max(c.Pairs, c.ValidationPairs) > mostFuzzedPairs {
			return nil, nil, errMuch
		}
		t, err := NewGate(c, a, pairs.Wide{})
		if err != nil {
			return nil, nil, err
		}
		return t, &t.training, nil
	}

	c, g := smallConfig(), smallGateConfig()
	c.Width, c.LeastNodes, c.MostNodes, c.LargestNodes, c.Pairs, c.SizePairs, c.ValidationPairs, c.Updates, c.SizeUpdates = 1, 5, 5, 5, 1, 2, 1, 2, 2
	g.Width, g.LeastNodes, g.MostNodes, g.LargestNodes, g.Pairs, g.ValidationPairs, g.Updates = 1, 5, 5, 5, 2, 1, 2
	whole, part, err := begin(c)
	gate, gatePart, gateErr := beginGate(g)
	if err := errors.Join(err, gateErr); err != nil {
		f.Fatal(err)
	}
	for stage := range 3 { // the third is the end
		for _, entered := range []bool{false, true} {
			if entered = entered && stage < 2; entered {
				part.state.Stage = stage
				enter(f, part)
			}
			f.Add(payloadOf(f, whole.WriteCheckpoint, checkpointFormat), false)
			part.present = nil
		}
		part.state.Stage = stage + 1
	}
	f.Add(payloadOf(f, gate.WriteCheckpoint, gateCheckpointFormat), true)
	enter(f, gatePart)
	f.Add(payloadOf(f, gate.WriteCheckpoint, gateCheckpointFormat), true)

	f.Fuzz(func(t *testing.T, payload []byte, ofGate bool) {
		if ofGate {
			if gate, err := decoded(t.Context(), sealedtest.File(gateCheckpointFormat, payload), beginGate, gateCheckpointFormat); err == nil {
				goesOn(&gate.training)
			}
			return
		}
		if trainer, err := decoded(t.Context(), sealedtest.File(checkpointFormat, payload), begin, checkpointFormat); err == nil {
			goesOn(&trainer.training)
		}
	})
}

// enter begins the stage that a training is at.
func enter[C, V any](t testing.TB, part *training[C, V]) {
	t.Helper()
	if _, err := part.enter(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// payloadOf returns what a checkpoint holds.
func payloadOf(t testing.TB, write func(path string) error, format sealed.Format) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), CheckpointFile)
	if err := write(path); err != nil {
		t.Fatal(err)
	}
	return sealedtest.Payload(t, format, path)
}

// goesOn makes an update, if the training is within a stage.
func goesOn[C, V any](part *training[C, V]) {
	s := part.present
	if s == nil {
		return
	}
	s.update(part.course.rate)
}

package selector

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/sealed/sealedtest"
)

// FuzzCheckpoint: whatever a checkpoint with a right checksum holds, reading gives an error
// or a training that can go on.
func FuzzCheckpoint(f *testing.F) {
	c := smallConfig()
	c.Width, c.Instances, c.Validation, c.MostNodes, c.MostTime, c.Rounds, c.Searches, c.Updates = 1, 2, 1, 10, c.LeastTime, 3, 2, 1
	trainer, err := New(c)
	if err != nil {
		f.Fatal(err)
	}
	path := filepath.Join(f.TempDir(), CheckpointFile)
	for step := range 3 { // before the recording, after it and after a round
		switch step {
		case 1:
			err = trainer.recordAll(f.Context())
		case 2:
			_, err = trainer.round(f.Context())
		}
		if err == nil {
			err = trainer.WriteCheckpoint(path)
		}
		if err != nil {
			f.Fatal(err)
		}
		f.Add(sealedtest.Payload(f, checkpointFormat, path))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		file := sealedtest.File(checkpointFormat, payload)
		var c checkpoint
		if err := checkpointFormat.Decode(file, &c); err != nil || asksForMuch(&c.Config) {
			return
		}
		resumed, err := resume(file)
		if err != nil || len(resumed.state.Records) < c.Config.Instances+c.Config.Validation || resumed.state.Round == c.Config.Rounds {
			return
		}
		if _, err := resumed.round(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// asksForMuch tells whether a training, right or wrong, takes more memory or time than a
// fuzzer has, or reads files.
func asksForMuch(c *Config) bool {
	return c.Files != "" || c.Width > 64 || c.Searches > 20 || c.Updates > 20 || c.MostTime > 100*time.Millisecond
}

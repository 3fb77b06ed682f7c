package train

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkWriteCheckpoint writes that of the preset qap with a full replay. A
// SIGTERM waits for one.
func BenchmarkWriteCheckpoint(b *testing.B) {
	c, err := Preset("qap")
	if err != nil {
		b.Fatal(err)
	}
	c.Pool, c.ValidationPool, c.Warmup = 4, 1, c.Replay // it does not learn yet
	trainer := newTrainer(b, c)
	for trainer.algorithm.Held() < c.Replay {
		if err := trainer.round(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	path := filepath.Join(b.TempDir(), CheckpointFile)
	for b.Loop() {
		if err := trainer.WriteCheckpoint(path); err != nil {
			b.Fatal(err)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(info.Size())/1e6, "MB")
}

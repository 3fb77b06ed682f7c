package train

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// guidedSource gives every instance a guide.
type guidedSource struct {
	randomSource
	guide func(n int) []float64
}

func (s guidedSource) Guide(in *qap.Instance) ([]float64, error) {
	n, _ := in.Size()
	return s.guide(n), nil
}

// TestGuidesComeWithTheInstances: from a source that has them, and nowhere else.
func TestGuidesComeWithTheInstances(t *testing.T) {
	c := tinyConfig(t)
	c.Guide, c.GuideShare = "guides.npy", 0.5
	identity := func(n int) []float64 {
		g := make([]float64, n*n)
		for i := range n {
			g[i*n+i] = 0.5
		}
		return g
	}
	trainer := must.Get(New(context.Background(), c, guidedSource{guide: identity}))(t)
	if g := trainer.problems[0].Guide; g[0] != 1 || g[1] != 0 || trainer.validation[0].Guide != nil {
		t.Errorf("guide %v of an instance to train on, %v of one to validate on", g, trainer.validation[0].Guide)
	}
	path := filepath.Join(t.TempDir(), CheckpointFile)
	if err := trainer.WriteCheckpoint(path); err != nil {
		t.Fatal(err)
	}
	resumed, err := Resume(context.Background(), path, randomSource{}) // the checkpoint holds the guides
	if err != nil || !slices.Equal(resumed.problems[1].Guide, trainer.problems[1].Guide) {
		t.Errorf("resumed: error %v, or another guide", err)
	}
	for want, source := range map[string]InstanceSource{
		"come without one":  randomSource{},
		"want 4·4":          guidedSource{guide: func(n int) []float64 { return identity(n + 1) }},
		"all numbers are 0": guidedSource{guide: func(n int) []float64 { return make([]float64, n*n) }},
		"of at least 0":     guidedSource{guide: func(n int) []float64 { return slices.Repeat([]float64{-1}, n*n) }},
	} {
		if _, err := New(context.Background(), c, source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

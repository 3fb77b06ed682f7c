package train

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// listSource has instances to train on; randomSource makes those to validate with.
type listSource struct {
	randomSource
	training []Given
}

func (l listSource) Given(validation bool) []Given {
	if validation {
		return nil
	}
	return l.training
}

// newListSource has instances of the given sizes.
func newListSource(t *testing.T, sizes ...int) listSource {
	t.Helper()
	var l listSource
	rng := rand.New(rand.NewPCG(8, 8))
	for k, n := range sizes {
		in := must.Get(l.Instance(n, rng))(t)
		l.training = append(l.training, Given{Instance: in, Name: fmt.Sprint("file", k), Sum: fmt.Sprint("sum", k)})
	}
	return l
}

// TestGivenInstances: sizes come from the instances, each group plays those of its
// size, and a resumed training finds them again whatever else the list holds.
func TestGivenInstances(t *testing.T) {
	source := newListSource(t, 6, 4, 5, 6, 6)
	c := tinyConfig(t)
	c.Instances, c.Sizes, c.Episodes, c.ValidationEvery = "files", nil, 1<<30, 5
	trainer := must.Get(New(t.Context(), c, source))(t)
	if want := []int{4, 5, 6}; !slices.Equal(trainer.Config().Sizes, want) || len(trainer.algorithm.(*drift).groups) != 3 {
		t.Errorf("sizes %v in %d groups, want %v", trainer.Config().Sizes, len(trainer.algorithm.(*drift).groups), want)
	}
	if a := trainer.algorithm.(*drift).groups[2].Actors[0]; a.first != 2 || a.count != 3 {
		t.Errorf("the largest are problems %d to %d, want 2 to 4", a.first, a.first+a.count-1)
	}
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	err := trainer.Run(ctx, Options{Dir: dir, Progress: func(p Progress) {
		if p.Updates >= 10 {
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if s := trainer.Summary(); s.Instances != "files" || s.InstancesBySize != 0 {
		t.Errorf("summary %+v", s)
	}

	path := filepath.Join(dir, CheckpointFile)
	slices.Reverse(source.training)
	if _, err := Resume(t.Context(), path, source); err != nil {
		t.Errorf("reordered: %v", err)
	}
	changed := slices.Clone(source.training)
	changed[1].Sum = "other"
	if _, err := Resume(t.Context(), path, listSource{training: changed}); err == nil || !strings.Contains(err.Error(), "file3 has changed") {
		t.Errorf("a changed file: error %v", err)
	}
	if _, err := Resume(t.Context(), path, listSource{training: changed[:3]}); err == nil || !strings.Contains(err.Error(), "file1 is missing") {
		t.Errorf("a missing file: error %v", err)
	}
}

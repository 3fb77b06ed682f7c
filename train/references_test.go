package train

import (
	"context"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// TestReferences: trainings that share References have the same problems as others, of which each
// was searched once; problems of another goal are others.
func TestReferences(t *testing.T) {
	r := &References{}
	count := func() (n int) {
		r.known.Range(func(any, any) bool { n++; return true })
		return n
	}
	ctx := WithReferences(t.Context(), r)
	c := tinyConfig(t)
	plain := must.Get(New(t.Context(), c, affinitySource{}))(t)
	first := must.Get(New(ctx, c, affinitySource{}))(t)
	problems := count()
	c.Gamma /= 2 // another variant
	second := must.Get(New(ctx, c, affinitySource{}))(t)
	if problems == 0 || count() != problems {
		t.Errorf("%d problems are known, then %d", problems, count())
	}
	for _, other := range []*Trainer{first, second} {
		if !slices.EqualFunc(saveProblems(other.problems), saveProblems(plain.problems), func(x, y savedProblem) bool {
			return x.Draw == y.Draw && x.Scale == y.Scale && x.Reference == y.Reference && x.Spread == y.Spread
		}) {
			t.Error("the problems differ")
		}
	}
	c.Goal, c.Regularize = GoalAny, "f2"
	must.Get(New(ctx, c, affinitySource{}))(t)
	if count() == problems {
		t.Error("problems with a regularizer are taken for those without")
	}
	ended, end := context.WithCancel(ctx)
	end()
	if _, err := New(ended, c, affinitySource{}); err == nil {
		t.Error("no error where the context has ended")
	}
}

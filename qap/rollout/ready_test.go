package rollout

import (
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// TestGettingReadyEnds: where the time is up while an actor gets ready, it makes room for one of the
// rollouts, not for all.
func TestGettingReadyEnds(t *testing.T) {
	in := must.Get(datasets.Generate("grid", 400, rand.New(rand.NewPCG(1, 1))))(t)
	envs := make([]*qap.Environment, 8)
	for k := range envs {
		envs[k] = qap.NewEnvironment(in, qap.EnvironmentOptions{})
	}
	for over, want := range map[bool]int{false: len(envs), true: 1} {
		w := &workspace{batch: batch{over: func() bool { return over }}}
		actor := must.Get(GreedyAges{}.newActorIn(w, envs, 10))(t)
		if a := actor.(*learnedActor); len(a.parts) != want || len(a.extractors) != want {
			t.Errorf("time up %v: %d parts and %d extractors, want %d of each", over, len(a.parts), len(a.extractors), want)
		}
		if err := actor.Close(); err != nil {
			t.Error(err)
		}
	}
}

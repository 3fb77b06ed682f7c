package sources

import (
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
	_ "github.com/rgm-go/rgm/train/learners"
)

// pairSource is what a source of pairs of graphs has to be.
type pairSource interface {
	train.InstanceSource
	train.PairSource
}

// TestShareOfPairsIsReweighed: about the share that is asked for has learned
// affinities, not between 0 and 1; a pair drawn again is the same, its truth a matching of it.
func TestShareOfPairsIsReweighed(t *testing.T) {
	const drawn = 120
	for _, share := range []float64{0, 0.5, 1} {
		source := open(t, train.Config{InstanceConfig: train.InstanceConfig{Instances: train.InstancesMatching, Reweighed: share}}).(pairSource)
		reweighed := 0
		for k := range uint64(drawn) {
			n := 6 + int(k)%6
			in, truth, err := source.Problem(n, rand.New(rand.NewPCG(3, k)))
			if err != nil {
				t.Fatal(err)
			}
			again := must.Get(source.Instance(n, rand.New(rand.NewPCG(3, k))))(t)
			if !reflect.DeepEqual(in, again) {
				t.Fatalf("share %v: pair %d differs when drawn again", share, k)
			}
			if err := in.CheckMatching(truth); err != nil || truth.Size() == 0 {
				t.Fatalf("truth %v: %v", truth, err)
			}
			if strings.HasPrefix(in.Name, "reweighed-") {
				reweighed++
				if low, high := rangeOf(in); low >= 0 && high <= 1 {
					t.Errorf("%s: affinities from %v to %v, as those that are given", in.Name, low, high)
				}
			}
		}
		if got := float64(reweighed) / drawn; got < share-0.2 || got > share+0.2 {
			t.Errorf("share %v: %v are re-weighed", share, got)
		}
	}
}

func rangeOf(in *qap.Instance) (low, high float64) {
	in.EachEdge(func(_, _ int, v float64) { low, high = min(low, v), max(high, v) })
	return low, high
}

// TestReweighedTrainingIsResumed: instances with learned affinities are drawn again
// as they were, for either reward, and those of another share are noticed.
func TestReweighedTrainingIsResumed(t *testing.T) {
	for _, reward := range []string{train.RewardLogGap, train.RewardF1} {
		c := must.Get(train.Preset("matching"))(t)
		c.Sizes, c.Pool, c.ValidationPool, c.Environments, c.Reward = []int{6}, 6, 2, 2, reward
		path := filepath.Join(t.TempDir(), train.CheckpointFile)
		trainer := must.Get(train.New(t.Context(), c, open(t, c)))(t)
		if err := trainer.WriteCheckpoint(path); err != nil {
			t.Fatal(err)
		}
		saved := must.Get(train.ReadConfig(path))(t)
		if saved.Reweighed != c.Reweighed {
			t.Errorf("the checkpoint says that %v are re-weighed, want %v", saved.Reweighed, c.Reweighed)
		}
		if _, err := train.Resume(t.Context(), path, open(t, saved)); err != nil {
			t.Error(err)
		}
		saved.Reweighed = 0
		if _, err := train.Resume(t.Context(), path, open(t, saved)); err == nil || !strings.Contains(err.Error(), "another instance") {
			t.Errorf("resumed with given affinities: %v", err)
		}
	}
}

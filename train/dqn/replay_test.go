package dqn

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/traintest"
)

// TestSumTreeFindsByWeight compares with a scan over the weights.
func TestSumTreeFindsByWeight(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, capacity := range []int{1, 2, 5, 100} {
		tree := newSumTree(capacity)
		weights := make([]float64, capacity)
		for range 500 {
			k := rng.IntN(capacity)
			weights[k] = float64(rng.IntN(8)) // small integers: sums are exact
			tree.set(k, weights[k])
			total := 0.0
			for _, w := range weights {
				total += w
			}
			if tree.total() != total {
				t.Fatalf("total %v, want %v", tree.total(), total)
			}
			if total == 0 {
				continue
			}
			at := rng.Float64() * total
			want, sum := 0, 0.0
			for sum+weights[want] <= at {
				sum += weights[want]
				want++
			}
			if got := tree.find(at); got != want {
				t.Fatalf("find(%v) of %v is %d, want %d", at, weights, got, want)
			}
		}
	}
}

// TestReplaySamplesByPriority draws many batches and compares frequencies and
// importance weights with (|TD|+floor)^α (Schaul et al. 2016, equation 1).
func TestReplaySamplesByPriority(t *testing.T) {
	const alpha, beta, floor = 0.5, 0.7, 0.25
	r := newReplay(4, alpha, floor)
	for k := range 6 { // two more than fit
		r.add(train.Transition{Action: int32(k)})
	}
	if r.length() != 4 || r.at(0).Action != 4 || r.at(2).Action != 2 {
		t.Fatalf("ring holds %v", r.transitions)
	}
	td := []float64{0, 1, 2, 6}
	total := 0.0
	for k, e := range td {
		r.update(k, e)
		total += math.Pow(e+floor, alpha)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	counts := make([]float64, 4)
	indices, weights := make([]int, 10), make([]float32, 10)
	const rounds = 4000
	for range rounds {
		r.sample(indices, weights, beta, rng)
		largest := 0.0
		for _, k := range indices {
			counts[k]++
			largest = max(largest, math.Pow(4*math.Pow(td[k]+floor, alpha)/total, -beta))
		}
		for j, k := range indices {
			want := math.Pow(4*math.Pow(td[k]+floor, alpha)/total, -beta) / largest
			if math.Abs(float64(weights[j])-want) > 1e-6 {
				t.Fatalf("importance weight %v, want %v", weights[j], want)
			}
		}
	}
	for k, e := range td {
		want := math.Pow(e+floor, alpha) / total
		// Stratified sampling: the deviation is below that of 40,000 free draws, 0.0025.
		if got := counts[k] / (10 * rounds); math.Abs(got-want) > 0.01 {
			t.Errorf("transition %d is drawn with frequency %.3f, want %.3f", k, got, want)
		}
	}
}

// TestReplayMemory fills a replay at n = 30 and extrapolates to 100,000
// transitions: they must stay below 1 GB.
func TestReplayMemory(t *testing.T) {
	c := tiny(t, func(c *train.Config, _ *Config) { c.Sizes, c.Pool = []int{30}, 1 })
	problems, network := traintest.Problems(t, c)
	a := train.NewGroups(&c, problems, network, 0)[0].Actors[0]
	const held = 2000
	r := newReplay(held, 0.6, 0.01)
	bytes := memoryOf(func() {
		for added := 0; added < held; {
			a.Step(a.Choose(nil, 1))
			for _, transition := range a.Made {
				r.add(transition)
				added++
			}
		}
	})
	per := bytes / held
	t.Logf("%.0f bytes a transition at n = 30: %.2f GB for 100,000", per, per*1e5/1e9)
	if per*1e5 > 1e9 {
		t.Errorf("100,000 transitions take %.2f GB, want less than 1", per*1e5/1e9)
	}
	runtime.KeepAlive(r)
}

// memoryOf returns how many bytes of live memory a function leaves behind.
func memoryOf(f func()) float64 {
	live := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	before := live()
	f()
	return live() - before
}

// TestSumBeyondTheTotal: rounding may take a sum to the total or past it; what is found
// then has a weight all the same.
func TestSumBeyondTheTotal(t *testing.T) {
	for _, capacity := range []int{3, 4, 6, 100} {
		for used := 1; used < capacity; used++ {
			tree := newSumTree(capacity)
			for k := range used {
				tree.set(k, 0.1)
			}
			for _, sum := range []float64{tree.total(), math.Nextafter(tree.total(), 1e9), 2 * tree.total()} {
				if k := tree.find(sum); k >= used {
					t.Errorf("find(%v) of %d weights of 0.1 is %d", sum, used, k)
				}
			}
		}
	}
}

// TestNewTransitionsHaveTheLargestPriority: of all so far, not of the last update.
func TestNewTransitionsHaveTheLargestPriority(t *testing.T) {
	r := newReplay(4, 0.6, 0.01)
	r.add(train.Transition{})
	r.update(0, 7)
	r.add(train.Transition{})
	r.update(0, 0.5)
	r.add(train.Transition{})
	want := math.Pow(7.01, 0.6)
	if first, second := r.tree.weight(1), r.tree.weight(2); math.Abs(first-want) > 1e-12 || second != first {
		t.Errorf("priorities %v and %v, want %v", first, second, want)
	}
}

// TestUniformReplay: with α = 0 the TD errors do not count.
func TestUniformReplay(t *testing.T) {
	r := newReplay(4, 0, 0.01)
	for k := range 4 {
		r.add(train.Transition{})
		r.update(k, float64(k*k*1000))
	}
	indices, weights := make([]int, 4), make([]float32, 4)
	r.sample(indices, weights, 1, rand.New(rand.NewPCG(1, 2)))
	if !slices.Equal(indices, []int{0, 1, 2, 3}) || !slices.Equal(weights, []float32{1, 1, 1, 1}) {
		t.Errorf("a uniform sample of all is %v with weights %v", indices, weights)
	}
}

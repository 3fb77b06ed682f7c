//go:build unix

package dqn

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/rgm-go/rgm/datasets"
	generated "github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/traintest"
)

// By the reference code's own ratio, one update of 64 transitions every 5 steps,
// it does so many updates a second at n = 10 (and 1.94 steps).
const referenceUpdates, benchEnvironments = 0.39, 5

// benchmarked returns the algorithm with full-width networks that steps 5
// environments for each update of 64 transitions, its replay warm.
func benchmarked(b *testing.B, n int) *dqn {
	b.Helper()
	c := must.Get(train.Preset("qap"))(b)
	c.Sizes, c.Pool, c.ValidationPool = []int{n}, 16, 1
	c.Environments, c.Batch, c.Warmup, c.Replay = benchEnvironments, 64, 300, 4000
	problems, network := traintest.ProblemsOf(b, c, datasets.Mixture{})
	d := newDQN(&c, problems, network)
	for d.learner.Adam.Updates < 2 { // the second finds its memory there
		round(b, d)
	}
	return d
}

// bytesPerTransition is what a replay holds for a transition: its states, most of
// which two transitions share, its place in the ring and in the tree.
func bytesPerTransition(r *replay) float64 {
	states := map[*byte]int{}
	for k := range r.length() {
		for _, state := range [][]byte{r.at(k).State, r.at(k).Next} {
			states[&state[0]] = cap(state)
		}
	}
	bytes := 0
	for _, size := range states {
		bytes += size
	}
	place := unsafe.Sizeof(train.Transition{}) + 2*unsafe.Sizeof(float64(0))
	return float64(bytes)/float64(r.length()) + float64(place)
}

// cpuTime is what the process has used, on all processors.
func cpuTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkTraining is acting and learning together by the reference code's
// ratio, beside what that code does (at n = 10).
func BenchmarkTraining(b *testing.B) {
	for _, n := range []int{10, 20, 30} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			d := benchmarked(b, n)
			bytes := bytesPerTransition(d.learner.replay)
			b.ReportAllocs()
			before := cpuTime(b)
			for b.Loop() {
				round(b, d)
			}
			updates := float64(b.N) / b.Elapsed().Seconds()
			b.ReportMetric(updates, "updates/s")
			b.ReportMetric(updates*benchEnvironments, "steps/s")
			cpu := (cpuTime(b) - before).Seconds() / float64(b.N)
			b.ReportMetric(1000*cpu, "CPU-ms/update")
			b.ReportMetric(bytes, "B/transition")
			b.ReportMetric(updates/referenceUpdates, "×reference")
		})
	}
}

// BenchmarkPreset is a preset as it trains, but with fewer instances of each size, and pairs of
// graphs with the affinities they are given: acting, learning and what lies between.
func BenchmarkPreset(b *testing.B) {
	for name, source := range map[string]train.InstanceSource{"qap": datasets.Mixture{}, "matching": mixture{}} {
		b.Run(name, func(b *testing.B) {
			c := must.Get(train.Preset(name))(b)
			c.Pool, c.ValidationPool, c.Warmup, c.Reweighed = 4, 1, 2000, 0
			problems, network := traintest.ProblemsOf(b, c, source)
			d := newDQN(&c, problems, network)
			made := func(updates int) {
				for last := d.learner.Adam.Updates + updates; d.learner.Adam.Updates < last; {
					must.Get(d.Round(b.Context(), 1))(b) // all sizes are admitted
				}
			}
			made(10)
			before := cpuTime(b)
			for b.Loop() {
				made(1)
			}
			b.ReportMetric(float64(b.N)/(cpuTime(b)-before).Seconds(), "updates/CPU-s")
		})
	}
}

// mixture makes pairs of graphs with outliers.
type mixture struct{}

func (mixture) Instance(n int, rng *rand.Rand) (*qap.Instance, error) {
	p, err := generated.Mixture{}.Pair(n, rng)
	return p.Instance, err
}

// BenchmarkUpdate is learning alone.
func BenchmarkUpdate(b *testing.B) {
	l := benchmarked(b, 20).learner
	b.ReportAllocs()
	for b.Loop() {
		chunks := l.draw(0.5)
		parallel.For(len(chunks), func(k int) { l.learn(chunks[k], never) })
		if _, err := l.update(chunks, 1e-4); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "updates/s")
}

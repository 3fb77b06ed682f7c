package features

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
)

// walk takes random steps in an environment with its extractor.
func walk(env *qap.Environment, x Extractor, steps int, rng *rand.Rand) {
	for range steps {
		env.Step(rng.IntN(len(env.Gains())))
		x.Observe()
	}
}

// TestPackedMemoryGivesTheSameInputs walks, packs, restores and compares.
func TestPackedMemoryGivesTheSameInputs(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, in := range solvertest.Forms(t, 1) {
		n1, n2 := in.Size()
		env := qap.NewEnvironment(in, qap.EnvironmentOptions{Autofill: true})
		scale := Scale(in)
		x, restored := NewGainExtractor(env, scale, 100), NewGainExtractor(env, scale, 100)
		env.Reset(qap.RandomMatching(n1, n2, rng))
		for range 60 {
			walk(env, x, 3, rng)
			packed := x.Memory().Pack(nil)
			if len(packed) != PackedSize(n1, n2) {
				t.Fatalf("packed %d bytes, PackedSize says %d", len(packed), PackedSize(n1, n2))
			}
			if err := restored.Memory().Unpack(packed); err != nil {
				t.Fatal(err)
			}
			want, got := fill(x, Gain, n1, n2), fill(restored, Gain, n1, n2)
			if !slices.EqualFunc(want, got, slices.Equal) {
				t.Fatalf("%s: inputs differ after restoring the memory", in.Name)
			}
		}
	}
	if err := NewMemory(2, 2).Unpack(make([]byte, 3)); err == nil {
		t.Error("a short packed memory is accepted")
	}
}

// fill returns the inputs of the current state, written behind another one.
func fill(x Extractor, set string, n1, n2 int) [][]float32 {
	batch := Make(set, 2, n1, n2)
	x.Fill(batch, 1)
	for k, t := range Tensors(set) {
		batch[k] = batch[k][t.Size(n1, n2):]
	}
	return batch
}

// TestInputsAreScaleFree multiplies an instance by a power of two.
func TestInputsAreScaleFree(t *testing.T) {
	small, large := solvertest.Forms(t, 1), solvertest.Forms(t, 1<<20)
	for k := range small {
		n1, n2 := small[k].Size()
		for _, set := range []string{Gain} {
			var got [2][][]float32
			for s, in := range []*qap.Instance{small[k], large[k]} {
				inputs := must.Get(New(set, in))(t)
				rng := rand.New(rand.NewPCG(5, 6))
				env := qap.NewEnvironment(in, qap.EnvironmentOptions{})
				x := inputs.NewExtractor(env, 50)
				walk(env, x, 30, rng)
				got[s] = fill(x, set, n1, n2)
			}
			for tensor := range got[0] {
				for i, want := range got[0][tensor] {
					if math.Abs(float64(want-got[1][tensor][i])) > 1e-5 {
						t.Fatalf("%s %s: input %d of tensor %d is %v and, scaled, %v", small[k].Name, set, i, tensor, want, got[1][tensor][i])
					}
				}
			}
		}
	}
}

// TestGainChannels checks the meaning of the channels on a small walk.
func TestGainChannels(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, in := range solvertest.Forms(t, 1) {
		n1, n2 := in.Size()
		env := qap.NewEnvironment(in, qap.EnvironmentOptions{})
		x := NewGainExtractor(env, Scale(in), 40)
		for step := range 40 {
			f := channels(fill(x, Gain, n1, n2), n1, n2)
			best, _ := env.Best()
			regretZero := false
			for v := range n1 * n2 {
				i, a := v/n2, v%n2
				c := f[v]
				flag := func(channel int, want bool) {
					if (c[channel] == 1) != want {
						t.Fatalf("%s step %d vertex %d: channel %d is %v, want %v", in.Name, step, v, channel, c[channel], want)
					}
				}
				matched := env.Match(i) == a
				flag(Matched, matched)
				flag(RowFree, env.Match(i) == qap.Unmatched)
				flag(ColFree, env.Inverse(a) == qap.Unmatched)
				flag(InBest, env.HasBest() && best[i] == a)
				b, k := env.Match(i), env.Inverse(a)
				gainedRow, gainedCol, partnerAge := float32(0), float32(0), float32(0)
				if b != qap.Unmatched {
					gainedRow = f[i*n2+b][Gained]
				}
				if k != qap.Unmatched {
					gainedCol = f[k*n2+a][Gained]
				}
				if b != qap.Unmatched && k != qap.Unmatched {
					partnerAge = f[k*n2+b][ReleasedAge]
				}
				if c[GainedRow] != gainedRow || c[GainedCol] != gainedCol || c[PartnerAge] != partnerAge {
					t.Fatalf("%s step %d vertex %d: row, column and partner have %v %v %v, want %v %v %v",
						in.Name, step, v, c[GainedRow], c[GainedCol], c[PartnerAge], gainedRow, gainedCol, partnerAge)
				}
				change := env.ValueChanges()[v]
				flag(BeatsBest, !matched && change > env.Needed())
				if math.Signbit(float64(c[Change])) != math.Signbit(change) {
					t.Fatalf("change %v has channel %v", change, c[Change])
				}
				if c[Regret] > 0 {
					t.Fatalf("regret %v is positive", c[Regret])
				}
				regretZero = regretZero || !matched && c[Regret] == 0
			}
			if !regretZero {
				t.Fatal("no vertex is without regret")
			}
			v := rng.IntN(n1 * n2)
			env.Step(v)
			x.Observe()
			if released := env.Released(); len(released) > 0 {
				c := channels(fill(x, Gain, n1, n2), n1, n2)[released[0]]
				if c[ReleasedAge] != 1 || c[RowAge] != 1 || c[ColAge] != 1 {
					t.Fatalf("ages of a vertex just released are %v %v %v, want 1", c[ReleasedAge], c[RowAge], c[ColAge])
				}
			}
		}
	}
}

// channels returns all channels of every vertex, also those that it shares with others.
func channels(inputs [][]float32, n1, n2 int) [][GainChannels]float32 {
	f := make([][GainChannels]float32, n1*n2)
	for v := range f {
		at := []int{v, v / n2, v % n2, 0}
		sizes := []int{n1 * n2, n1, n2, 1}
		for tensor, list := range [][]int{VertexChannels, RowChannels, ColumnChannels, StateChannels} {
			for k, channel := range list {
				f[v][channel] = inputs[tensor][k*sizes[tensor]+at[tensor]]
			}
		}
	}
	return f
}

func TestFillAllocatesNothing(t *testing.T) {
	for _, in := range solvertest.Forms(t, 1) {
		n1, n2 := in.Size()
		for _, set := range []string{Gain} {
			inputs := must.Get(New(set, in))(t)
			env := qap.NewEnvironment(in, qap.EnvironmentOptions{Autofill: true})
			x := inputs.NewExtractor(env, 100)
			dst := Make(set, 1, n1, n2)
			v := 0
			if allocs := testing.AllocsPerRun(100, func() {
				env.Step(v % (n1 * n2))
				v += 5
				x.Observe()
				x.Fill(dst, 0)
			}); allocs != 0 {
				t.Errorf("%s %s: %v allocations a step", in.Name, set, allocs)
			}
		}
	}
}

func BenchmarkFill(b *testing.B) {
	for _, n := range []int{10, 30, 64} {
		b.Run(fmt.Sprintf("gain/n=%d", n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 1))
			m := make([]float64, n*n)
			for i := range m {
				m[i] = float64(rng.IntN(100))
			}
			in := must.Get(qap.NewKoopmansBeckmann(n, n, m, m, nil, qap.Minimize))(b)
			env := qap.NewEnvironment(in, qap.EnvironmentOptions{Autofill: true})
			env.Reset(qap.RandomMatching(n, n, rng))
			x := NewGainExtractor(env, Scale(in), 10*n)
			dst := Make(Gain, 1, n, n)
			b.ReportAllocs()
			fastest := time.Hour
			for b.Loop() {
				start := time.Now()
				env.Step(rng.IntN(n * n))
				x.Observe()
				x.Fill(dst, 0)
				fastest = min(fastest, time.Since(start))
			}
			b.ReportMetric(float64(fastest.Nanoseconds()), "fastest-ns/op")
			b.ReportMetric(float64(b.N)*float64(n*n)/b.Elapsed().Seconds(), "vertices/s")
		})
	}
}

// TestSwapsHaveTheChannelsOfActions: where actions are swaps, the channels of changes
// are those that any state's actions have.
func TestSwapsHaveTheChannelsOfActions(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, in := range solvertest.Forms(t, 1) {
		n1, n2 := in.Size()
		if !in.Complete || n1 != n2 {
			continue
		}
		env := qap.NewEnvironment(in, qap.EnvironmentOptions{Autofill: true})
		env.Reset(qap.RandomMatching(n1, n2, rng))
		x := NewGainExtractor(env, Scale(in), 100)
		for range 50 {
			walk(env, x, 1, rng)
			if !env.AtSwaps() {
				t.Fatalf("%s: %v is not at swaps", in.Name, env.Matching())
			}
			got := fill(x, Gain, n1, n2)
			general := Make(Gain, 1, n1, n2)
			plane := func(channel int) []float32 { return Plane(general, 0, channel, n1*n2) }
			x.fillActions(env.ValueChanges(), plane(Change), plane(Regret), plane(BeatsBest))
			for _, channel := range []int{Change, Regret, BeatsBest} {
				want := plane(channel)
				for v, g := range Plane(got, 0, channel, n1*n2) {
					if math.Abs(float64(g-want[v])) > 1e-6*(1+math.Abs(float64(want[v]))) { // the mean's terms add up in another order
						t.Fatalf("%s: channel %d of vertex %d is %v, want %v", in.Name, channel, v, g, want[v])
					}
				}
			}
		}
	}
}

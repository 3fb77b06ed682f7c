package reweigh_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/pairs/kinds"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/reweigh"
)

// withEntry returns a dense copy of an instance with one edge affinity changed.
func withEntry(t testing.TB, in *qap.Instance, p, q int, v float64) *qap.Instance {
	n1, n2 := in.Size()
	n := n1 * n2
	k := make([]float64, n*n)
	for r := range n {
		in.Affinity.Row(k[r*n:(r+1)*n], r)
	}
	k[p*n+q], k[q*n+p] = v, v
	return must.Get(qap.NewDense(n1, n2, k, qap.Maximize))(t)
}

// TestRoundingIsNoSign: a negative edge affinity within rounding of 0 counts as 0; one
// beyond it leaves all as they are, and the decision says so.
func TestRoundingIsNoSign(t *testing.T) {
	in := synthetic(t, 2).Instance
	_, n2 := in.Size()
	p, q := 0, n2+1
	greatest := 0.0
	in.EachEdge(func(_, _ int, v float64) { greatest = max(greatest, v) })
	a := newAffinity(t, logRatio(6))
	rounded, d, err := a.Reweigh(t.Context(), withEntry(t, in, p, q, -1e-9*greatest), qap.Goal{}, true)
	if err != nil || !d.Learned || d.Reason != "" {
		t.Fatalf("decision %+v, error %v: want learned", d, err)
	}
	zero, _, err := a.Reweigh(t.Context(), withEntry(t, in, p, q, 0), qap.Goal{}, true)
	if err != nil {
		t.Fatal(err)
	}
	n1, n2 := in.Size()
	for v := range n1 * n2 {
		for w := range n1 * n2 {
			if x, y := rounded.Affinity.At(v, w), zero.Affinity.At(v, w); x != y {
				t.Fatalf("K[%d,%d] is %v, and %v with 0 in the place of rounding", v, w, x, y)
			}
		}
	}
	signed := withEntry(t, in, p, q, -2*reweigh.Rounding*greatest)
	given, d, err := a.Reweigh(t.Context(), signed, qap.Goal{}, true)
	if err != nil || d.Learned || d.Reason != reweigh.ReasonSigned {
		t.Fatalf("decision %+v, error %v: want given, since signed", d, err)
	}
	if m := (qap.Matching{0, 1, 2, 3, 4, 5, 6, 7}); given.Score(m) != signed.Score(m) {
		t.Error("signed affinities are changed")
	}
}

// TestSparseRounding: the same where the entries are held sparse.
func TestSparseRounding(t *testing.T) {
	entries := []qap.Entry{{P: 0, Q: 6, Value: 1}, {P: 0, Q: 12, Value: .5}, {P: 6, Q: 12, Value: .25}, {P: 0, Q: 19, Value: -1e-9}, {P: 18, Q: 24, Value: 1}}
	in := must.Get(qap.NewSparse(5, 5, entries, qap.Maximize))(t)
	learned, d, err := newAffinity(t, logRatio(4)).Reweigh(t.Context(), in, qap.Goal{}, true)
	if err != nil || !d.Learned {
		t.Fatalf("decision %+v, error %v", d, err)
	}
	if v := learned.Affinity.At(0, 19); v != 0 {
		t.Errorf("rounding counts as %v, want 0: there is no edge", v)
	}
	if v := learned.Affinity.At(0, 6); v == 0 {
		t.Error("a positive affinity became 0")
	}
}

// TestReweighEnds: re-weighing keeps to the deadline of its context and says what was
// left out; a cancelled context leaves the affinities as given.
func TestReweighEnds(t *testing.T) {
	network := must.Get(models.New(models.Config{Architecture: models.ArchitectureAffinity}, rand.New(rand.NewPCG(1, 2))))(t)
	a := newAffinity(t, models.QFunction(network))
	in := randomPointsPair(t, 40, affinities.PaperSynthetic)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, d, err := a.Reweigh(cancelled, in, qap.Goal{}, true); err != nil || d.Learned || d.Reason != reweigh.ReasonCancelled {
		t.Errorf("cancelled: decision %+v, error %v", d, err)
	}
	clock := solvertest.Clock()
	for _, limit := range []time.Duration{0, time.Millisecond, 20 * time.Millisecond, 300 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		start := clock()
		now, d, err := a.Reweigh(ctx, in, qap.Goal{}, true)
		cancel()
		if err != nil || now == nil {
			t.Fatalf("%v: %v", limit, err)
		}
		// The deadline is the wall's; that it does not go on is told by the processor's time.
		if took := clock().Sub(start); took > limit+limit/20+500*time.Millisecond {
			t.Errorf("%v took %v", limit, took)
		}
		if !d.Learned && d.Reason != reweigh.ReasonTime || d.Learned && !slices.Contains([]string{"", reweigh.ReasonSizeTime}, d.Reason) {
			t.Errorf("%v: decision %+v", limit, d)
		}
	}
}

// randomPointsPair returns the problem of n random points and the same a little moved.
func randomPointsPair(t testing.TB, n int, kernel affinities.Geometric) *qap.Instance {
	rng := rand.New(rand.NewPCG(5, 6))
	points1, points2 := make([]graphs.Point, n), make([]graphs.Point, n)
	for i := range points1 {
		points1[i] = graphs.Point{X: rng.Float64(), Y: rng.Float64()}
		points2[i] = graphs.Point{X: points1[i].X + .02*rng.NormFloat64(), Y: points1[i].Y + .02*rng.NormFloat64()}
	}
	return must.Get(kernel.Instance(points1, points2))(t)
}

// BenchmarkReweighWithin reports by how much re-weighing overruns a time limit.
func BenchmarkReweighWithin(b *testing.B) {
	network := must.Get(models.New(models.Config{Architecture: models.ArchitectureAffinity}, rand.New(rand.NewPCG(1, 2))))(b)
	a := newAffinity(b, models.QFunction(network))
	delaunay := affinities.Geometric{Edges: graphs.Delaunay, Length: .2, Direction: .2, Relative: true}
	for name, in := range map[string]*qap.Instance{
		"dense40":   randomPointsPair(b, 40, affinities.PaperSynthetic),
		"sparse75":  randomPointsPair(b, 75, delaunay),
		"sparse100": randomPointsPair(b, 100, delaunay),
	} {
		for _, limit := range []time.Duration{20 * time.Millisecond, time.Second, 5 * time.Second} {
			b.Run(name+"/"+limit.String(), func(b *testing.B) {
				var worst time.Duration
				learned := 0.0
				for b.Loop() {
					start := time.Now()
					ctx, cancel := context.WithTimeout(b.Context(), limit)
					_, d, err := a.Reweigh(ctx, in, qap.Goal{}, true)
					cancel()
					if err != nil {
						b.Fatal(err)
					}
					worst = max(worst, time.Since(start)-limit)
					if d.Learned {
						learned++
					}
				}
				b.ReportMetric(float64(worst.Microseconds())/1000, "ms-over")
				b.ReportMetric(100*learned/float64(b.N), "%learned")
			})
		}
	}
}

// TestShiftDependsOnSizeAlone: the constant that decides on the number of matches changes
// all matchings of a size alike, also where few nodes have an edge.
func TestShiftDependsOnSizeAlone(t *testing.T) {
	k := kinds.Kind{Inliers: 9, Outliers1: 2, Outliers2: 3, Density: .3, Noise: .05, Width: .3}
	p := must.Get(k.Pair(rand.New(rand.NewPCG(7, 8))))(t)
	a := newAffinity(t, logRatio(5))
	in := reweigh.Prepared(p.Instance)
	m := reweigh.Measure(in)
	plain := must.Get(a.ByEdges(in, &m))(t)
	shifted, _, err := a.Reweigh(t.Context(), p.Instance, qap.Goal{}, true)
	if err != nil {
		t.Fatal(err)
	}
	rng, offset := rand.New(rand.NewPCG(1, 2)), math.NaN()
	for range 40 {
		x := qap.RandomMatching(11, 12, rng)
		for i := range x {
			if rng.IntN(3) == 0 && x.Size() > 2 {
				x[i] = qap.Unmatched
			}
		}
		size := x.Size()
		off := (plain.Score(x) - shifted.Score(x)) / float64(size*(size-1))
		if math.IsNaN(offset) {
			offset = off
		}
		if math.Abs(off-offset) > 1e-9 || offset == 0 {
			t.Fatalf("%v: a constant of %v, elsewhere %v", x, off, offset)
		}
	}
}

// TestTrainedBy: where a node affinity speaks against its match only a network whose file says that it has learned of that chooses the
// number of matches; elsewhere what files say changes nothing.
func TestTrainedBy(t *testing.T) {
	const knows = `{"config":{"signed_nodes":true}}`
	plain := synthetic(t, 2).Instance
	n1, n2 := plain.Size()
	nodes := make([]float64, n1*n2)
	nodes[0], nodes[1] = -1, 1
	signed := must.Get(plain.MapAffinitiesContext(t.Context(), func(v float64) float64 { return v }, nodes))(t)
	a := newAffinity(t, logRatio(6))
	searched := func(in *qap.Instance, a *reweigh.Affinity) float64 {
		now, d, err := a.Reweigh(t.Context(), in, qap.Goal{}, true)
		if err != nil || !d.Learned {
			t.Fatal(d, err)
		}
		return now.Affinity.At(0, n2+1)
	}
	for _, training := range []string{"", "no JSON", `{"config":[]}`, `{"config":{"signed_nodes":false}}`} {
		if searched(signed, a.TrainedBy(training)) != searched(signed, a) {
			t.Errorf("%q: a size is chosen", training)
		}
	}
	if searched(signed, a.TrainedBy(knows)) == searched(signed, a) {
		t.Error("no size is chosen")
	}
	if searched(plain, a.TrainedBy(knows)) != searched(plain, a) {
		t.Error("a network that knows more chooses otherwise where it need not")
	}
}

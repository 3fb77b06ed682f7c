package classic

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/cputime"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
)

// TestFrankWolfeNeverDescends, whatever the weights of its function.
func TestFrankWolfeNeverDescends(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	in := solvertest.Must(qap.NewDense(4, 5, solvertest.SignedMatrix(rng, 20), qap.Maximize))(t)
	for _, ridge := range []float64{-2, 0, 2} {
		s, err := newSearch(context.Background(), in, qap.Options{}, randomStart(searchOf(t, in), rng), 0)
		if err != nil {
			t.Fatal(err)
		}
		f := newFrankWolfe(s)
		f.ridge = ridge
		f.start(s.x)
		value := func() float64 {
			kx := make([]float64, 20)
			in.Affinity.Multiply(kx, f.x)
			return f.weight*dot(f.x, kx) + ridge*dot(f.x, f.x)
		}
		last := value()
		for range 50 {
			f.step()
			now := value()
			if now < last-1e-9*math.Abs(last) {
				t.Fatalf("ridge %v: from %v to %v", ridge, last, now)
			}
			last = now
		}
	}
}

func TestRandomStartIsDoublyStochastic(t *testing.T) {
	in := solvertest.Must(qap.NewSparse(6, 6, nil, qap.Maximize))(t)
	x := randomStart(searchOf(t, in), rand.New(rand.NewPCG(1, 1)))
	for i := range 6 {
		row, col := 0.0, 0.0
		for a := range 6 {
			row += x[i*6+a]
			col += x[a*6+i]
		}
		if math.Abs(row-1) > 1e-3 || math.Abs(col-1) > 1e-3 {
			t.Errorf("row %d sums up to %v, column to %v", i, row, col)
		}
	}
}

func TestSpectralRadius(t *testing.T) {
	// K = diag(1, −3, 2, 0)
	k := make([]float64, 16)
	k[0], k[5], k[10] = 1, -3, 2
	in := solvertest.Must(qap.NewDense(2, 2, k, qap.Maximize))(t)
	if got := spectralRadius(searchOf(t, in)); math.Abs(got-3) > 1e-3 {
		t.Errorf("%v, want 3", got)
	}
}

// TestLiftedRelaxation: the rounds lead to a point of the polytope, and its score
// is no less than the best assignment's, as that of a relaxation.
func TestLiftedRelaxation(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	in := solvertest.Must(qap.NewDense(4, 4, solvertest.SignedMatrix(rng, 16), qap.Maximize))(t)
	watch := qap.Limits{}.Watch(context.Background(), in)
	l := newLifted(in, &watch)
	for range 4000 {
		l.round()
		l.cool(0.997)
	}
	l.round()
	score := 0.0
	for p := range 16 {
		score += math.Exp(l.x[p]) * in.Affinity.At(p, p)
		sums := map[int]float64{} // of y[p,q] over the vertices q of each node of graph 1
		for q := range 16 {
			if p/4 != q/4 && p%4 != q%4 {
				score += math.Exp(l.y[p*16+q]) * in.Affinity.At(p, q)
				sums[q/4] += math.Exp(l.y[p*16+q])
			}
		}
		for j, sum := range sums {
			if math.Abs(sum-math.Exp(l.x[p])) > 1e-2 {
				t.Errorf("Σ y[%d,(%d,·)] is %v, x %v", p, j, sum, math.Exp(l.x[p]))
			}
		}
	}
	best := math.Inf(-1)
	for range 2000 {
		best = max(best, in.Score(qap.RandomMatching(4, 4, rng)))
	}
	if score < best-1e-2*math.Abs(best) {
		t.Errorf("the relaxation scores %v, an assignment %v", score, best)
	}
}

// TestZACRFindsOutliers: two graphs of points on a line share five points and each
// has three of its own.
func TestZACRFindsOutliers(t *testing.T) {
	const n, shared = 8, 5
	one := []float64{0, 7, 11, 30, 53, 101, 158, 233}
	two := []float64{0, 7, 11, 30, 53, 90, 177, 299}
	k := make([]float64, n*n*n*n)
	for p := range n * n {
		for q := range n * n {
			i, a, j, b := p/n, p%n, q/n, q%n
			if i != j && a != b {
				d := math.Abs(one[i]-one[j]) - math.Abs(two[a]-two[b])
				k[p*n*n+q] = math.Exp(-d * d)
			}
		}
	}
	in := solvertest.Must(qap.NewDense(n, n, k, qap.Maximize))(t)
	for _, m := range []ZACR{{}, {Inliers: shared}} {
		result, err := m.Solve(context.Background(), in, qap.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range result.Matching {
			want := qap.Unmatched
			if i < shared {
				want = i
			}
			if a != want {
				t.Errorf("%+v: node %d goes to %d, want %d", m, i, a, want)
			}
		}
	}
}

// TestTimedProducts: on large dense instances a search whose time is up ends within a
// few milliseconds, wherever it is, and its products are those of the affinity.
func TestTimedProducts(t *testing.T) {
	const n = 40
	rng := rand.New(rand.NewPCG(1, 2))
	k := make([]float64, n*n*n*n)
	for i := range k {
		k[i] = rng.Float64()
	}
	in, err := qap.NewDense(n, n, k, qap.Maximize)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newSearch(context.Background(), in, qap.Options{}, nil, 10)
	if err != nil || !s.long {
		t.Fatalf("%v: the products are not timed", err)
	}
	want, have := make([]float64, n*n), make([]float64, n*n)
	in.Affinity.Multiply(want, s.x)
	s.multiply(have, s.x)
	if !slices.Equal(want, have) {
		t.Error("a timed product differs")
	}
	for _, name := range Methods() {
		solver, err := New(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "skja" { // an iteration is over n⁴ variables
			continue
		}
		const limit = 10 * time.Millisecond
		clock := solvertest.Clock()
		for attempt := 0; ; attempt++ { // the collector of memory takes its time too
			start := clock()
			r, err := solver.Solve(solvertest.Clocked(), in, qap.Options{Limits: qap.Limits{TimeLimit: limit}})
			if errors.Is(err, qap.ErrUnsupported) {
				break
			}
			if took := clock().Sub(start); err != nil || took > limit+20*time.Millisecond && attempt == 5 {
				t.Errorf("%s: %v (%v) after %v", name, r.Status, err, took)
			} else if took > limit+20*time.Millisecond {
				continue
			}
			break
		}
	}
}

// TestLiftedRelaxationLooksAtTheClock: a round over 40 nodes takes longer than a search may go
// over its limit, here of processor time.
func TestLiftedRelaxationLooksAtTheClock(t *testing.T) {
	if _, ok := cputime.Taken(); !ok {
		t.Skip("the processor time cannot be told here")
	}
	const n, limit, allowed = MaxLifted, 100 * time.Millisecond, 25 * time.Millisecond
	rng := rand.New(rand.NewPCG(5, 6))
	in := solvertest.Must(qap.NewKoopmansBeckmann(n, n, solvertest.RandomMatrix(rng, n), solvertest.RandomMatrix(rng, n), nil, qap.Minimize))(t)
	over := time.Hour
	for range 3 { // the collector of memory takes its time too
		start := cputime.Clock()
		result, _ := solvertest.Check(t, qap.WithClock(context.Background(), cputime.Clock), SinkhornJA{}, in, qap.Options{Limits: qap.Limits{TimeLimit: limit}})
		over = min(over, cputime.Clock().Sub(start)-limit)
		if result.Status != qap.TimeLimit {
			t.Fatalf("status %q", result.Status)
		}
	}
	if over > allowed {
		t.Errorf("%v over its limit of %v", over, limit)
	}
}

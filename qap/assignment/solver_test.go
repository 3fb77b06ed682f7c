package assignment

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// best is the greatest sum over complete assignments, by brute force.
func best(score []float64, n1, n2 int) float64 {
	if n1 > n2 {
		turned := make([]float64, len(score))
		for p, v := range score {
			turned[p%n2*n1+p/n2] = v
		}
		return best(turned, n2, n1)
	}
	taken := make([]bool, n2)
	var from func(i int) float64
	from = func(i int) float64 {
		if i == n1 {
			return 0
		}
		greatest := math.Inf(-1)
		for a := range n2 {
			if !taken[a] {
				taken[a] = true
				greatest = max(greatest, score[i*n2+a]+from(i+1))
				taken[a] = false
			}
		}
		return greatest
	}
	return from(0)
}

func sum(score []float64, assigned []int, n2 int) (total float64, matched int) {
	for i, a := range assigned {
		if a != Unmatched {
			total += score[i*n2+a]
			matched++
		}
	}
	return total, matched
}

func randomScore(rng *rand.Rand, n int, integers bool) []float64 {
	score := make([]float64, n)
	for p := range score {
		if score[p] = rng.NormFloat64(); integers {
			score[p] = float64(rng.IntN(4))
		}
	}
	return score
}

// The optimum is that of brute force, and the duals prove it.
func TestMaximizeIsOptimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var s Solver
	for round := range 400 {
		n1, n2 := rng.IntN(7), rng.IntN(7)
		score := randomScore(rng, n1*n2, round%2 == 0)
		want := best(score, n1, n2)
		assigned := s.Maximize(score, n1, n2)
		got, matched := sum(score, assigned, n2)
		if matched != min(n1, n2) || math.Abs(got-want) > 1e-12 {
			t.Fatalf("%d×%d: sum %v of %d matches, want %v of %d", n1, n2, got, matched, want, min(n1, n2))
		}
		checkDuals(t, &s, score, n1, n2, assigned, want, 1)
		for p := range score {
			score[p] = -score[p]
		}
		checkDuals(t, &s, score, n1, n2, s.Minimize(score, n1, n2), -want, -1)
	}
}

func checkDuals(t *testing.T, s *Solver, values []float64, n1, n2 int, assigned []int, want, sign float64) {
	t.Helper()
	row, col := s.Duals()
	if len(row) != n1 || len(col) != n2 {
		t.Fatalf("%d and %d duals, want %d and %d", len(row), len(col), n1, n2)
	}
	total := 0.0
	for _, u := range row {
		total += u
	}
	for _, v := range col {
		total += v
	}
	if math.Abs(total-want) > 1e-12 {
		t.Fatalf("the duals' sum is %v, want %v", total, want)
	}
	for i, a := range assigned {
		for c := range n2 {
			slack := sign * (row[i] + col[c] - values[i*n2+c])
			if slack < -1e-12 || a == c && slack > 1e-12 {
				t.Fatalf("slack of (%d,%d) is %v; matched: %v", i, c, slack, a == c)
			}
		}
	}
}

// Beginning with the duals of another problem, or of the same, it is as good.
func TestMaximizeAgainIsOptimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	var s Solver
	n1, n2 := 0, 0
	var score []float64
	for round := range 600 {
		if round%5 == 0 {
			n1, n2 = rng.IntN(7), rng.IntN(7)
			if round%3 > 0 {
				n2 = n1
			}
			score = randomScore(rng, n1*n2, round%2 == 0)
		}
		for p := range score {
			if rng.IntN(3) == 0 {
				score[p] += float64(rng.IntN(3) - 1)
			}
		}
		want := best(score, n1, n2)
		assigned := s.MaximizeAgain(score, n1, n2)
		if got, matched := sum(score, assigned, n2); matched != min(n1, n2) || math.Abs(got-want) > 1e-12 {
			t.Fatalf("%d×%d: sum %v of %d matches, want %v of %d", n1, n2, got, matched, want, min(n1, n2))
		}
		checkDuals(t, &s, score, n1, n2, assigned, want, 1)
	}
}

func TestConstantGivesIdentity(t *testing.T) {
	for _, size := range [][2]int{{5, 5}, {3, 6}, {6, 3}} {
		assigned := new(Solver).Maximize(make([]float64, size[0]*size[1]), size[0], size[1])
		for i, a := range assigned {
			if want := i; a != want && i < size[1] || i >= size[1] && a != Unmatched {
				t.Errorf("%v: %v is not the identity", size, assigned)
			}
		}
	}
}

func TestMaximizeDoesNotAllocate(t *testing.T) {
	score := randomScore(rand.New(rand.NewPCG(2, 2)), 20*30, false)
	var s Solver
	s.Maximize(score, 20, 30)
	if n := testing.AllocsPerRun(10, func() { s.Maximize(score, 30, 20) }); n != 0 {
		t.Errorf("%v allocations a call, want none", n)
	}
}

func BenchmarkMaximize(b *testing.B) {
	for _, n := range []int{10, 30, 100} {
		score := randomScore(rand.New(rand.NewPCG(3, 3)), n*n, false)
		var s Solver
		b.Run(fmt.Sprintf("%d×%d", n, n), func(b *testing.B) {
			for b.Loop() {
				s.Maximize(score, n, n)
			}
		})
	}
}

// TestOver: an assignment that is stopped on the way is complete; the rows without
// a partner take what is best for them of the rest.
func TestOver(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, size := range [][2]int{{40, 40}, {20, 50}, {50, 20}, {300, 300}} {
		n1, n2 := size[0], size[1]
		score := make([]float64, n1*n2)
		for p := range score {
			score[p] = rng.Float64()
		}
		for _, looks := range []int{0, 1, 2, 1000} {
			left := looks
			s := Solver{Over: func() bool { left--; return left < 0 }}
			have := slices.Clone(s.Maximize(score, n1, n2))
			taken := make([]bool, n2)
			for _, a := range have {
				if a != Unmatched && taken[a] {
					t.Fatalf("%d×%d, %d looks: %v", n1, n2, looks, have)
				} else if a != Unmatched {
					taken[a] = true
				}
			}
			matched := len(slices.DeleteFunc(slices.Clone(have), func(a int) bool { return a == Unmatched }))
			if matched != min(n1, n2) {
				t.Errorf("%d×%d, %d looks: %d matched", n1, n2, looks, matched)
			}
			if looks == 1000 && !slices.Equal(have, new(Solver).Maximize(score, n1, n2)) {
				t.Errorf("%d×%d: another assignment where nobody says to stop", n1, n2)
			}
			if first := have[0]; looks == 0 && n1 <= n2 && score[first] != slices.Max(score[:n2]) {
				t.Errorf("%d×%d: the first row takes %v, not its best", n1, n2, score[first])
			}
		}
	}
}

package kbest_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/isomorphism"
	"github.com/rgm-go/rgm/qap/kbest"
)

// random returns a problem of random numbers, some of them negative, or of two graphs whose edges are shared.
func random(rng *rand.Rand) (*kbest.Problem, *isomorphism.Graph, *isomorphism.Graph) {
	n1, n2 := 3+rng.IntN(3), 3+rng.IntN(3)
	p := &kbest.Problem{N1: n1, N2: n2}
	if rng.IntN(2) == 0 {
		node, pair := make([]float64, n1*n2), map[[2]int]float64{}
		for x := range node {
			node[x] = rng.NormFloat64()
			for y := range x {
				pair[[2]int{x, y}] = rng.NormFloat64() + .3
			}
		}
		p.Node = func(i, a int) float64 { return node[i*n2+a] }
		p.Pair = func(i, a, j, b int) float64 { x, y := i*n2+a, j*n2+b; return pair[[2]int{max(x, y), min(x, y)}] }
		return p, nil, nil
	}
	graph := func(n int) (*isomorphism.Graph, map[[2]int]bool) {
		joined, edges := map[[2]int]bool{}, [][2]int{}
		for i := range n {
			for j := range i {
				if rng.IntN(2) == 0 {
					joined[[2]int{i, j}] = true
					edges = append(edges, [2]int{i, j})
				}
			}
		}
		g, err := isomorphism.NewGraph(n, len(edges), func(k int) (i, j int) { return edges[k][0], edges[k][1] }, false, nil, nil)
		if err != nil {
			panic(err)
		}
		return g, joined
	}
	g1, joined1 := graph(n1)
	g2, joined2 := graph(n2)
	p.Node = func(i, a int) float64 { return 0 }
	p.Pair = func(i, a, j, b int) float64 {
		if joined1[[2]int{max(i, j), min(i, j)}] && joined2[[2]int{max(a, b), min(a, b)}] {
			return 1
		}
		return 0
	}
	return p, g1, g2
}

func scoreOf(p *kbest.Problem, m qap.Matching) (score float64) {
	for i, a := range m {
		if a == qap.Unmatched {
			continue
		}
		score += p.Node(i, a)
		for j, b := range m[:i] {
			if b != qap.Unmatched {
				score += p.Pair(i, a, j, b)
			}
		}
	}
	return score
}

// all returns every matching that counts, the best first.
func all(p *kbest.Problem) (found []kbest.Ranked) {
	var every []qap.Matching
	m, taken := qap.NewMatching(p.N1), make([]bool, p.N2)
	var next func(i int)
	next = func(i int) {
		if i == p.N1 {
			every = append(every, m.Clone())
			return
		}
		next(i + 1)
		for a := range p.N2 {
			if !taken[a] && (p.May == nil || p.May(i, a)) {
				m[i], taken[a] = a, true
				next(i + 1)
				m[i], taken[a] = qap.Unmatched, false
			}
		}
	}
	next(0)
	for _, m := range every {
		for i, a := range p.Fixed {
			if a != qap.Unmatched && m[i] != a {
				m = nil
				break
			}
		}
		if m != nil && (p.Matches > 0 && p.Matches == m.Size() || p.Matches == 0 && closed(p, m, every)) {
			found = append(found, kbest.Ranked{Matching: m, Score: scoreOf(p, m)})
		}
	}
	slices.SortStableFunc(found, func(x, y kbest.Ranked) int { return cmp.Compare(y.Score, x.Score) })
	return found
}

// closed reports whether a matching without one of its matches is worse, and with one or two more no better.
func closed(p *kbest.Problem, m qap.Matching, every []qap.Matching) bool {
	score := scoreOf(p, m)
	for _, other := range every {
		more, less, same := 0, 0, true
		for i, a := range m {
			switch b := other[i]; {
			case a == b:
			case a == qap.Unmatched:
				more++
			case b == qap.Unmatched:
				less++
				same = same && (p.Fixed == nil || p.Fixed[i] == qap.Unmatched)
			default:
				same = false
			}
		}
		s := scoreOf(p, other)
		if same && (less == 0 && more >= 1 && more <= 2 && s > score+1e-9 || more == 0 && less == 1 && s >= score-1e-9) {
			return false
		}
	}
	return true
}

// TestAgainstAll: the k best are those of all matchings, tried one by one, and where symmetries count, one of each orbit.
func TestAgainstAll(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 5))
		p, g1, g2 := random(rng)
		switch rng.IntN(4) {
		case 0:
			p.Matches = min(p.N1, p.N2)
		case 1:
			p.Matches = 2
		case 2:
			class := rng.Perm(p.N1 + p.N2)
			p.May = func(i, a int) bool { return class[i]%2 == class[p.N1+a]%2 }
		}
		if rng.IntN(3) == 0 && p.May == nil {
			p.Fixed = qap.NewMatching(p.N1)
			p.Fixed[1] = 2
		}
		want := all(p)
		inOneOrbit := func(qap.Matching, qap.Matching) bool { return false }
		if g1 != nil && p.Fixed == nil && p.May == nil {
			p.Same = func(m, other qap.Matching) bool {
				return isomorphism.Equivalent(t.Context(), g1, g2, m, other, isomorphism.Options{})
			}
			var one []kbest.Ranked
			inOneOrbit = orbits(p)
			for _, r := range want {
				one = kbest.Insert(one, r, len(want), 1e-9, inOneOrbit)
			}
			want = one
		}
		for _, k := range []int{1, 3, 7} {
			r, err := kbest.Search(t.Context(), p, k, nil, qap.Limits{})
			if err != nil || !r.Proved {
				t.Fatalf("seed %d: %v, proved %v", seed, err, r.Proved)
			}
			if len(r.Best) != min(k, len(want)) {
				t.Fatalf("seed %d: %d of %d, of %d: %v, want %v", seed, len(r.Best), k, len(want), r.Best, want)
			}
			for x, found := range r.Best {
				if math.Abs(found.Score-want[x].Score) > 1e-9 || math.Abs(scoreOf(p, found.Matching)-found.Score) > 1e-9 {
					t.Errorf("seed %d, %d of %d: %v, want %v", seed, x, k, found, want[x])
				}
				if !slices.ContainsFunc(want, func(r kbest.Ranked) bool {
					return slices.Equal(r.Matching, found.Matching) || inOneOrbit(r.Matching, found.Matching)
				}) {
					t.Errorf("seed %d: %v is none", seed, found)
				}
			}
		}
	}
}

// orbits tells whether a permutation of each graph that keeps all scores takes one matching to another.
func orbits(p *kbest.Problem) func(m, other qap.Matching) bool {
	identity := func(n int) []int { return permutations(n)[0] }
	of1 := slices.DeleteFunc(permutations(p.N1), func(s []int) bool { return !keeps(p, s, identity(p.N2)) })
	of2 := slices.DeleteFunc(permutations(p.N2), func(t []int) bool { return !keeps(p, identity(p.N1), t) })
	return func(m, other qap.Matching) bool {
		return slices.ContainsFunc(of1, func(s []int) bool {
			return slices.ContainsFunc(of2, func(t []int) bool { return takes(m, other, s, t) })
		})
	}
}

func takes(m, other qap.Matching, s, t []int) bool {
	for i, a := range m {
		if b := other[s[i]]; a == qap.Unmatched && b != a || a != qap.Unmatched && b != t[a] {
			return false
		}
	}
	return true
}

// keeps reports whether permutations keep all scores.
func keeps(p *kbest.Problem, s, t []int) bool {
	for i := range p.N1 {
		for j := range i {
			for a := range p.N2 {
				for b := range p.N2 {
					if a != b && p.Pair(i, a, j, b) != p.Pair(s[i], t[a], s[j], t[b]) {
						return false
					}
				}
			}
		}
	}
	return true
}

func permutations(n int) (all [][]int) {
	if n == 0 {
		return [][]int{{}}
	}
	for _, p := range permutations(n - 1) {
		for at := range n { // the identity first
			all = append(all, slices.Insert(slices.Clone(p), n-1-at, n-1))
		}
	}
	return all
}

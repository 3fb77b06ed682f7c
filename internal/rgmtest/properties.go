package rgmtest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/internal/testdata"
	"github.com/rgm-go/rgm/qap"
)

// graphPair is a problem by its edges: all forms of an affinity can be made of it.
type graphPair struct {
	n1, n2         int
	edges1, edges2 [][2]int
	node           []float64 // [i,a]
	edge           []float64 // [e,f,crosswise]
}

// randomPair returns two random graphs whose affinities all differ.
func randomPair(n1, n2 int, seed uint64) graphPair {
	rng := rand.New(rand.NewPCG(seed, 99))
	g := graphPair{n1: n1, n2: n2, edges1: randomEdges(n1, rng), edges2: randomEdges(n2, rng)}
	for range n1 * n2 {
		g.node = append(g.node, rng.Float64())
	}
	for range 2 * len(g.edges1) * len(g.edges2) {
		g.edge = append(g.edge, rng.Float64())
	}
	return g
}

// randomEdges joins the nodes on a path, and some others.
func randomEdges(n int, rng *rand.Rand) [][2]int {
	var edges [][2]int
	for j := range n {
		for i := range j {
			if i == j-1 || rng.Float64() < 0.6 {
				edges = append(edges, [2]int{i, j})
			}
		}
	}
	return edges
}

// affinity of edges e and f.
func (g *graphPair) affinity(e, f int, crosswise bool) float64 {
	k := 2 * (e*len(g.edges2) + f)
	if crosswise {
		k++
	}
	return g.edge[k]
}

// lazy, sparse and dense are the same instance in three forms.
func (g *graphPair) lazy(t testing.TB) *qap.Instance {
	return must.Get(qap.NewEdgePairs(g.n1, g.n2, g.edges1, g.edges2, g.node, g.affinity, qap.Maximize))(t)
}

func (g *graphPair) matrix(t testing.TB) []float64 {
	in, n := g.lazy(t), g.n1*g.n2
	k := make([]float64, n*n)
	for p := range n {
		in.Affinity.Row(k[p*n:(p+1)*n], p)
	}
	return k
}

func (g *graphPair) dense(t testing.TB) *qap.Instance { return denseOf(t, g.n1, g.n2, g.matrix(t)) }

func denseOf(t testing.TB, n1, n2 int, k []float64) *qap.Instance {
	return must.Get(qap.NewDense(n1, n2, k, qap.Maximize))(t)
}

func (g *graphPair) sparse(t testing.TB) *qap.Instance {
	n := g.n1 * g.n2
	var entries []qap.Entry
	for v, k := range g.matrix(t) {
		if k != 0 {
			entries = append(entries, qap.Entry{P: v / n, Q: v % n, Value: k})
		}
	}
	return must.Get(qap.NewSparse(g.n1, g.n2, entries, qap.Maximize))(t)
}

// relabelled returns a matrix of affinities where node i of graph 1 is called to1[i], and
// node a of graph 2 to2[a].
func relabelled(n1, n2 int, k []float64, to1, to2 []int) []float64 {
	n := n1 * n2
	place := func(p int) int { return to1[p/n2]*n2 + to2[p%n2] }
	r := make([]float64, n*n)
	for p := range n {
		for q := range n {
			r[place(p)*n+place(q)] = k[p*n+q]
		}
	}
	return r
}

// transposed returns a matrix of affinities with the graphs in each other's place.
func transposed(n1, n2 int, k []float64) []float64 {
	n := n1 * n2
	place := func(p int) int { return p%n2*n1 + p/n2 }
	r := make([]float64, n*n)
	for p := range n {
		for q := range n {
			r[place(p)*n+place(q)] = k[p*n+q]
		}
	}
	return r
}

// product is a problem of Koopmans and Beckmann.
type product struct {
	n1, n2 int
	a, b   []float64
}

func randomProduct(n int, seed uint64) product {
	rng := rand.New(rand.NewPCG(seed, 98))
	return product{n, n, solvertest.RandomMatrix(rng, n), solvertest.RandomMatrix(rng, n)}
}

func (p product) instance(t testing.TB) *qap.Instance {
	return must.Get(qap.NewKoopmansBeckmann(p.n1, p.n2, p.a, p.b, nil, qap.Minimize))(t)
}

// renamed returns a matrix where node i is called to[i].
func renamed(m []float64, to []int) []float64 {
	n, r := len(to), make([]float64, len(m))
	for i := range n {
		for j := range n {
			r[to[i]*n+to[j]] = m[i*n+j]
		}
	}
	return r
}

func times(m []float64, factor float64) []float64 {
	r := slices.Clone(m)
	for k := range r {
		r[k] *= factor
	}
	return r
}

// suite runs methods.
type suite struct {
	*testing.T
	solver *rgm.Solver
}

func newSuite(t *testing.T) suite {
	t.Helper()
	return suite{t, Open(t)}
}

// few is how many steps searches have where the number does not matter: too few to find
// every optimum.
const few = 12

// solve runs a method for some steps and recomputes the score; false means that it does not
// serve the instance.
func (s suite) solve(method string, in *qap.Instance, steps int) (rgm.Result, bool) {
	s.Helper()
	r, err := s.solver.Solve(context.Background(), in, rgm.Options{
		Method: method, MaxSteps: steps, Rollouts: 1, Seed: 5,
	})
	if option := new(rgm.OptionError); errors.Is(err, qap.ErrUnsupported) || errors.As(err, &option) && option.Option == "Model" { // it has no pretrained one
		return r, false
	}
	if err != nil {
		s.Fatalf("%s: %v", method, err)
	}
	if score := in.Score(r.Matching); r.Score != score || r.Objective != in.Objective(score) || !in.IsSolution(r.Matching) {
		s.Errorf("%s: %v of score %v and objective %v, recomputed %v and %v", method, r.Matching, r.Score, r.Objective, score, in.Objective(score))
	}
	return r, true
}

// same reports whether a method finds the same matching in two instances, once nodes are
// called what they are in the second.
func (s suite) same(method string, in, other *qap.Instance, rename func(qap.Matching) qap.Matching) bool {
	r, ok := s.solve(method, in, few)
	q, served := s.solve(method, other, few)
	return ok == served && (!ok || slices.Equal(q.Matching, rename(r.Matching)))
}

func unchanged(m qap.Matching) qap.Matching { return m }

// A property is what holds of methods; but of those that are named it does not, by their
// nature. docs/SOLVERS.md says why.
type property struct {
	name  string
	not   []string
	holds func(s suite, method string, seed uint64) bool
}

var properties = []property{
	{"other names", []string{"auto", "rgm", "tabu", "population", "anneal", "profile", "regrow", "sa"},
		func(s suite, method string, seed uint64) bool {
			rng := rand.New(rand.NewPCG(seed, 1))
			to1, to2 := rng.Perm(5), rng.Perm(6)
			g, p := randomPair(5, 6, seed), randomProduct(6, seed)
			k := g.matrix(s)
			if !s.same(method, denseOf(s, 5, 6, k), denseOf(s, 5, 6, relabelled(5, 6, k, to1, to2)), renaming(to1, to2)) {
				return false
			}
			to1 = rng.Perm(6)
			other := product{6, 6, renamed(p.a, to1), renamed(p.b, to2)}
			return s.same(method, p.instance(s), other.instance(s), renaming(to1, to2))
		}},
	{"other units", nil, func(s suite, method string, seed uint64) bool {
		g, p := randomPair(5, 6, seed), randomProduct(6, seed)
		k := g.matrix(s)
		for _, factor := range []float64{1024, 1. / 1024} { // exact in floats
			scaled := product{6, 6, times(p.a, factor), p.b}
			if !s.same(method, denseOf(s, 5, 6, k), denseOf(s, 5, 6, times(k, factor)), unchanged) || !s.same(method, p.instance(s), scaled.instance(s), unchanged) {
				return false
			}
		}
		return true
	}},
	{"graphs exchanged", []string{"auto", "rgm", "tabu", "population", "anneal", "profile", "regrow", "skja", "sa"}, func(s suite, method string, seed uint64) bool {
		g, p := randomPair(5, 6, seed), randomProduct(6, seed)
		k := g.matrix(s)
		inverse := func(n2 int) func(m qap.Matching) qap.Matching {
			return func(m qap.Matching) qap.Matching {
				inverse := qap.NewMatching(n2)
				for i, a := range m {
					if a != qap.Unmatched {
						inverse[a] = i
					}
				}
				return inverse
			}
		}
		other := product{6, 6, p.b, p.a}
		return s.same(method, denseOf(s, 5, 6, k), denseOf(s, 6, 5, transposed(5, 6, k)), inverse(6)) && s.same(method, p.instance(s), other.instance(s), inverse(6))
	}},
	{"forms", []string{"regrow"}, func(s suite, method string, seed uint64) bool {
		g := randomPair(5, 6, seed)
		return s.same(method, g.dense(s), g.sparse(s), unchanged) && s.same(method, g.dense(s), g.lazy(s), unchanged)
	}},
	{"steps", []string{"gnccp", "bpf"}, func(s suite, method string, seed uint64) bool {
		g, p := randomPair(5, 6, seed), randomProduct(6, seed)
		for _, in := range []*qap.Instance{g.dense(s), g.sparse(s), p.instance(s)} {
			for _, steps := range []int{1, 5, 30} {
				if r, ok := s.solve(method, in, steps); ok && r.Steps > steps*r.Rollouts {
					return false
				}
			}
		}
		return true
	}},
	{"anytime", []string{"auto", "rgm", "profile", "rrwm", "gagm", "psm", "gnccp", "bpf", "skja", "sa", "anneal"}, func(s suite, method string, seed uint64) bool {
		g, p := randomPair(5, 6, seed), randomProduct(7, seed)
		for _, in := range []*qap.Instance{g.dense(s), g.sparse(s), p.instance(s)} {
			last := math.Inf(-1)
			for _, steps := range []int{1, 2, 3, 5, 8, 13, 21, 34, 55, 89} {
				r, ok := s.solve(method, in, steps)
				if ok && r.Score < last-1e-9*math.Abs(last) {
					return false
				}
				last = r.Score
			}
		}
		return true
	}},
}

// renaming returns a matching by the other names of nodes.
func renaming(to1, to2 []int) func(qap.Matching) qap.Matching {
	return func(m qap.Matching) qap.Matching {
		r := qap.NewMatching(len(m))
		for i, a := range m {
			if a != qap.Unmatched {
				r[to1[i]] = to2[a]
			}
		}
		return r
	}
}

// documentedExceptions returns the methods in the second column of docs/SOLVERS.md's table
// of properties, by the first.
func documentedExceptions(t *testing.T) map[string][]string {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join(testdata.Repository(t), "docs/SOLVERS.md")))(t)
	_, section, _ := strings.Cut(string(text), "## Properties\n")
	section, _, _ = strings.Cut(section, "\n## ")
	exceptions := map[string][]string{}
	for line := range strings.Lines(section) {
		if cells := strings.Split(line, "|"); len(cells) > 3 {
			for _, name := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(cells[3], -1) {
				row := strings.TrimSpace(cells[1])
				exceptions[row] = append(exceptions[row], name[1])
			}
		}
	}
	return exceptions
}

// Properties holds that every method of a list has every property, but for those that cannot have it, which
// do not.
func Properties(t *testing.T, methods []string) {
	s, documented := newSuite(t), documentedExceptions(t)
	for _, p := range properties {
		for _, method := range methods {
			broken := 0
			const seeds = 6
			for seed := range uint64(seeds) {
				if !p.holds(s, method, seed) {
					broken++
				}
			}
			if documented := slices.Contains(documented[p.name], method); documented != slices.Contains(p.not, method) {
				t.Errorf("%s: docs/SOLVERS.md lists %s: %v", p.name, method, documented)
			}
			switch named := slices.Contains(p.not, method); {
			case named && broken == 0:
				t.Errorf("%s: %s has the property, and is named as one that has not", p.name, method)
			case !named && broken > 0:
				t.Errorf("%s: %s breaks it in %d of %d cases", p.name, method, broken, seeds)
			}
		}
	}
}

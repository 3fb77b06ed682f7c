package align_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/rgm-go/rgm/compare"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/networks"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

func structure(t testing.TB, g graphs.Graph) *align.Graph {
	t.Helper()
	s, err := compare.Structure(&g)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// generated returns a generated graph, its noisy copy, and which node is which.
func generated(t testing.TB, kind string, nodes int, degree float64, noise networks.Noise) (*align.Problem, qap.Matching) {
	t.Helper()
	g, err := networks.Generate(kind, nodes, degree, noise.Seed)
	if err != nil {
		t.Fatal(err)
	}
	noisy, truth := noise.Copy(g)
	return &align.Problem{A: structure(t, g), B: structure(t, noisy)}, truth
}

func solve(t testing.TB, p *align.Problem, o align.Options) align.Result {
	t.Helper()
	r, err := align.Solve(solvertest.Clocked(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func steps(n int) align.Options { return align.Options{Limits: qap.Limits{MaxSteps: n}, Seed: 1} }

// TestGeneratedPairs: of 1,000 nodes and about 5,000 edges, 5 % of which are gone, all that
// the truth shares is found, and where structure tells nodes apart, every node but one of two leaves.
func TestGeneratedPairs(t *testing.T) {
	for _, kind := range networks.Kinds() {
		p, truth := generated(t, kind, 1000, 10, networks.Noise{Removed: 0.05, Seed: 1})
		r := solve(t, p, steps(2_000_000))
		right, shared := r.Matching.Right(truth), p.SharedEdges(truth)
		if kind == "chung-lu" || kind == "geometric" {
			right = 1000 // nodes of few edges may be exchanged
		}
		if right < 999 || r.Shared < shared {
			t.Errorf("%s: %d nodes right, %d edges shared, of the truth %d", kind, right, r.Shared, shared)
		}
	}
}

// small returns a problem of a few nodes with all that problems can have.
func small(t *testing.T, rng *rand.Rand, directed, weighted bool) *align.Problem {
	graph := func(n int) *align.Graph {
		g := graphs.Graph{Nodes: n, Directed: directed}
		for i := range n {
			for j := range n {
				if i != j && (directed || i < j) && rng.Float64() < 0.5 {
					g.Edges = append(g.Edges, graphs.Edge{I: i, J: j})
					if weighted {
						g.Weights = append(g.Weights, float64(rng.IntN(5)-1))
					}
				}
			}
		}
		return structure(t, g)
	}
	p := &align.Problem{A: graph(5 + rng.IntN(3)), B: graph(5 + rng.IntN(3))}
	if rng.IntN(2) == 0 {
		p.Known = []align.Pair{{I: rng.IntN(5), J: rng.IntN(5)}}
	}
	if rng.IntN(2) == 0 {
		for k := range 6 {
			p.Similar = append(p.Similar, align.Similar{Pair: align.Pair{I: k % 5, J: rng.IntN(5)}, Score: 1 + rng.Float64()})
		}
	}
	return p
}

// best returns the greatest objective of all complete matchings that keep what is known.
func best(p *align.Problem) float64 {
	m, most := qap.NewMatching(p.A.Nodes()), math.Inf(-1)
	used := make([]bool, p.B.Nodes())
	for _, k := range p.Known {
		m[k.I], used[k.J] = k.J, true
	}
	var visit func(i int)
	visit = func(i int) {
		if i == len(m) {
			most = max(most, p.Objective(m))
			return
		}
		if m[i] != qap.Unmatched {
			visit(i + 1)
			return
		}
		for j := range used {
			if !used[j] {
				m[i], used[j] = j, true
				visit(i + 1)
				used[j] = false
			}
		}
		m[i] = qap.Unmatched
		visit(i + 1)
	}
	visit(0)
	return most
}

// TestSmallOptima: on graphs so small that all matchings can be tried the best is found, with
// and without weights, directions, known pairs and similarities; sizes differ.
func TestSmallOptima(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for trial := range 40 {
		p := small(t, rng, trial%2 == 0, trial%4 < 2)
		want := best(p)
		r := solve(t, p, steps(300_000))
		if math.Abs(r.Objective-want) > 1e-4 || math.Abs(p.Objective(r.Matching)-r.Objective) > 1e-9 || p.SharedEdges(r.Matching) != r.Shared {
			t.Errorf("trial %d: objective %v, recomputed %v, the best is %v", trial, r.Objective, p.Objective(r.Matching), want)
		}
		for _, k := range p.Known {
			if r.Matching[k.I] != k.J {
				t.Errorf("trial %d: the known pair %v is not matched", trial, k)
			}
		}
	}
}

// TestDeterminism: a seed and a number of steps give one matching, and another order of the
// nodes of graph 2 gives one as good.
func TestDeterminism(t *testing.T) {
	p, _ := generated(t, "erdos-renyi", 300, 6, networks.Noise{Removed: 0.1, Seed: 4})
	first := solve(t, p, steps(300_000))
	if again := solve(t, p, steps(300_000)); !slices.Equal(again.Matching, first.Matching) || again.Shared != first.Shared {
		t.Errorf("%d edges, and again %d, or other nodes", first.Shared, again.Shared)
	}
	for seed := range uint64(3) {
		other, _ := generated(t, "erdos-renyi", 300, 6, networks.Noise{Removed: 0.1, Seed: 4})
		g, _ := networks.Generate("erdos-renyi", 300, 6, 4)
		noisy, _ := networks.Noise{Removed: 0.1, Seed: 4}.Copy(g)
		permuted, _ := networks.Noise{Seed: seed}.Copy(noisy)
		other.B = structure(t, permuted)
		if r := solve(t, other, steps(300_000)); r.Shared != first.Shared {
			t.Errorf("%d edges with nodes in another order, %d before", r.Shared, first.Shared)
		}
	}
}

// TestCancel: whenever a search is cancelled it returns a matching, soon.
func TestCancel(t *testing.T) {
	p, _ := generated(t, "chung-lu", 2000, 8, networks.Noise{Removed: 0.1, Seed: 5})
	for questions := 0; questions < 900; questions = 3*questions + 1 {
		ctx := solvertest.EndsAfter(t.Context(), questions)
		r, err := align.Solve(ctx, p, align.Options{Complete: true})
		if err != nil || r.Status != qap.Cancelled || r.Matching.Size() != 2000 {
			t.Errorf("after %d questions: %s, %d nodes matched, error %v", questions, r.Status, r.Matching.Size(), err)
		}
		if ctx.Left() < -100 {
			t.Errorf("after %d questions the search asked %d times more", questions, -ctx.Left())
		}
	}
}

// TestAnytime: there is an answer within a tenth of the limit, and better ones come as they
// are found.
func TestAnytime(t *testing.T) {
	p, _ := generated(t, "watts-strogatz", 3000, 6, networks.Noise{Removed: 0.2, Seed: 6})
	const limit = time.Second
	begin := solvertest.Clock()()
	var first time.Duration
	last, told := math.Inf(-1), 0
	o := align.Options{Limits: qap.Limits{TimeLimit: limit}, OnBest: func(b qap.Incumbent) {
		if told++; told == 1 {
			first = solvertest.Clock()().Sub(begin)
		}
		if b.Score <= last {
			t.Errorf("told of %v after %v", b.Score, last)
		}
		last = b.Score
	}}
	r := solve(t, p, o)
	if taken := solvertest.Clock()().Sub(begin); first > limit/10 || taken > limit+limit/10 {
		t.Errorf("the first answer came after %v, the last after %v of %v", first, taken, limit)
	}
	if r.Status != qap.TimeLimit || last < r.Objective || told < 2 {
		t.Errorf("%s: told %d times, of %v at last, the result is %v", r.Status, told, last, r.Objective)
	}
}

// TestPartialOverlap: with a tenth of the nodes gone from one side, most are found, and what
// nothing speaks for is not matched unless all are to be.
func TestPartialOverlap(t *testing.T) {
	p, truth := generated(t, "barabasi-albert", 1000, 8, networks.Noise{Removed: 0.05, Gone: 0.1, Seed: 7})
	r := solve(t, p, steps(1_000_000))
	if right := r.Matching.Right(truth); right < 880 {
		t.Errorf("%d of 900 nodes are right", right)
	}
	o := steps(1_000_000)
	o.Complete = true
	if r := solve(t, p, o); r.Matching.Size() != 900 {
		t.Errorf("%d of 900 nodes are matched", r.Matching.Size())
	}
	p.A = structure(t, graphs.Graph{Nodes: 3, Edges: []graphs.Edge{{I: 0, J: 1}}})
	p.B = p.A
	if r := solve(t, p, steps(1000)); r.Matching.Size() != 2 {
		t.Errorf("%v matches a node that has no edges", r.Matching)
	}
}

// TestAssess: witnesses and margins of a triangle with two leaves on one corner and one on
// another, whose equal leaves are a group.
func TestAssess(t *testing.T) {
	ends := [][2]int{{0, 1}, {0, 2}, {1, 2}, {0, 3}, {0, 4}, {1, 5}}
	g := graphs.Graph{Nodes: 6}
	for _, e := range ends {
		g.Edges = append(g.Edges, graphs.Edge{I: e[0], J: e[1]})
	}
	p := &align.Problem{A: structure(t, g), B: structure(t, g)}
	a := align.Assess(t.Context(), p, qap.Matching{0, 1, 2, 3, 4, qap.Unmatched})
	if a.Shared != 5 || a.Bound != 6 || a.EdgeCorrectness != 5.0/6 || a.S3 != 1 {
		t.Errorf("%+v", a)
	}
	if len(a.Groups) != 2 || !slices.Equal(a.Groups[0], []int{1, 2}) || !slices.Equal(a.Groups[1], []int{3, 4}) {
		t.Errorf("groups %v, want 1 and 2, since 5 has no partner, and 3 and 4", a.Groups)
	}
	if a.Matches[0].Witnesses != 4 || a.Matches[0].Margin != 3 || a.Matches[3].Witnesses != 1 || a.Matches[3].Margin != 0 || a.Sure != 0 {
		t.Errorf("matches %+v", a.Matches)
	}
	same := align.Assess(t.Context(), p, qap.Matching{0, 1, 2, 4, 3, 5})
	if same.Shared != 6 || same.S3 != 1 || len(same.Groups) != 1 || same.Matches[3].Right > 0.6 || same.Matches[4].Right > 0.6 {
		t.Errorf("exchanged leaves: %+v", same)
	}
}

// sureOf are graphs of 500 nodes whose sure matches are looked at: fewer than 1 % are wrong in each row; a part that is taken
// for another brings up to 9 at once.
var sureOf = []struct {
	kind   string
	degree float64
	noises []networks.Noise
	copies int     // of each noise
	atOnce int     // so many wrong ones may come beside 1 %: twice what one copy had
	least  float64 // share of the right matches that are sure: two thirds of what was measured, or less
}{
	{"barabasi-albert", 6, sureNoises, 1, 0, 0.6},
	{"erdos-renyi", 6, sureNoises, 1, 0, 0.6},
	{"watts-strogatz", 6, sureNoises, 1, 0, 0.36},
	{"chung-lu", 6, sureNoises, 1, 0, 0.6},
	{"geometric", 6, sureNoises, 1, 0, 0.25},
	{"geometric", 4, sureNoises[2:], 2, 2, 0}, // of these and of trees a draw has hardly any
	{"tree", 2, []networks.Noise{{Removed: 0.05}, {Removed: 0.1}, {Removed: 0.25}}, 2, 16, 0},
	{"tree", 2, []networks.Noise{{Removed: 0.05, Gone: 0.1}, {Removed: 0.1, Gone: 0.1}, {Removed: 0.05, Gone: 0.2}}, 4, 20, 0}, // a third of these copies has nothing sure
}

var sureNoises = []networks.Noise{{Removed: 0.1}, {Removed: 0.25}, {Removed: 0.05, Gone: 0.1}, {Removed: 0.05, Gone: 0.2}}

// TestSureMatchesAreRight: of the matches of fresh copies that are sure 99 of 100 are right, by kind of graph, and a good
// part of the right ones is sure. RGM_TEST_SURE=60 looks at as many copies of each noise and prints a table.
func TestSureMatchesAreRight(t *testing.T) {
	copies, _ := strconv.Atoi(os.Getenv("RGM_TEST_SURE"))
	for _, c := range sureOf {
		var sure, wrong []float64 // by copy
		right := 0.0
		begin := rand.Uint64N(1 << 53)
		for _, noise := range c.noises {
			for k := range max(c.copies, copies) {
				noise.Seed = begin + uint64(k)
				s, w, r := sureIn(t, c.kind, c.degree, noise)
				sure, wrong, right = append(sure, s), append(wrong, w), right+r
			}
		}
		share, deviation := ratio(wrong, sure)
		if copies > 0 {
			fmt.Printf("|%s, degree %g, %v|%d|%.0f of %.0f|%.3f ± %.3f|%.0f|\n", c.kind, c.degree, c.noises, len(sure), sum(wrong), sum(sure), 100*share, 100*deviation, 100*sum(sure)/right)
		}
		if sum(wrong) > 0.01*sum(sure)+float64(c.atOnce) || sum(sure) < c.least*right {
			t.Errorf("%s of degree %g, seeds from %d: %v of %v sure matches are wrong, %v right", c.kind, c.degree, begin, sum(wrong), sum(sure), right)
		}
	}
}

// sureIn returns how many matches of a graph and its copy are sure, how many of these are wrong, and how many are right.
func sureIn(t *testing.T, kind string, degree float64, noise networks.Noise) (sure, wrong, right float64) {
	t.Helper()
	g, err := tree(500, noise.Seed), error(nil)
	if kind != "tree" {
		g, err = networks.Generate(kind, 500, degree, noise.Seed)
	}
	if err != nil {
		t.Fatal(err)
	}
	noisy, truth := noise.Copy(g)
	p := &align.Problem{A: structure(t, g), B: structure(t, noisy)}
	m := solve(t, p, steps(500_000)).Matching
	a := align.Assess(t.Context(), p, m)
	for i, match := range a.Matches {
		if match.Sure() && m[i] != truth[i] {
			wrong++
		}
	}
	return float64(a.Sure), wrong, float64(m.Right(truth))
}

// ratio returns Σa/Σb and its standard error over the terms (Cochran, Sampling Techniques, 1977, 6.4).
func ratio(a, b []float64) (share, deviation float64) {
	n, squares := float64(len(a)), 0.0
	share = sum(a) / max(1, sum(b))
	for k := range a {
		squares += (a[k] - share*b[k]) * (a[k] - share*b[k])
	}
	return share, math.Sqrt(squares*n/(n-1)) / max(1, sum(b))
}

func sum(values []float64) (s float64) {
	for _, v := range values {
		s += v
	}
	return s
}

// countdown is a context that ends after so many looks at it.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestSureWherePartOfAWalkIsDone: of a walk that is cut short, or not begun, what is sure is right.
func TestSureWherePartOfAWalkIsDone(t *testing.T) {
	var sure [3]int
	for _, kind := range networks.Kinds() {
		g, err := networks.Generate(kind, 500, 8, 3)
		if err != nil {
			t.Fatal(err)
		}
		noisy, truth := networks.Noise{Removed: 0.1, Gone: 0.05, Seed: 4}.Copy(g)
		p := &align.Problem{A: structure(t, g), B: structure(t, noisy)}
		m := solve(t, p, steps(500_000)).Matching
		looks := &countdown{Context: t.Context(), left: 1 << 30}
		align.Assess(looks, p, m)
		all := 1<<30 - looks.left
		for k, less := range []int{0, 80, 200} {
			a := align.Assess(&countdown{Context: t.Context(), left: all - less}, p, m)
			wrong := 0
			for i, match := range a.Matches {
				if match.Sure() && m[i] != truth[i] {
					wrong++
				}
			}
			if sure[k] += a.Sure; 100*wrong > a.Sure {
				t.Errorf("%s: of a walk without its last %d looks %d of %d sure matches are wrong", kind, less, wrong, a.Sure)
			}
		}
	}
	if sure[0] == 0 || sure[1] == 0 || sure[2] > sure[0] {
		t.Errorf("%d matches are sure after a walk, %d after a part, %d when it has just begun", sure[0], sure[1], sure[2])
	}
}

// tree returns one whose nodes each join an earlier one at random.
func tree(nodes int, seed uint64) graphs.Graph {
	g, rng := graphs.Graph{Nodes: nodes}, rand.New(rand.NewPCG(seed, 1))
	for i := 1; i < nodes; i++ {
		g.Edges = append(g.Edges, graphs.Edge{I: rng.IntN(i), J: i})
	}
	return g
}

// TestGroups: pairs of nodes that no others are joined with, and legs of equal length, are alike
// though no two nodes of theirs can exchange partners alone; what is longer or known is not.
func TestGroups(t *testing.T) {
	var g graphs.Graph
	path := func(from int, nodes ...int) {
		for _, i := range nodes {
			g.Edges = append(g.Edges, graphs.Edge{I: from, J: i})
			from = i
		}
	}
	path(0, 1, 2, 3)
	path(0, 4, 5, 6)
	path(0, 7, 8, 9, 10)
	path(11, 12)
	path(13, 14)
	g.Nodes = 15
	p := &align.Problem{A: structure(t, g), B: structure(t, g)}
	m := make(qap.Matching, g.Nodes)
	for i := range m {
		m[i] = i
	}
	want := [][]int{{1, 4}, {2, 5}, {3, 6}, {11, 12, 13, 14}}
	if a := align.Assess(t.Context(), p, m); !reflect.DeepEqual(a.Groups, want) {
		t.Errorf("groups %v, want %v", a.Groups, want)
	}
	p.Known = []align.Pair{{I: 2, J: 2}, {I: 11, J: 11}}
	if a := align.Assess(t.Context(), p, m); !reflect.DeepEqual(a.Groups, [][]int{{13, 14}}) || !a.Matches[2].Sure() || !a.Matches[11].Sure() {
		t.Errorf("with known pairs: groups %v, want 13 and 14", a.Groups)
	}
}

// TestAssessIsCancelled: it ends soon, and then nothing is sure but what is known.
func TestAssessIsCancelled(t *testing.T) {
	p, truth := generated(t, "chung-lu", 3000, 8, networks.Noise{Removed: 0.01, Seed: 5})
	p.Known = []align.Pair{{I: 7, J: truth[7]}}
	for questions := 0; questions < 1000; questions = 3*questions + 1 {
		ctx := solvertest.EndsAfter(t.Context(), questions)
		if a := align.Assess(ctx, p, truth); a.Sure != 1 || !a.Matches[7].Sure() || a.Shared != p.Bound() {
			t.Errorf("after %d questions %d are sure, %d edges shared", questions, a.Sure, a.Shared)
		}
		if ctx.Left() < -20 {
			t.Errorf("after %d questions it asked %d times more", questions, -ctx.Left())
		}
	}
}

// TestKnownPairs: a fiftieth of the nodes known raises what is found on graphs whose nodes
// hardly differ, by more nodes than are known.
func TestKnownPairs(t *testing.T) {
	without, with := 0, 0
	for seed := range uint64(2) {
		p, truth := generated(t, "geometric", 600, 4, networks.Noise{Removed: 0.15, Seed: seed + 1})
		without += solve(t, p, steps(600_000)).Matching.Right(truth)
		for i := 0; i < 600; i += 50 {
			p.Known = append(p.Known, align.Pair{I: i, J: truth[i]})
		}
		with += solve(t, p, steps(600_000)).Matching.Right(truth)
	}
	if with < without+36 {
		t.Errorf("%d nodes right with 24 known, %d without", with, without)
	}
}

// TestSimilar: nodes of a graph that looks alike everywhere are told apart by similarities.
func TestSimilar(t *testing.T) {
	ring := graphs.Graph{Nodes: 60}
	for i := range 60 {
		ring.Edges = append(ring.Edges, graphs.Edge{I: i, J: (i + 1) % 60})
	}
	p := &align.Problem{A: structure(t, ring), B: structure(t, ring)}
	truth := qap.NewMatching(60)
	for i := range 60 {
		truth[i] = (i + 17) % 60
		if i%5 == 0 {
			p.Similar = append(p.Similar, align.Similar{Pair: align.Pair{I: i, J: truth[i]}, Score: 3}, align.Similar{Pair: align.Pair{I: i, J: (i * 7) % 60}, Score: 1})
		}
	}
	if r := solve(t, p, steps(200_000)); r.Matching.Right(truth) != 60 {
		t.Errorf("%d of 60 nodes are right, %d edges shared", r.Matching.Right(truth), r.Shared)
	}
}

// TestProblems: what does not fit together is an error.
func TestProblems(t *testing.T) {
	g := structure(t, graphs.Graph{Nodes: 3, Edges: []graphs.Edge{{I: 0, J: 1}}})
	d := structure(t, graphs.Graph{Nodes: 3, Edges: []graphs.Edge{{I: 0, J: 1}}, Directed: true})
	empty := structure(t, graphs.Graph{})
	for name, p := range map[string]align.Problem{
		"no graph":      {A: g},
		"no nodes":      {A: g, B: empty},
		"directions":    {A: g, B: d},
		"a far node":    {A: g, B: g, Known: []align.Pair{{I: 0, J: 3}}},
		"a conflict":    {A: g, B: g, Known: []align.Pair{{I: 0, J: 1}, {I: 0, J: 2}}},
		"a taken node":  {A: g, B: g, Known: []align.Pair{{I: 0, J: 1}, {I: 2, J: 1}}},
		"no similarity": {A: g, B: g, Similar: []align.Similar{{Score: -1}}},
	} {
		if _, err := align.Solve(context.Background(), &p, align.Options{}); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
	for name, weight := range map[string]float64{"infinite": math.Inf(1), "no number": math.NaN()} {
		if _, err := align.NewGraph(2, 1, func(int) (i, j int) { return 0, 1 }, []float64{weight}, false); err == nil {
			t.Errorf("a weight that is %s is no error", name)
		}
	}
	if _, err := align.NewGraph(2, 1, func(int) (i, j int) { return 0, 2 }, nil, false); err == nil {
		t.Error("an edge to a node that is not there is no error")
	}
}

func BenchmarkSolve(b *testing.B) {
	for _, kind := range networks.Kinds() {
		b.Run(kind, func(b *testing.B) {
			p, truth := generated(b, kind, 1000, 10, networks.Noise{Removed: 0.05, Seed: 1})
			for b.Loop() {
				r := solve(b, p, steps(500_000))
				b.ReportMetric(float64(r.Shared)/float64(p.SharedEdges(truth)), "of-the-truth's-edges")
			}
			b.ReportMetric(float64(b.N)*500_000/b.Elapsed().Seconds(), "swaps/s")
		})
	}
}

// TestRegularGraphs: of a cubic graph without triangles whose nodes all differ each is its own, and most of the
// right matches are sure; of a ring, whose nodes are all alike, none is.
func TestRegularGraphs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const half = 30
	var cubic, ring graphs.Graph
	cubic.Nodes, ring.Nodes = 2*half, 2*half
	for i := range 2 * half {
		ring.Edges = append(ring.Edges, graphs.Edge{I: i, J: (i + 1) % (2 * half)})
	}
	for range 3 { // between halves: no triangles
		for i, j := range rng.Perm(half) {
			cubic.Edges = append(cubic.Edges, graphs.Edge{I: i, J: half + j})
		}
	}
	m := make(qap.Matching, 2*half)
	for i := range m {
		m[i] = i
	}
	for _, c := range []struct {
		g            graphs.Graph
		groups, sure int
	}{{cubic, 0, 50}, {ring, 1, 0}} {
		if a := align.Assess(t.Context(), &align.Problem{A: structure(t, c.g), B: structure(t, c.g)}, m); len(a.Groups) != c.groups || a.Sure < c.sure || c.sure == 0 && a.Sure > 0 {
			t.Errorf("groups %v, %d sure; want %d and at least %d", a.Groups, a.Sure, c.groups, c.sure)
		}
	}
}

// TestLattices: lattices of which 3 % of the edges are gone are solved, whichever graph is the smaller one, where
// witnesses and swaps alone lose a sixth of the edges.
func TestLattices(t *testing.T) {
	seed := rand.Uint64()
	g := lattice(18)
	noisy, truth := networks.Noise{Removed: 0.03, Seed: seed}.Copy(g)
	p := &align.Problem{A: structure(t, g), B: structure(t, noisy)}
	shared := p.SharedEdges(truth)
	if seed%2 == 0 {
		p.A, p.B = p.B, p.A
	}
	best := 0
	for k := range uint64(3) { // one row off is rare
		r := solve(t, p, align.Options{Limits: qap.Limits{MaxSteps: 300_000}, Seed: seed + k})
		if best = max(best, r.Shared); r.Shared == shared && (r.Status != qap.Optimal && shared == p.Bound() || r.FoundBy != align.ByRigid) {
			t.Errorf("found by %s, status %s", r.FoundBy, r.Status)
		}
	}
	if best < shared {
		t.Errorf("seed %d: %d of %d edges shared", seed, best, shared)
	}
}

package reweigh

import (
	"context"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
)

// chanceStarts is from how many starts the best matchings of all sizes are searched on
// shuffled edges.
var chanceStarts = 4

// ByChance returns the regularizer f(m) = 1/J0(m), so that J·f is how far a matching stands
// out: J0(m) is the best score found of m matches where only chance matches, on the instance
// with the edges of graph 2 shuffled. The seed gives the same one again. The error is why the
// context ended too early.
func ByChance(ctx context.Context, in *qap.Instance, seed uint64) (qap.Regularizer, error) {
	null, err := shuffled(ctx, in, rand.New(rand.NewPCG(seed, chanceStream)))
	if err != nil {
		return qap.Regularizer{}, err
	}
	found := searchProfile(ctx, null, chanceStarts)
	if found == nil {
		return qap.Regularizer{}, whyEnded(ctx)
	}
	return qap.RegularizeChance(byChance(found)), nil
}

// chanceStream is the random stream of a seed that shuffles edges.
const chanceStream = 0x6368616e6365

// byChance returns the best scores of at most m matches for m = 0, 1, …
func byChance(found qap.Profile) []float64 {
	scores := make([]float64, len(found))
	for m, best := range found {
		scores[m] = best.Score
		if m > 0 {
			scores[m] = max(best.Score, scores[m-1])
		}
	}
	return scores
}

// shuffled returns the instance with the edges of graph 2 put between other pairs of nodes,
// every pair in the place of another, either way round. Node affinities of every node of graph 1
// are shuffled too.
func shuffled(ctx context.Context, in *qap.Instance, rng *rand.Rand) (*qap.Instance, error) {
	n1, n2 := in.Size()
	to := shuffledPairs(n2, rng)
	node := make([]float64, n1*n2)
	in.Affinity.Diagonal(node)
	for i := range n1 {
		row := node[i*n2 : (i+1)*n2]
		rng.Shuffle(n2, func(a, b int) { row[a], row[b] = row[b], row[a] })
	}
	if _, dense := in.Affinity.(*qap.Dense); dense || n1*n2 <= mostDense {
		return shuffledDense(ctx, in, to, node)
	}
	var entries []qap.Entry
	for p, v := range node {
		if v != 0 {
			entries = append(entries, qap.Entry{P: p, Q: p, Value: v})
		}
	}
	err := in.EachEdgeContext(ctx, func(p, q int, v float64) {
		p, q = moved(p, q, n2, to)
		entries = append(entries, qap.Entry{P: p, Q: q, Value: v}, qap.Entry{P: q, Q: p, Value: v})
	})
	if err != nil {
		return nil, err
	}
	return qap.NewSparse(n1, n2, entries, qap.Maximize)
}

func shuffledDense(ctx context.Context, in *qap.Instance, to [][2]int, node []float64) (*qap.Instance, error) {
	n1, n2 := in.Size()
	n := n1 * n2
	k := make([]float64, n*n)
	for p, v := range node {
		k[p*n+p] = v
	}
	err := in.EachEdgeContext(ctx, func(p, q int, v float64) {
		p, q = moved(p, q, n2, to)
		k[p*n+q], k[q*n+p] = v, v
	})
	if err != nil {
		return nil, err
	}
	return qap.NewDense(n1, n2, k, qap.Maximize)
}

// shuffledPairs returns where the ordered pair (a,b) of n nodes goes, at a·n+b; (b,a) goes
// there the other way round.
func shuffledPairs(n int, rng *rand.Rand) [][2]int {
	var pairs [][2]int
	for a := range n {
		for b := range a {
			pairs = append(pairs, [2]int{a, b})
		}
	}
	to := make([][2]int, n*n)
	for k, other := range rng.Perm(len(pairs)) {
		a, b, c, d := pairs[k][0], pairs[k][1], pairs[other][0], pairs[other][1]
		if rng.IntN(2) == 0 {
			c, d = d, c
		}
		to[a*n+b], to[b*n+a] = [2]int{c, d}, [2]int{d, c}
	}
	return to
}

// moved returns the vertices (i,c) and (j,d) of (i,a) and (j,b), where the pair (a,b) goes to (c,d).
func moved(p, q, n2 int, to [][2]int) (int, int) {
	pair := to[p%n2*n2+q%n2]
	return p - p%n2 + pair[0], q - q%n2 + pair[1]
}

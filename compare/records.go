package compare

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/assignment"
	"github.com/rgm-go/rgm/qap/confidence"
)

// A NodeProblem is that of matching nodes by what each has for itself: no two matches say anything of each other.
type NodeProblem interface {
	Size() (n1, n2 int)                                       // nodes of both graphs
	Match(ctx context.Context, complete bool) qap.Matching    // the matching of the greatest objective
	Objective(m qap.Matching) float64                         // the sum of the logarithms of how much likelier matches are right than chance
	Evidence(ctx context.Context, m qap.Matching) [][]float64 // what is known of each match (package confidence), nil of nodes without one
	Confidence(ctx context.Context, m qap.Matching) []float64 // how likely each match is right, 0 without one; nil where the context ends
	Compared(g1, g2 *graphs.Graph) Compared                   // what is compared
}

// Records is two sets of nodes that have words and numbers, and neither edges nor places that could be compared: the linkage of records
// (Fellegi and Sunter, doi:10.1080/01621459.1969.10501049).
type Records struct {
	about  string
	unused []string
	n1, n2 int
	known  []graphs.Pair
	agree  *Agreement
	weight float64

	likely   *ratios
	rare     rarities
	matches  float64 // that are expected
	prior    float64 // ln of how likely two nodes of both sets are the same, before anything is compared
	evidence float64 // ln of how much likelier the rows are than without matches
	nothing  bool    // no matches stand out
	blocks   *blocks
}

// Records returns the problem of two graphs that have features or words of nodes to compare, and nothing else; nil of others.
func (d Design) Records(ctx context.Context, g1, g2 graphs.Graph, known []graphs.Pair) (*Records, error) {
	if d.Joins.Rule != JoinAuto || d.Similar != nil || g1.Points != nil && g2.Points != nil || g1.Edges != nil && g2.Edges != nil ||
		d.Agree != nil && d.Agree.Edges1 != nil || d.NodeWeight != nil && *d.NodeWeight == 0 {
		return nil, nil
	}
	if err := cmp.Or(g1.Check(), g2.Check()); err != nil {
		return nil, err
	}
	left, err := byName(&g1, &g2)
	if err != nil {
		return nil, err
	}
	nodes, err := left.nodeQuantities(ctx, &g1, &g2)
	if err != nil || len(nodes) == 0 {
		return nil, err
	}
	r := &Records{n1: g1.Nodes, n2: g2.Nodes, known: known, agree: d.Agree, weight: 1, blocks: newBlocks(nodes), rare: newRarities(nodes)}
	if d.NodeWeight != nil {
		r.weight = *d.NodeWeight
	}
	r.learn(ctx, nodes)
	const chance = 6 // the logarithm of the odds
	about := ""
	if r.evidence < chance {
		about = "; no matches stand out from chance"
		r.hardly(ctx, nodes)
	}
	if err := ended(ctx); err != nil {
		return nil, err
	}
	r.about = fmt.Sprintf("%d and %d nodes by themselves: %s%s", r.n1, r.n2, r.likely, d.Agree) + about
	r.unused = left
	return r, nil
}

// expect sets the prior by how many matches are expected.
func (r *Records) expect(matches float64) {
	r.matches, r.prior = matches, priorOf(matches, r.n1, r.n2)
}

// priorOf returns, as a logarithm, by how much likelier two nodes are the same than that both have no partner, before anything is
// compared: against each node there are as many others as have none.
func priorOf(matches float64, nodes1, nodes2 int) float64 {
	share := shareOf(matches, nodes1)
	return math.Log(share/(1-share)) - math.Log(max(float64(nodes2)-matches, 1))
}

// shareOf returns which share of nodes so many are, short of none and of all.
func shareOf(matches float64, nodes int) float64 {
	n := float64(nodes)
	return min(max(matches/n, 1/(n+1)), 1-1/(n+1))
}

func (r *Records) value(i, a int) float64 {
	return r.weight*(r.likely.of(i, a)+r.rare.of1[i]+r.rare.of2[a]+alikeAlone(r.likely.left, i, a)) + r.prior
}

// alikeAlone returns what numbers without an estimate of their noise say: nothing where they differ, and a little where they are alike.
func alikeAlone(left quantities, i, a int) float64 {
	if len(left) == 0 {
		return 0
	}
	return left.alike(i, a)
}

// learn estimates what right matches are like, and how many there are: expectation-maximisation from three starts, what nodes that are
// nearest to each other have in common, little noise of few right matches, and much of many. What the rows are likelier by stays.
func (r *Records) learn(ctx context.Context, nodes quantities) {
	const rounds = 8
	const muchNoise, most = 0.1, 0.95
	smaller := float64(min(r.n1, r.n2))
	starts := []struct {
		likely  *ratios
		matches float64
	}{{nodes.likelihoods(ctx, r.n1, r.n2, r.known), smaller / 2}, {nodes.noisy(littleNoise), few * smaller}, {nodes.noisy(muchNoise), most * smaller}}
	kept := Records{evidence: math.Inf(-1)}
	for _, start := range starts {
		r.by(start.likely)
		r.expect(max(start.matches, 1))
		for round := range rounds + 1 {
			pairs, weights, sum, evidence := r.expectation(ctx)
			if ctx.Err() != nil {
				break
			}
			if round == rounds {
				if r.evidence = evidence; evidence > kept.evidence {
					kept = *r
				}
				break
			}
			r.expect(sum)
			if sum < fewestLearnt {
				continue
			}
			l := nodes.parted()
			if l.estimate(pairs, weights, 1, pairs); l.most > 0 {
				r.by(l)
			}
		}
	}
	if kept.likely != nil {
		*r = kept
	}
}

// hardly says what is matched where no matches stand out: nothing, or, where not even equal rows would, each row, since which is nearest is
// asked all the same.
func (r *Records) hardly(ctx context.Context, nodes quantities) {
	const standsOut = 2 // the logarithm of the odds
	smaller := float64(min(r.n1, r.n2))
	r.nothing = nodes.noisy(littleNoise).most+priorOf(few*smaller, r.n1, r.n2) >= standsOut
	r.by(nodes.likelihoods(ctx, r.n1, r.n2, r.known))
	r.expect(smaller)
}

// by sets what right matches are like.
func (r *Records) by(likely *ratios) {
	r.likely, r.rare = likely, r.rare.weighed(likely)
}

// few is the share of the smaller set that has partners where few have, and littleNoise that of the spread of all pairs which those of right
// matches have at first.
const few, littleNoise = 0.1, 0.003

// fewestLearnt is of how many right matches it is learnt what they are like.
const fewestLearnt = 3

// expectation returns the pairs that may be right, with how likely each is, their sum, and by how much likelier the rows are than by chance:
// than where all pairs are alike, as a logarithm.
func (r *Records) expectation(ctx context.Context) (pairs []graphs.Pair, weights []float64, sum, evidence float64) {
	const least = 1e-3
	known := confidence.Assigned{Choices: r.open(ctx, confidence.Likely), Columns: r.n2}
	marginals, all := known.Marginals(ctx)
	pairs = slices.Clone(r.known)
	for range pairs {
		weights, sum = append(weights, 1), sum+1
	}
	for i, of := range known.Choices {
		for k, c := range of {
			if p := marginals[i][k]; p > least {
				pairs, weights, sum = append(pairs, graphs.Pair{I: i, J: c.Column}), append(weights, p), sum+p
			}
		}
	}
	return pairs, weights, sum, all - matchings(r.prior, r.n1, r.n2)
}

// matchings returns what all matchings weigh together, as a logarithm, of which each match multiplies the weight by e^each.
func matchings(each float64, nodes1, nodes2 int) float64 {
	last, most, sum := 0.0, 0.0, 1.0
	for m := range min(nodes1, nodes2) {
		last += each + math.Log(float64(nodes1-m)*float64(nodes2-m)/float64(m+1))
		if last > most {
			most, sum = last, sum*math.Exp(most-last)+1
		} else {
			sum += math.Exp(last - most)
		}
	}
	return most + math.Log(sum)
}

// open returns the partners of each node that is not known, of a value above the least.
func (r *Records) open(ctx context.Context, least float64) [][]assignment.Choice {
	fixed1, fixed2 := map[int]bool{}, map[int]bool{}
	for _, k := range r.known {
		fixed1[k.I], fixed2[k.J] = true, true
	}
	return r.blocks.choices(ctx, r.likely, r.n1, r.n2, least, func(i, a int) float64 {
		if fixed1[i] || fixed2[a] || !r.agree.May(i, a) {
			return math.Inf(-1)
		}
		return r.value(i, a)
	})
}

// assign returns the best matching.
func (r *Records) assign(ctx context.Context) qap.Matching {
	return r.withKnown(assignment.MaximizeSparse(ctx, r.open(ctx, 0), r.n2))
}

func (r *Records) withKnown(m qap.Matching) qap.Matching {
	for _, k := range r.known {
		m[k.I] = k.J
	}
	return m
}

// Size returns the numbers of rows.
func (r *Records) Size() (n1, n2 int) { return r.n1, r.n2 }

// Match returns the matching of the greatest objective, none of rows of which no match stands out from chance; a complete one gives what is left over any partner, the best first.
func (r *Records) Match(ctx context.Context, complete bool) qap.Matching {
	if r.nothing && !complete {
		return r.withKnown(qap.NewMatching(r.n1))
	}
	m := r.assign(ctx)
	if complete {
		fill(ctx, m, r.n2, func(i, a int) float64 {
			if !r.agree.May(i, a) {
				return math.Inf(-1)
			}
			return r.value(i, a)
		})
	}
	return m
}

// fill gives nodes without a partner the best that is left, of a value above −∞.
func fill(ctx context.Context, m qap.Matching, n2 int, value func(i, a int) float64) {
	taken := make([]bool, n2)
	for _, a := range m {
		if a != qap.Unmatched {
			taken[a] = true
		}
	}
	for i, a := range m {
		if a != qap.Unmatched || ctx.Err() != nil {
			continue
		}
		best := math.Inf(-1)
		for a := range taken {
			if taken[a] {
				continue
			}
			if v := value(i, a); v > best {
				m[i], best = a, v
			}
		}
		if m[i] != qap.Unmatched {
			taken[m[i]] = true
		}
	}
}

// Objective returns the sum of the matches' values.
func (r *Records) Objective(m qap.Matching) (sum float64) {
	for i, a := range m {
		if a != qap.Unmatched {
			sum += r.value(i, a)
		}
	}
	return sum
}

// Evidence returns what is known of each match.
func (r *Records) Evidence(ctx context.Context, m qap.Matching) [][]float64 {
	known := confidence.Assigned{Columns: r.n2}
	known.Choices = r.blocks.choices(ctx, r.likely, r.n1, r.n2, confidence.Likely, func(i, a int) float64 {
		if !r.agree.May(i, a) {
			return math.Inf(-1)
		}
		return r.value(i, a)
	})
	numbers, words := float64(len(r.likely.numbers)), float64(len(r.likely.words))
	known.About = []float64{r.prior, r.likely.most, math.Log1p(numbers), math.Log1p(words), math.Asinh(r.evidence / (1 + r.matches))}
	return known.Evidence(ctx, m, r.value)
}

// Confidence returns how likely each match is right.
func (r *Records) Confidence(ctx context.Context, m qap.Matching) []float64 {
	return told(ctx, r.Evidence(ctx, m), r.known, func(_, _ int, x []float64) float64 { return confidence.OfRecords(x) }, m)
}

// told returns how likely matches are right by their evidence, known ones for certain; nil where ctx ended.
func told(ctx context.Context, rows [][]float64, known []graphs.Pair, of func(i, a int, x []float64) float64, m qap.Matching) []float64 {
	if ctx.Err() != nil {
		return nil
	}
	all := make([]float64, len(m))
	for i, x := range rows {
		if x != nil {
			all[i] = of(i, m[i], x)
		}
	}
	for _, k := range known {
		if m[k.I] == k.J {
			all[k.I] = 1
		}
	}
	return all
}

// Compared returns what is compared.
func (r *Records) Compared(g1, g2 *graphs.Graph) Compared {
	return Compared{Edges: "none", Kernel: "node", About: r.about, Names1: g1.Names, Names2: g2.Names, Unused: WithNotices(r.unused, g1, g2)}
}

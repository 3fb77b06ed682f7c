package compare

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/suggest"
)

// Kernel says by what the edges of two graphs are compared: exp(−Σ Δ²/width) over the
// differences Δ of what it names. The widths come from the data.
type Kernel string

// The kernels. KernelAuto takes the first of features, weights and lengths that both
// graphs have, and else KernelBinary.
const (
	KernelAuto      Kernel = "auto"
	KernelLength    Kernel = "length"    // lengths: graphs may be turned and mirrored
	KernelDirection Kernel = "direction" // lengths, and directions in the plane: graphs may not be turned
	KernelWeight    Kernel = "weight"    // weights of edges
	KernelFeatures  Kernel = "features"  // features of edges
	KernelBinary    Kernel = "binary"    // 1 where both graphs have an edge
)

// Kernels returns all of them.
func Kernels() []Kernel {
	return []Kernel{KernelAuto, KernelLength, KernelDirection, KernelWeight, KernelFeatures, KernelBinary}
}

// ParseKernel reads the name of a kernel.
func ParseKernel(text string) (Kernel, error) {
	if k := Kernel(text); slices.Contains(Kernels(), k) {
		return k, nil
	}
	var names []string
	for _, k := range Kernels() {
		names = append(names, string(k))
	}
	return "", fmt.Errorf("graphs: kernel %q: want %s", text, suggest.OneOf(names...))
}

// chosen returns the kernel for two graphs with edges by a rule, or an error if they
// have not what it needs.
func (k Kernel) chosen(g1, g2 *graphs.Graph, j Joins) (Kernel, error) {
	given := j.Rule == JoinGiven
	has := map[Kernel]func(*graphs.Graph) bool{
		KernelLength:    func(g *graphs.Graph) bool { return g.Points != nil },
		KernelDirection: func(g *graphs.Graph) bool { return g.Dimensions() == 2 },
		KernelWeight:    func(g *graphs.Graph) bool { return given && g.Weights != nil },
		KernelFeatures: func(g *graphs.Graph) bool {
			return given && (g.Relation != nil || g.EdgeWords != nil || g.EdgeNumbers != nil)
		},
		KernelBinary: func(*graphs.Graph) bool { return true },
	}
	if k == "" || k == KernelAuto {
		for _, k := range []Kernel{KernelFeatures, KernelWeight, KernelLength} {
			if has[k](g1) && has[k](g2) {
				return k.checked(g1, g2)
			}
		}
		return KernelBinary, nil
	}
	if _, known := has[k]; !known {
		_, err := ParseKernel(string(k))
		return k, err
	}
	if !has[k](g1) || !has[k](g2) {
		wants := map[Kernel]string{
			KernelLength: "points", KernelDirection: "points of the plane", KernelWeight: "given edges with weights", KernelFeatures: "given edges with features",
		}
		return k, fmt.Errorf("graphs: the kernel %s needs %s, which %s does not have", k, wants[k], without(g1, g2, has[k]))
	}
	return k.checked(g1, g2)
}

// checked refuses features of different lengths.
func (k Kernel) checked(g1, g2 *graphs.Graph) (Kernel, error) {
	if n1, n2 := graphs.Width(g1.Relation), graphs.Width(g2.Relation); k == KernelFeatures && n1 != n2 && n1 > 0 && n2 > 0 {
		return k, fmt.Errorf("graphs: edges have %d features in %s and %d in %s: want as many", n1, g1.Name, n2, g2.Name)
	}
	return k, nil
}

// A quantity is what edges, or nodes, are compared by: one number each.
type quantity struct {
	name     string
	of1, of2 []float64
	isAngle  bool
	isWord   bool    // the numbers stand for words, which are the same or not
	width    float64 // of the squared difference
	unknown  float64 // the squared difference that one counts as where a value is unknown: that of a typical pair
}

// squared returns the squared difference of two values.
func (q *quantity) squared(u, v float64) float64 {
	if math.IsNaN(u) || math.IsNaN(v) {
		return q.unknown
	}
	return square(q.difference(u, v))
}

// known returns the values that are.
func known(values []float64) []float64 {
	if graphs.Known(values) {
		return values
	}
	return slices.DeleteFunc(slices.Clone(values), math.IsNaN)
}

// difference returns that of two values.
func (q *quantity) difference(u, v float64) float64 {
	switch {
	case q.isAngle:
		return affinities.Angle(u - v)
	case q.isWord && u != v:
		return 1
	}
	return u - v
}

// The widths are these shares of the median squared difference between the graphs,
// which is one of random pairs. On generated points, noisy and with outliers, F1 is flat
// about them, from half to twice.
const (
	lengthShare    = 0.5
	directionShare = 0.1
)

// measure chooses the width from the data, and reports whether the quantity tells edges
// apart at all.
func (q *quantity) measure() bool {
	const most = 150 // values of each graph, or almost twice: an even sample
	sample := func(values []float64) []float64 {
		step := max(1, len(values)/most)
		var some []float64
		for k := 0; k < len(values); k += step {
			some = append(some, values[k])
		}
		return some
	}
	var squares []float64
	sum, apart := 0.0, 0
	of2 := sample(known(q.of2))
	for _, u := range sample(known(q.of1)) {
		for _, v := range of2 {
			d := square(q.difference(u, v))
			squares = append(squares, d)
			if d > 0 {
				sum += d
				apart++
			}
		}
	}
	if len(squares) == 0 {
		return false
	}
	if apart == 0 { // all are alike, or all but some that the sample does not have
		all := known(slices.Concat(q.of1, q.of2))
		for _, v := range all {
			if d := square(q.difference(all[0], v)); d > 0 {
				sum, apart = sum+d, apart+1
			}
		}
	}
	if apart == 0 {
		return false
	}
	slices.Sort(squares)
	typical := squares[len(squares)/2]
	if typical == 0 { // most are alike: the others tell the scale
		typical = sum / float64(apart)
	}
	share := lengthShare
	if q.isAngle {
		share = directionShare
	}
	q.width, q.unknown = share*typical, typical
	return q.width > 0 && finite(q.width)
}

// quantities are compared together.
type quantities []quantity

// averaged returns quantities whose differences count as their mean, however many they
// are.
func (all quantities) averaged(ctx context.Context) quantities {
	kept := all.measured(ctx)
	for k := range kept {
		kept[k].width *= float64(len(kept))
	}
	return kept
}

// names returns what quantities of nodes are called.
func (all quantities) names() string {
	var names []string
	for _, q := range all {
		names = append(names, q.name)
	}
	return "the nodes' " + strings.Join(names, ", ")
}

// measured returns the quantities that tell anything apart, with their widths.
func (all quantities) measured(ctx context.Context) quantities {
	var kept quantities
	for _, q := range all {
		if ctx.Err() != nil {
			break
		}
		if q.measure() {
			kept = append(kept, q)
		}
	}
	return kept
}

// alike returns exp(−Σ Δ²/width) of the e-th thing of graph 1 and the f-th of graph 2.
func (all quantities) alike(e, f int) float64 {
	exponent := 0.0
	for k := range all {
		q := &all[k]
		exponent += q.squared(q.of1[e], q.of2[f]) / q.width
	}
	return math.Exp(-exponent)
}

// alikeUntil returns alike, which is 0 once ctx has ended.
func (all quantities) alikeUntil(ctx context.Context) func(e, f int) float64 {
	clock := clock{ctx: ctx}
	return func(e, f int) float64 {
		if clock.ended(len(all)) {
			return 0
		}
		return all.alike(e, f)
	}
}

// clock tells within a loop whether a context has ended, which it asks now and then.
type clock struct {
	ctx  context.Context
	work int // since it last asked
	over bool
}

// ended counts the numbers that the next turn of the loop looks at.
func (c *clock) ended(numbers int) bool {
	const often = 1 << 16 // numbers: a fraction of a millisecond
	if c.work += numbers + 1; c.work > often {
		c.work, c.over = 0, c.ctx.Err() != nil
	}
	return c.over
}

// String returns the formula.
func (all quantities) String() string {
	if len(all) == 0 {
		return "1"
	}
	var terms []string
	for _, q := range all {
		if q.isWord {
			terms = append(terms, fmt.Sprintf("[%s differs]/%.3g", q.name, q.width))
			continue
		}
		terms = append(terms, fmt.Sprintf("(d%s)^2/%.3g", q.name, q.width))
	}
	return "exp(-" + strings.Join(terms, " - ") + ")"
}

// ofColumns returns a quantity for each column of two sets of vectors, called by its name,
// or by its owner and its number where columns have no names.
func ofColumns(owner string, names []string, vectors1, vectors2 [][]float64) quantities {
	all := make(quantities, graphs.Width(vectors1))
	for c := range all {
		all[c].name = fmt.Sprintf("%s%d", owner, c)
		if names != nil {
			all[c].name = names[c]
		}
		for _, v := range vectors1 {
			all[c].of1 = append(all[c].of1, v[c])
		}
		for _, v := range vectors2 {
			all[c].of2 = append(all[c].of2, v[c])
		}
	}
	return all
}

// ofWords returns a quantity for each attribute of words, which both have in one order.
func ofWords(words1, words2 []graphs.Attribute[string]) quantities {
	all := make(quantities, len(words1))
	for k := range all {
		numbers := map[string]float64{}
		of := func(words []string) []float64 {
			values := make([]float64, len(words))
			for k, word := range words {
				v, known := numbers[word]
				if !known {
					v = float64(len(numbers))
					numbers[word] = v
				}
				values[k] = v
			}
			return values
		}
		all[k] = quantity{name: words1[k].Name, of1: of(words1[k].Values), of2: of(words2[k].Values), isWord: true}
	}
	return all
}

// ofNodeWords is ofWords of nodes, whose empty words are unknown.
func ofNodeWords(words1, words2 []graphs.Attribute[string]) quantities {
	all := ofWords(words1, words2)
	for c := range all {
		for k, word := range words1[c].Values {
			if word == "" {
				all[c].of1[k] = math.NaN()
			}
		}
		for k, word := range words2[c].Values {
			if word == "" {
				all[c].of2[k] = math.NaN()
			}
		}
	}
	return all
}

func square(v float64) float64 { return v * v }

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

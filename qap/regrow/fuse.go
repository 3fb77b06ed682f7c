package regrow

import (
	"math"
	"math/bits"

	"github.com/rgm-go/rgm/qap"
)

// fuse goes to the best matching that takes each part in which the present one and the
// best differ from either of them.
//
// The matches that only one of the two has make a graph where those that share
// a node are joined; its connected parts are paths and cycles, each of which can be
// taken from either matching whatever is taken of the others. So what to take of each
// is a quadratic problem in a binary variable a part. It is solved by enumeration where
// there are few parts, else by the best change of one part, again and again, from
// either matching.
func (r *run) fuse() {
	f := r.parts()
	if f.count > 0 {
		r.take(f, r.solve(f))
		r.trim()
		r.keep()
	}
	r.goTo(r.best)
}

// fusion is the problem of fusing two matchings.
type fusion struct {
	ours, theirs qap.Matching // the present matching and the best
	count        int          // parts
	part         []int        // of the nodes of graph 1; −1 where the matchings agree
	sizes        []int        // matches more, if it is taken from theirs
	change       []float64    // of the score, if one part is taken from theirs
	joint        []float64    // and what is added if two are, symmetric, count×count
}

// parts finds the connected parts and what they bring.
func (r *run) parts() *fusion {
	f := &fusion{ours: r.Match.Clone(), theirs: r.best, part: make([]int, r.N1)}
	theirInverse := qap.NewMatching(r.N2)
	for i, a := range f.theirs {
		f.part[i] = -1
		if a != qap.Unmatched {
			theirInverse[a] = i
		}
	}
	for i := range f.part {
		if f.ours[i] != f.theirs[i] && f.part[i] < 0 {
			r.spreadPart(f, i, theirInverse)
			f.count++
		}
	}
	f.sizes, f.change, f.joint = make([]int, f.count), make([]float64, f.count), make([]float64, f.count*f.count)
	r.weigh(f)
	return f
}

// spreadPart gives all nodes of the connected part of node i its number.
func (r *run) spreadPart(f *fusion, i int, theirInverse qap.Matching) {
	pending := []int{i}
	f.part[i] = f.count
	for len(pending) > 0 {
		i := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for _, a := range [2]int{f.ours[i], f.theirs[i]} {
			if a == qap.Unmatched {
				continue
			}
			for _, k := range [2]int{r.Inverse[a], theirInverse[a]} {
				if k != qap.Unmatched && f.part[k] < 0 {
					f.part[k] = f.count
					pending = append(pending, k)
				}
			}
		}
	}
}

// weigh computes what the parts bring: by K between the matches that come (weight 1)
// and those that go (−1), of each part and of every two.
func (r *run) weigh(f *fusion) {
	for i, c := range f.part {
		if c < 0 {
			continue
		}
		if a := f.ours[i]; a != qap.Unmatched {
			f.change[c] -= r.Gains[i*r.N2+a]
			f.sizes[c]--
			r.weighMatch(f, i, a, -1)
		}
		if a := f.theirs[i]; a != qap.Unmatched {
			f.change[c] += r.Gains[i*r.N2+a]
			f.sizes[c]++
			r.weighMatch(f, i, a, 1)
		}
	}
}

// weighMatch adds what the match (i,a) shares with those of lower nodes.
func (r *run) weighMatch(f *fusion, i, a int, weight float64) {
	c, v := f.part[i], i*r.N2+a
	add := func(j int, between float64) {
		if d := f.part[j]; d == c {
			f.change[c] += between
		} else {
			f.joint[c*f.count+d] += between
			f.joint[d*f.count+c] += between
		}
	}
	if r.sparse != nil {
		columns, values := r.sparse.RowEntries(v, r.q, r.k)
		for k, q := range columns {
			j, b := int(q)/r.N2, int(q)%r.N2
			if j >= i || f.part[j] < 0 {
				continue
			}
			if f.ours[j] == b {
				add(j, -2*weight*values[k])
			}
			if f.theirs[j] == b {
				add(j, 2*weight*values[k])
			}
		}
		return
	}
	for j := range i {
		if f.part[j] < 0 {
			continue
		}
		if b := f.ours[j]; b != qap.Unmatched && b != a {
			add(j, -2*weight*r.Affinity.At(v, j*r.N2+b))
		}
		if b := f.theirs[j]; b != qap.Unmatched && b != a {
			add(j, 2*weight*r.Affinity.At(v, j*r.N2+b))
		}
	}
}

// choice says which parts are taken from theirs.
type choice struct {
	theirs []bool
	field  []float64 // of each part: its change, given the others
	score  float64   // of the matching
	size   int
	value  float64
}

func (r *run) ours(f *fusion) *choice {
	return &choice{
		theirs: make([]bool, f.count), field: append([]float64{}, f.change...),
		score: r.Score, size: r.Size, value: r.value(),
	}
}

// flip takes part c from the other matching.
func (r *run) flip(f *fusion, x *choice, c int) {
	sign := 1.
	if x.theirs[c] {
		sign = -1
	}
	x.theirs[c] = !x.theirs[c]
	x.score += sign * x.field[c]
	x.size += int(sign) * f.sizes[c]
	for d := range x.field {
		x.field[d] += sign * f.joint[c*f.count+d]
	}
	x.value = r.solutionValue(x.score, x.size)
}

// solutionValue is valueOf where that is one of a solution, else −Inf.
func (r *run) solutionValue(score float64, size int) float64 {
	if size < r.least || size > r.most {
		return math.Inf(-1)
	}
	return r.valueOf(score, size)
}

// fewParts is up to how many parts all choices are tried.
const fewParts = 12

// solve returns the parts to take from theirs.
func (r *run) solve(f *fusion) []bool {
	x := r.ours(f)
	if f.count > fewParts {
		return r.ascend(f, x)
	}
	best, value := append([]bool{}, x.theirs...), x.value
	for k := 1; k < 1<<f.count; k++ { // by Gray's code, one flip leads to the next choice
		r.flip(f, x, bits.TrailingZeros(uint(k)))
		if x.value > value {
			value = x.value
			copy(best, x.theirs)
		}
	}
	return best
}

// ascend flips the best part as long as that raises the value, from ours and from
// theirs, and returns the better end.
func (r *run) ascend(f *fusion, x *choice) []bool {
	y := r.ours(f)
	for c := range f.count {
		r.flip(f, y, c)
	}
	for _, z := range []*choice{x, y} {
		for r.flipBest(f, z) {
		}
	}
	if y.value > x.value {
		return y.theirs
	}
	return x.theirs
}

// flipBest makes the flip that raises the value most; false where there is none.
func (r *run) flipBest(f *fusion, x *choice) bool {
	best, at := x.value+rounding*math.Abs(x.value), -1
	for c, taken := range x.theirs {
		sign := 1.
		if taken {
			sign = -1
		}
		if v := r.solutionValue(x.score+sign*x.field[c], x.size+int(sign)*f.sizes[c]); v > best {
			best, at = v, c
		}
	}
	if at >= 0 {
		r.flip(f, x, at)
	}
	return at >= 0
}

// take goes to a choice.
func (r *run) take(f *fusion, theirs []bool) {
	fused := f.ours.Clone()
	for i, c := range f.part {
		if c >= 0 && theirs[c] {
			fused[i] = f.theirs[i]
		}
	}
	r.goTo(fused)
}

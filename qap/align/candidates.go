package align

import "math"

// candidates are the likely partners of each node of graph 1, the likeliest first.
type candidates struct {
	most  int // of a node
	count []int32
	to    []int32   // [n1][most]
	p     []float32 // [n1][most]: how likely, 0 to 1
}

func newCandidates(n1, most int) *candidates {
	return &candidates{most, make([]int32, n1), make([]int32, n1*most), make([]float32, n1*most)}
}

// of returns the partners of node i and how likely each is.
func (c *candidates) of(i int) (to []int32, p []float32) {
	low := i * c.most
	high := low + int(c.count[i])
	return c.to[low:high], c.p[low:high]
}

// add puts a partner at its rank, if it is among the best and likely at all.
func (c *candidates) add(i int, to int32, p float32) {
	if p <= c.least(i) {
		return
	}
	low, n := i*c.most, int(c.count[i])
	if n == c.most {
		n--
	} else {
		c.count[i]++
	}
	k := low + n
	for k > low && c.p[k-1] < p {
		c.to[k], c.p[k] = c.to[k-1], c.p[k-1]
		k--
	}
	c.to[k], c.p[k] = to, p
}

// least returns what a further partner of node i must exceed.
func (c *candidates) least(i int) float32 {
	if int(c.count[i]) < c.most {
		return 0
	}
	return c.p[i*c.most+c.most-1]
}

// only makes one partner the only one.
func (c *candidates) only(i int, to int32) {
	c.count[i] = 0
	c.add(i, to, 1)
}

// copyFrom takes over a node's partners, as many as there is place for.
func (c *candidates) copyFrom(other *candidates, i int) {
	to, p := other.of(i)
	c.count[i] = int32(copy(c.to[i*c.most:(i+1)*c.most], to))
	copy(c.p[i*c.most:(i+1)*c.most], p)
}

const (
	sweeps = 3    // of scaling
	prune  = 0.05 // of a node's likeliest partner: what is less likely is dropped
)

// scale makes the lists nearly doubly stochastic: rows sum to 1, and columns that sum to more
// are divided (Sinkhorn's iteration on the lists). It sorts and prunes them.
func (c *candidates) scale(n2 int) {
	columns := make([]float32, n2)
	for range sweeps {
		clear(columns)
		for i := range c.count {
			to, p := c.of(i)
			var sum float32
			for _, v := range p {
				sum += v
			}
			if sum <= 0 {
				continue
			}
			for k := range p {
				p[k] /= sum
				columns[to[k]] += p[k]
			}
		}
		for i := range c.count {
			to, p := c.of(i)
			for k := range p {
				if s := columns[to[k]]; s > 1 {
					p[k] /= s
				}
			}
		}
	}
	for i := range c.count {
		to, p := c.of(i)
		for k := 1; k < len(p); k++ {
			for l := k; l > 0 && p[l-1] < p[l]; l-- {
				p[l-1], p[l], to[l-1], to[l] = p[l], p[l-1], to[l], to[l-1]
			}
		}
		n := len(p)
		for n > 1 && p[n-1] < prune*p[0] {
			n--
		}
		c.count[i] = int32(n)
	}
}

// confidence returns the mean of how likely the likeliest partners are.
func (c *candidates) confidence() float64 {
	sum := 0.0
	for i, n := range c.count {
		if n > 0 {
			sum += float64(c.p[i*c.most])
		}
	}
	return sum / float64(max(1, len(c.count)))
}

// greedy returns the matching of the likeliest pairs that do not conflict, and then those of
// before, nil for none, that conflict with none of them.
func (c *candidates) greedy(n2 int, before matching) matching {
	m, taken := newMatching(len(c.count)), make([]bool, n2)
	for _, at := range c.likeliest() {
		if i, j := int(at)/c.most, c.to[at]; m[i] == none && !taken[j] {
			m[i], taken[j] = j, true
		}
	}
	for i, j := range before {
		if m[i] == none && j != none && !taken[j] {
			m[i], taken[j] = j, true
		}
	}
	return m
}

// Digits of a radix sort of 32 bits.
const (
	digitBits = 11
	digits    = 3
)

// likeliest returns where in to all candidates are, the likeliest first and of equal ones the first.
func (c *candidates) likeliest() []uint32 {
	total := 0
	for _, n := range c.count {
		total += int(n)
	}
	order, sorted := make([]uint32, 0, total), make([]uint32, total)
	var starts [digits][1<<digitBits + 1]int32 // of each digit, where those begin that have it
	for i, n := range c.count {
		for at := i * c.most; at < i*c.most+int(n); at++ {
			order = append(order, uint32(at))
			for d := range starts {
				starts[d][digit(c.p[at], d)+1]++
			}
		}
	}
	for d := range starts {
		next := starts[d][:]
		for k := range 1 << digitBits {
			next[k+1] += next[k]
		}
		for _, at := range order {
			k := digit(c.p[at], d)
			sorted[next[k]] = at
			next[k]++
		}
		order, sorted = sorted, order
	}
	return order
}

// digit returns a digit of the key of a positive number, which is the less the greater the number.
func digit(p float32, d int) uint32 {
	return ^math.Float32bits(p) >> (d * digitBits) & (1<<digitBits - 1)
}

// matching has the node of graph 2 for every node of graph 1, or none.
type matching []int32

const none = -1

func newMatching(n1 int) matching {
	m := make(matching, n1)
	for i := range m {
		m[i] = none
	}
	return m
}

// inverted returns the node of graph 1 for every node of graph 2, or none.
func (m matching) inverted(n2 int) matching {
	y := newMatching(n2)
	for i, j := range m {
		if j != none {
			y[j] = int32(i)
		}
	}
	return y
}

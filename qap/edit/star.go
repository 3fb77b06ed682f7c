package edit

// A star is a node with its edges. Matching nodes i and a can save at most what the best matching of their edges does,
// every edge counted at both of its ends.

// Stars of few edges are matched by sets: of at most setSize edges at one of them, largeStar at the other.
const (
	setSize   = 5
	largeStar = 8
)

// matcher finds the best matchings of the edges of two stars.
type matcher struct {
	assigner assigner
	best     [1 << setSize]int32
	weight   []int32
	after    []int32
}

// value returns the largest sum of weights over matchings, partial ones too, of rows and columns.
func (m *matcher) value(weight []int32, rows, columns int) int {
	switch small := min(rows, columns); {
	case small == 0:
		return 0
	case small > setSize || max(rows, columns) > largeStar:
		return m.assigner.solve(rows, columns, weight, columns, true)
	case rows < columns:
		return m.sets(weight, columns, rows, 1, columns)
	}
	return m.sets(weight, rows, columns, columns, 1)
}

// sets matches one row after another with the columns of each set, of which there are few.
func (m *matcher) sets(weight []int32, rows, columns, nextRow, nextColumn int) int {
	if columns == 1 {
		most := int32(0)
		for x := range rows {
			most = max(most, weight[x*nextRow])
		}
		return int(most)
	}
	if columns == 2 {
		first, second, both := int32(0), int32(0), int32(0)
		for at := 0; at < rows*nextRow; at += nextRow {
			x, y := weight[at], weight[at+nextColumn]
			both = max(both, first+y, second+x)
			first, second = max(first, x), max(second, y)
		}
		return int(both)
	}
	if columns == 3 {
		return threeSets(weight, rows, nextRow, nextColumn)
	}
	if columns == 4 && rows == 4 {
		return fourByFour(weight)
	}
	best := m.best[:1<<columns]
	clear(best)
	for x := range rows {
		row := weight[x*nextRow:]
		for set := len(best) - 1; set > 0; set-- {
			value := best[set]
			for y, bit := 0, 1; bit <= set; y, bit = y+1, bit<<1 {
				if set&bit != 0 {
					value = max(value, best[set&^bit]+row[y*nextColumn])
				}
			}
			best[set] = value
		}
	}
	return int(best[len(best)-1])
}

// threeSets is sets of three columns.
func threeSets(weight []int32, rows, nextRow, nextColumn int) int {
	var b1, b2, b4, b3, b5, b6, b7 int32
	for at := 0; at < rows*nextRow; at += nextRow {
		x, y, z := weight[at], weight[at+nextColumn], weight[at+2*nextColumn]
		b7 = max(b7, b6+x, b5+y, b3+z)
		b3, b5, b6 = max(b3, b2+x, b1+y), max(b5, b4+x, b1+z), max(b6, b4+y, b2+z)
		b1, b2, b4 = max(b1, x), max(b2, y), max(b4, z)
	}
	return int(b7)
}

// fourByFour matches four rows with four columns: two columns for the first two rows, the others for the last two.
func fourByFour(weight []int32) int {
	w := (*[16]int32)(weight)
	x0, x1, x2, x3 := max(w[0], 0), max(w[1], 0), max(w[2], 0), max(w[3], 0)
	y0, y1, y2, y3 := max(w[4], 0), max(w[5], 0), max(w[6], 0), max(w[7], 0)
	z0, z1, z2, z3 := max(w[8], 0), max(w[9], 0), max(w[10], 0), max(w[11], 0)
	u0, u1, u2, u3 := max(w[12], 0), max(w[13], 0), max(w[14], 0), max(w[15], 0)
	return int(max(
		max(x0+y1, x1+y0)+max(z2+u3, z3+u2),
		max(x0+y2, x2+y0)+max(z1+u3, z3+u1),
		max(x0+y3, x3+y0)+max(z1+u2, z2+u1),
		max(x1+y2, x2+y1)+max(z0+u3, z3+u0),
		max(x1+y3, x3+y1)+max(z0+u2, z2+u0),
		max(x2+y3, x3+y2)+max(z0+u1, z1+u0)))
}

// types returns what stars of edges of given types, as rows and columns of pair.edge, save at most.
func (m *matcher) types(p *pair, rows, columns []arc) int {
	if len(rows) == 0 || len(columns) == 0 {
		return 0
	}
	m.weight = resized(m.weight, len(rows)*len(columns))
	for x, r := range rows {
		for y, c := range columns {
			m.weight[x*len(columns)+y] = p.edge[r.row+c.row]
		}
	}
	return m.value(m.weight, len(rows), len(columns))
}

// levels tells whether edges save one of two amounts: more where their types are partners, each of at most one. Then
// stars are matched by counting.
type levels struct {
	two     bool
	low     int     // saved by any two edges
	more    int     // by partners besides
	partner []int32 // by type in graph 1, -1 where there is none
	taken   []bool
}

func (l *levels) set(p *pair) {
	ones, twos := len(p.g1.types), len(p.g2.types)
	l.partner, l.taken, l.two = resized(l.partner, ones), resized(l.taken, twos), true
	clear(l.taken)
	low := p.most
	for x := range ones {
		for _, saved := range p.edge[x*p.columns+1:][:twos] {
			low = min(low, saved)
		}
	}
	if ones*twos == 1 { // all the same: no partners needed
		l.low, l.more, l.partner[0] = int(low), 0, -1
		return
	}
	l.low, l.more = int(low), int(p.most-low)
	for x := range ones {
		l.partner[x] = -1
		for y, saved := range p.edge[x*p.columns+1:][:twos] {
			switch {
			case saved == low:
			case saved != p.most || l.partner[x] >= 0 || l.taken[y]:
				l.two = false
				return
			default:
				l.partner[x], l.taken[y] = int32(y), true
			}
		}
	}
}

// star returns what the best matching of stars saves, given how many edges each has by type.
func (l *levels) star(degree1, degree2 int32, count1, count2 []int32) int {
	saved := l.low * int(min(degree1, degree2))
	if l.more == 0 {
		return saved
	}
	partners := int32(0)
	for x, y := range l.partner {
		if y >= 0 {
			partners += min(count1[x], count2[y])
		}
	}
	return saved + l.more*int(partners)
}

// census counts the edges of each node by type, as far as they lead to nodes that are not placed.
type census struct {
	types  int
	degree []int32
	count  []int32 // [node, type]
}

// set counts all edges; columns of types begin at first, every step.
func (c *census) set(g *adjacent, n int, first, step int32) {
	c.types = len(g.types)
	c.degree, c.count = resized(c.degree, n), resized(c.count, n*c.types)
	clear(c.count)
	for i := range n {
		arcs := g.of(int32(i))
		c.degree[i] = int32(len(arcs))
		for _, arc := range arcs {
			c.count[i*c.types+int((arc.row-first)/step)]++
		}
	}
}

// ofTwins is set, of a member of each class.
func (c *census) ofTwins(g *adjacent, t *twins, first, step int32) {
	c.types = len(g.types)
	c.degree, c.count = resized(c.degree, t.count()), resized(c.count, t.count()*c.types)
	clear(c.count)
	for class := range t.count() {
		arcs := g.of(t.members(int32(class))[0])
		c.degree[class] = int32(len(arcs))
		for _, arc := range arcs {
			c.count[class*c.types+int((arc.row-first)/step)]++
		}
	}
}

func (c *census) of(i int) []int32 { return c.count[i*c.types:][:c.types] }

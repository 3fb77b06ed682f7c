package population

import "github.com/rgm-go/rgm/qap/tabu"

// Settings are the parameters of a search.
type Settings struct {
	Size     int          // members, at least 2
	Children int          // children without a better best that end a round
	Rounds   int          // rounds without a better best after which all members are random again; 0 is never
	Segment  float64      // swaps without a better best that end a tabu search, ·n
	Tenure   tabu.Tenure  // of the tabu searches
	Disturb  float64      // share of the facilities that a disturbed member moves
	Uniform  float64      // share of uniform crossovers, the others take a block
	Around   Neighborhood // of blocks
	Grown    float64      // share of children that are grown from a part of a member, not crossed or disturbed
	Anew     float64      // share of those that keep a single facility of the member
}

// Neighborhood says which nodes are around another.
type Neighborhood int

const (
	Least Neighborhood = iota // those of least flow or distance to it
	Most                      // those of most
)

// Short are settings with many short searches, for most instances.
func Short() Settings {
	return Settings{Size: 30, Children: 15, Rounds: 12, Segment: 0.3, Tenure: tabu.ShortTenure, Disturb: 0.3, Around: Least}
}

// Blocks are settings with many members and searches that hardly outlast their descent, for
// blocks on several levels: members are good in different blocks, and children bring these
// together.
func Blocks() Settings {
	return Settings{Size: 60, Children: 60, Rounds: 12, Segment: 0.05, Tenure: tabu.ShortTenure, Disturb: 0.3, Around: Least}
}

// Long are settings with few long searches: for narrow funnels.
func Long() Settings {
	return Settings{Size: 15, Children: 15, Rounds: 12, Segment: 10, Tenure: tabu.LongTenure, Disturb: 0.3, Uniform: 0.5, Around: Most}
}

// Grown are settings whose children grow, for few flows between distances without
// structure: a good place for one facility says where its partners belong.
func Grown() Settings {
	return Settings{Size: 15, Children: 15, Rounds: 12, Segment: 1, Tenure: tabu.ShortTenure, Disturb: 0.3, Around: Least, Grown: 1, Anew: 0.1}
}

// GrownAmongNeighbors are Grown where partners have partners in common, so that few places of a
// child are wrong, and short searches mend them.
func GrownAmongNeighbors() Settings {
	s := Grown()
	s.Segment, s.Anew = 0.1, 0.3
	return s
}

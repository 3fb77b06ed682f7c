package population

import (
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu"
)

// Settings are the parameters of a search.
type Settings struct {
	Size     int          // members at first, at least 2
	Growth   int          // rounds after which there is a member more, up to three times Size; 0 is never
	Children int          // children without a better best that end a round
	Segment  float64      // swaps without a better best that end a tabu search, ·n
	Tenure   tabu.Tenure  // of the tabu searches
	Disturb  float64      // share of the facilities that a disturbed member moves
	Uniform  float64      // share of uniform crossovers, the others take a block
	Around   Neighborhood // of blocks
}

// Neighborhood says which nodes are around another.
type Neighborhood int

const (
	Least Neighborhood = iota // those of least flow or distance to it
	Most                      // those of most
)

// Short are settings with many short searches: for structure on several levels.
func Short() Settings {
	return Settings{Size: 30, Growth: 10, Children: 15, Segment: 0.3, Tenure: tabu.ShortTenure, Disturb: 0.3, Around: Least}
}

// Long are settings with few long searches: for narrow funnels.
func Long() Settings {
	return Settings{Size: 15, Children: 15, Segment: 10, Tenure: tabu.LongTenure, Disturb: 0.3, Uniform: 0.5, Around: Most}
}

// Default returns the settings that suit an instance.
func Default(in *qap.Instance) Settings { return Short() }

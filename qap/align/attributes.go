package align

import (
	"errors"
	"fmt"
	"math"

	"github.com/rgm-go/rgm/internal/kdtree"
)

// Attributes say what nodes have besides edges: how likely partners are, and what pairs count for
// in the objective.
type Attributes struct {
	// X and Y hold Width numbers for each node of A and of B: of the partners of a node, one at
	// distance d is exp(−d²/4) times as likely as one at distance 0.
	Width int
	X, Y  []float32

	// Score says how much the attributes speak for a pair, up to 1, or against it, from −1, and
	// Weight how many edges a score of 1 counts for in the objective. Goroutines call Score side
	// by side.
	Score  func(i, j int) float64
	Weight float64
}

func (a *Attributes) check(n1, n2 int) error {
	switch {
	case a == nil:
		return nil
	case a.Score == nil:
		return errors.New("align: attributes without scores")
	case len(a.X) != n1*a.Width || len(a.Y) != n2*a.Width:
		return fmt.Errorf("align: %d and %d numbers of attributes: want %d a node", len(a.X), len(a.Y), a.Width)
	}
	return nil
}

// likely returns how likely a partner is, 1 for one at distance 0.
func (a *Attributes) likely(i, j int) float32 {
	w := a.Width
	return float32(math.Exp(-float64(kdtree.Squared(a.X[i*w:(i+1)*w], a.Y[j*w:(j+1)*w])) / 4))
}

// mirrored returns the attributes with the graphs exchanged.
func (a *Attributes) mirrored() *Attributes {
	if a == nil {
		return nil
	}
	return &Attributes{Width: a.Width, X: a.Y, Y: a.X, Weight: a.Weight, Score: func(j, i int) float64 { return a.Score(i, j) }}
}

// beside returns the rows of a table with those of attributes behind them.
func (t table) beside(attributes []float32, width int) table {
	if width == 0 {
		return t
	}
	wide := newTable(t.rows(), t.width+width)
	for i := range t.rows() {
		copy(wide.row(i)[copy(wide.row(i), t.row(i)):], attributes[i*width:(i+1)*width])
	}
	return wide
}

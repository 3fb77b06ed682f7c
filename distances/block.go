package distances

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/rgm-go/rgm/datasets/costs"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/edit"
)

// A Block is pairs of a collection that are measured elsewhere: of each graph of a part's rows with each of its columns or,
// where Triangle, with those in columns before it.
type Block struct {
	Part     *costs.Part `json:"part"`
	Triangle bool        `json:"triangle,omitempty"`

	firstRow, firstColumn int // in the collection
}

// Found is what is known of the pairs of a block, in their order: by rows, then by columns.
type Found struct {
	Distance []float64 `json:"distance"`
	Lower    []float64 `json:"lower_bound"`
	Proved   []bool    `json:"proved"`
	Steps    int       `json:"steps"`
	Seconds  float64   `json:"seconds"`
}

// pairs returns the rows and columns.
func (b *Block) pairs() (all [][2]int) {
	rows, columns := b.Part.Size()
	for i := range rows {
		for j := range columns {
			if !b.Triangle || j < i {
				all = append(all, [2]int{i, j})
			}
		}
	}
	return all
}

// ReadBlock reads what json.Marshal wrote of a block.
func ReadBlock(text []byte) (*Block, error) {
	b := &Block{}
	if err := json.Unmarshal(text, b); err != nil {
		return nil, err
	}
	if b.Part == nil {
		return nil, errors.New("a block without a part")
	}
	_, err := b.Part.Problems()
	return b, err
}

// Measure finds the distances of a block. Where ctx ends it returns its error, and nothing.
func (b *Block) Measure(ctx context.Context, o Options) (*Found, error) {
	began := time.Now()
	problem, err := b.Part.Problems()
	if err != nil {
		return nil, err
	}
	var s edit.Solver
	f := &Found{}
	for _, at := range b.pairs() {
		p, err := o.search(ctx, &s, problem, at[0], at[1])
		switch {
		case err != nil:
			return nil, err
		case p.Status.Interrupted():
			return nil, context.Cause(ctx)
		}
		f.Distance, f.Lower, f.Proved = append(f.Distance, p.Cost), append(f.Lower, p.Lower), append(f.Proved, p.Proved())
		f.Steps += p.Steps
	}
	f.Seconds = time.Since(began).Seconds()
	return f, nil
}

// Pairs returns the pairs of the collection that a block's distances are of.
func (b *Block) Pairs(f *Found) ([]Pair, error) {
	at := b.pairs()
	if len(f.Distance) != len(at) || len(f.Lower) != len(at) || len(f.Proved) != len(at) {
		return nil, fmt.Errorf("%d distances, %d lower bounds and %d proofs of %d pairs", len(f.Distance), len(f.Lower), len(f.Proved), len(at))
	}
	all := make([]Pair, len(at))
	for k, p := range at {
		all[k] = Pair{I: b.firstRow + p[0], J: b.firstColumn + p[1], Cost: f.Distance[k], Lower: f.Lower[k], Status: qap.TimeLimit}
		if f.Proved[k] {
			all[k].Status = qap.Optimal
		}
	}
	return all, nil
}

// Blocks are of so many graphs in rows and columns, fewer where a pair has long,
const (
	sideOfBlock = 32
	timeOfBlock = 30 * time.Second // or where their tables have many costs.
	mostCosts   = 1 << 16
)

// Blocks yields blocks that have all pairs of a collection but those of which all are known by their numbers, to be measured
// in any order.
func Blocks(c *costs.Collection, known func(number int) bool, o Options) func(yield func(*Block, error) bool) {
	side := sideOfBlock
	if o.TimeLimit > 0 {
		side = max(1, min(side, int(math.Sqrt(float64(timeOfBlock/o.TimeLimit)))))
	}
	return func(yield func(*Block, error) bool) {
		for i := 0; i < c.Len(); i += side {
			for j := 0; j <= i; j += side {
				if !cut(c, known, [4]int{i, min(i+side, c.Len()), j, min(j+side, c.Len())}, yield) {
					return
				}
			}
		}
	}
}

// cut yields a block of rows and columns, each from a first to an end, or its quarters where it is too large.
func cut(c *costs.Collection, known func(int) bool, at [4]int, yield func(*Block, error) bool) (goOn bool) {
	i, endI, j, endJ := at[0], at[1], at[2], at[3]
	if allKnown(known, at) {
		return true
	}
	part, err := c.Part(i, endI, j, endJ)
	if err != nil {
		return yield(nil, err)
	}
	if large := max(len(part.Nodes.Substitute), len(part.Edges.Substitute)) > mostCosts; !large || endI-i == 1 && endJ-j == 1 {
		return yield(&Block{Part: part, Triangle: i == j, firstRow: i, firstColumn: j}, nil)
	}
	middleI, middleJ := (i+endI+1)/2, (j+endJ+1)/2
	for _, quarter := range [][4]int{{i, middleI, j, middleJ}, {i, middleI, middleJ, endJ}, {middleI, endI, j, middleJ}, {middleI, endI, middleJ, endJ}} {
		if quarter[0] < quarter[1] && quarter[2] < quarter[3] && quarter[2] < quarter[1] && !cut(c, known, quarter, yield) {
			return false
		}
	}
	return true
}

// allKnown reports whether rows and columns have no pair of which the first is later that is not known.
func allKnown(known func(int) bool, at [4]int) bool {
	for i := at[0]; i < at[1]; i++ {
		for j := at[2]; j < min(at[3], i); j++ {
			if known == nil || !known(Number(i, j)) {
				return false
			}
		}
	}
	return true
}

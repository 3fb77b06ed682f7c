package distances

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/datasets/costs"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/must"
)

// TestBlocks: blocks that went through JSON have every pair once, but those of which all are known, and the same distances as
// All, also where words must not be substituted, and where there are so many labels that blocks are cut.
func TestBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 2))
	few := drawn(t, rng, 70)
	many := costs.Model{Name: "many", Nodes: costs.Element{Delete: 1, Insert: 1.5}, Edges: costs.Element{Delete: 1, Insert: 1, Substitute: math.Inf(1)}}
	var all []*graphs.Graph
	for k := range 40 {
		g := &graphs.Graph{Nodes: 20}
		words := make([]string, g.Nodes)
		for i := range words {
			words[i] = string(rune(0x4e00 + k*30 + rng.IntN(60)))
			if i > 0 {
				g.Edges = append(g.Edges, graphs.Edge{I: i - 1, J: i})
			}
		}
		g.NodeWords = []graphs.Attribute[string]{{Name: "symbol", Values: words}}
		all = append(all, g)
	}
	many.Nodes.Attributes = []costs.Attribute{{Names: []string{"symbol"}, Weight: 1}}
	for _, c := range []*costs.Collection{few, must.Get(many.Collect(all...))(t)} {
		want := make([]Pair, Pairs(c.Len()))
		o := Options{MaxSteps: 1, Threads: 1}
		err := All(context.Background(), c, nil, o, func(found []Pair) error {
			for _, p := range found {
				want[Number(p.I, p.J)] = p
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		unknown := rng.IntN(len(want))
		seen := make([]bool, len(want))
		for b, err := range Blocks(c, nil, o) {
			if err != nil {
				t.Fatal(err)
			}
			sent := must.Get(ReadBlock(must.Get(json.Marshal(b))(t)))(t)
			f := must.Get(sent.Measure(context.Background(), o))(t)
			for _, p := range must.Get(b.Pairs(f))(t) {
				k := Number(p.I, p.J)
				if w := want[k]; seen[k] || p.Cost != w.Cost || p.Lower != w.Lower || p.Proved() != w.Proved() {
					t.Fatalf("%+v, by All %+v; seen %v", p, w, seen[k])
				}
				seen[k] = true
			}
		}
		if k := slices.Index(seen, false); k >= 0 {
			t.Errorf("pair %d of %d is in no block", k, len(seen))
		}
		count := 0
		for b := range Blocks(c, func(k int) bool { return k != unknown }, o) {
			if count++; !slices.Contains(numbers(b), unknown) {
				t.Errorf("a block without the pair %d that is not known", unknown)
			}
		}
		if count != 1 {
			t.Errorf("%d blocks for one pair", count)
		}
	}
}

func numbers(b *Block) (all []int) {
	for _, at := range b.pairs() {
		all = append(all, Number(b.firstRow+at[0], b.firstColumn+at[1]))
	}
	return all
}

// TestReadBlock: what is no block is an error.
func TestReadBlock(t *testing.T) {
	for _, text := range []string{
		``, `{}`, `{"part": {}}`, `{"part": {"rows": [{"nodes": [0]}], "columns": [{"nodes": [0]}], "nodes": {"delete": [1], "insert": [1], "substitute": []}}}`,
		`{"part": {"rows": [{"nodes": [1]}], "columns": [{"nodes": [0]}], "nodes": {"delete": [1], "insert": [1], "substitute": [0]}}}`,
		`{"part": {"rows": [{"nodes": [0]}], "columns": [{"nodes": [0]}], "nodes": {"delete": [-1], "insert": [1], "substitute": [0]}}}`,
		`{"part": {"rows": [{"nodes": [0]}], "columns": [{"nodes": [0], "edges": [[0, 0, 0]]}], "nodes": {"delete": [1], "insert": [1], "substitute": [0]}}}`,
	} {
		if _, err := ReadBlock([]byte(text)); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}

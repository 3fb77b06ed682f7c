package rgm_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// drawnWords returns a random graph whose nodes and edges have words.
func drawnWords(rng *rand.Rand, directed bool) *graphs.Graph {
	g := &graphs.Graph{Name: "drawn", Nodes: 1 + rng.IntN(6), Directed: directed}
	nodes, edges := graphs.Attribute[string]{Name: "symbol"}, graphs.Attribute[string]{Name: "bond"}
	for i := range g.Nodes {
		nodes.Values = append(nodes.Values, string(rune('C'+rng.IntN(2))))
		for j := range g.Nodes {
			if (j > i || directed && j != i) && rng.IntN(2) == 0 {
				g.Edges = append(g.Edges, graphs.Edge{I: i, J: j})
				edges.Values = append(edges.Values, string(rune('a'+rng.IntN(2))))
			}
		}
	}
	g.NodeWords, g.EdgeWords = []graphs.Attribute[string]{nodes}, []graphs.Attribute[string]{edges}
	return g
}

// TestDistance: edits add up to the distance, by every model and in both orders; a threshold is told on either side.
func TestDistance(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	for k := range 100 {
		g, h := drawnWords(rng, k%2 == 0), drawnWords(rng, k%2 == 0)
		for _, model := range []string{"", "chem2", "common"} {
			o := rgm.Options{Costs: model, Path: true}
			r, err := rgm.Distance(context.Background(), g, h, o)
			if err != nil || r.Status != qap.Optimal || math.Abs(r.Distance-r.Lower) > 1e-12 || r.Similarity < 0 || r.Similarity > 1 {
				t.Fatalf("%+v, %v", r, err)
			}
			sum := 0.0
			for _, e := range r.Path {
				sum += e.Cost
			}
			back, err := rgm.Distance(context.Background(), h, g, o)
			if err != nil || math.Abs(sum-r.Distance) > 1e-9 || back.Distance != r.Distance {
				t.Fatalf("edits of %v, distance %v, the other way %v, %v", sum, r.Distance, back.Distance, err)
			}
			for _, within := range []float64{r.Distance, max(0, r.Distance-.1)} {
				o.Within = &within
				asked, err := rgm.Distance(context.Background(), g, h, o)
				if err != nil || asked.Within == nil || *asked.Within != (r.Distance <= within) {
					t.Fatalf("within %v of %v: %+v, %v", within, r.Distance, asked, err)
				}
			}
		}
	}
}

func TestDistanceRefuses(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	g, below := drawnWords(rng, false), -1.0
	for _, o := range []rgm.Options{{Costs: "chem3"}, {Within: &below}} {
		if _, err := rgm.Distance(context.Background(), g, g, o); !errors.As(err, new(*rgm.OptionError)) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := rgm.Distance(context.Background(), g, drawnWords(rng, true), rgm.Options{}); err == nil {
		t.Error("a directed graph is compared with one that is not")
	}
}

package rgm

import (
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/confidence"
)

// TestTimeForConfidence: what a search leaves of its limit is enough for the look at all matches, or a tenth of the limit.
func TestTimeForConfidence(t *testing.T) {
	for _, n := range []int{2, 20, 60} {
		in, err := qap.NewDense(n, n, make([]float64, n*n*n*n), qap.Maximize)
		if err != nil {
			t.Fatal(err)
		}
		p := &Problem{Instance: in}
		need := time.Duration(confidence.Entries(in, n) * entryTime)
		for _, limit := range []time.Duration{time.Millisecond, 50 * time.Millisecond, time.Minute} {
			switch kept := p.looking(limit); {
			case kept > limit/10:
				t.Errorf("%d nodes, %v: %v are kept, more than a tenth", n, limit, kept)
			case kept < limit/10 && kept < need:
				t.Errorf("%d nodes, %v: %v are kept, and %v needed", n, limit, kept, need)
			}
		}
	}
}

// TestPairsOfEdgesForTheLimit: graphs whose edges take more than half of a time limit to compare are aligned, others compared.
func TestPairsOfEdgesForTheLimit(t *testing.T) {
	g := &graphs.Graph{Edges: make([]graphs.Edge, 3000)} // 9 million pairs, 1.35 s
	for limit, many := range map[time.Duration]bool{0: false, time.Millisecond: true, 2 * time.Second: true, 3 * time.Second: false} {
		if got := (&pair{g1: g, g2: g, o: Options{TimeLimit: limit}}).manyPairs(t.Context()); (got != "") != many {
			t.Errorf("%v: %q", limit, got)
		}
	}
}

package bisect

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu"
)

// line is the flows of neighbours on a line with shuffled names, and of places more than facilities.
func line(n, places int) *Flows {
	name := rand.New(rand.NewPCG(4, 4)).Perm(n)
	partners := make([][]int32, places)
	for k := range n - 1 {
		i, j := name[k], name[k+1]
		partners[i], partners[j] = append(partners[i], int32(j)), append(partners[j], int32(i))
	}
	f := &Flows{first: make([]int32, 1)}
	for _, of := range partners {
		f.partner = append(f.partner, of...)
		f.first = append(f.first, int32(len(f.partner)))
	}
	f.flow = make([]float64, len(f.partner))
	for e := range f.flow {
		f.flow[e] = 1
	}
	return f
}

func cost(f *Flows, places Places, m qap.Matching) (sum float64) {
	for i := range f.Size() {
		partner, flow := f.Partners(i)
		for e, j := range partner {
			sum += flow[e] * places.Distance(m[i], m[j]) / 2
		}
	}
	return sum
}

// TestLine: a line is cut once for every border between groups, and more places than facilities are
// no hindrance. Sides have exact sizes: every place is taken once.
func TestLine(t *testing.T) {
	for _, test := range []struct {
		topology string
		n        int
		most     float64
	}{
		{"hierarchy:4:8:8/1:10:100", 256, 7*100 + 56*10 + 192}, // the least that a line can cost
		{"hierarchy:4:8:8/1:10:100", 200, 7*100 + 60*10 + 150},
		{"torus:16x16", 256, 400}, // the least is 255, at random about 2,000
	} {
		places := must.Get(qap.ParseTopology(test.topology))(t)
		f := line(test.n, places.Places())
		m := Map(f, places, 4, 1)
		taken := map[int]bool{}
		for _, c := range m {
			taken[c] = true
		}
		if len(taken) != places.Places() {
			t.Errorf("%s: %d of %d places are taken", test.topology, len(taken), places.Places())
		}
		if got := cost(f, places, m); got > test.most {
			t.Errorf("%s, %d facilities: a cost of %v, want at most %v", test.topology, test.n, got, test.most)
		}
	}
}

// TestMatrix: distances of a matrix tell of a hierarchy what its topology does, and a seed decides all.
func TestMatrix(t *testing.T) {
	in := instances.Generated(t, "mapping", 256, 1)
	v := must.Get(tabu.NewView(in))(t)
	f, places := FlowsOf(v, 256), Matrix{256, v.Distance}
	best := math.Inf(-1)
	for seed := range uint64(4) {
		one, again := Map(f, places, 2, seed), Map(f, places, 2, seed)
		if in.Score(v.Assignment(one)) != in.Score(v.Assignment(again)) {
			t.Error("a seed gives two results")
		}
		best = max(best, in.Score(v.Assignment(one)))
	}
	random := in.Score(qap.RandomMatching(256, 256, rand.New(rand.NewPCG(1, 1))))
	if best < random/4 {
		t.Errorf("%v, at random %v", best, random)
	}
}

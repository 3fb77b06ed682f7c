package quality

import (
	"context"
	"hash/crc32"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/auto"
	"github.com/rgm-go/rgm/qap/profile"
	"github.com/rgm-go/rgm/qap/reweigh"
	"github.com/rgm-go/rgm/train/selector"
)

// broad are pairs of many kinds, from a stream of their own.
func broad(t testing.TB) []pairs.Pair {
	t.Helper()
	rng := rand.New(rand.NewPCG(2031, 19))
	var list []pairs.Pair
	for k := range 40 {
		p, err := pairs.Broad{}.Pair(6+k/4, rng)
		if err != nil {
			t.Fatal(err)
		}
		p.Name = "broad " + strconv.Itoa(k)
		list = append(list, p)
	}
	return list
}

// ruleOnBroad matches by the affinities and the regularizer that the rule chooses.
func ruleOnBroad(t testing.TB, q networks) []value {
	t.Helper()
	a, err := reweigh.New(models.QFunction(q["affinity"]))
	if err != nil {
		t.Fatal(err)
	}
	return onPairs(t, broad(t), func(in *qap.Instance) (qap.Result, error) {
		chosen, d, err := a.Reweigh(context.Background(), in, qap.Goal{}, true)
		if err != nil {
			return qap.Result{}, err
		}
		return profile.Solver{Goal: qap.Goal{Regularizer: d.Regularizer}}.Solve(context.Background(), chosen, qap.Options{Seed: 1})
	})
}

// recorded is what the searches of the method auto bring to an instance of each family,
// once for all tests.
var recorded = sync.OnceValues(func() (map[string]*auto.Trace, error) {
	traces := map[string]*auto.Trace{}
	for _, family := range datasets.Families() {
		rng := rand.New(rand.NewPCG(2032, uint64(crc32.ChecksumIEEE([]byte(family)))))
		in, err := datasets.Generate(family, 40, rng)
		if err != nil {
			return nil, err
		}
		if traces[family], err = auto.Record(context.Background(), in, recordedTime, qap.Options{Seed: 1}); err != nil {
			return nil, err
		}
	}
	return traces, nil
})

const recordedTime = 60 * time.Millisecond // counted in swaps

// selectorOnFamilies returns by how much log-gaps (selector.LogGap) are below those of the
// unlearned rule, and the costs, after all of the time and parts of it.
func selectorOnFamilies(t testing.TB, q networks) []value {
	t.Helper()
	traces, err := recorded()
	if err != nil {
		t.Fatal(err)
	}
	learned := selector.ChooserOf(selector.Forward(q["selector"].(*models.Selector)))
	var values []value
	for _, family := range datasets.Families() {
		trace := traces[family]
		for part := recordedTime; part > recordedTime/20; part /= 2 {
			after := func(c auto.Chooser) (cost, logGap float64) {
				cost = trace.Replay(c, part).BestCost
				return cost, selector.LogGap(&trace.Features, cost, trace.Best())
			}
			cost, gap := after(learned())
			_, byRule := after(auto.Rule())
			values = append(values, value{family + " " + part.String(), byRule - gap, cost})
		}
	}
	return values
}

package quality

import (
	"context"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/rgm-go/rgm/datasets/pairs"
	generated "github.com/rgm-go/rgm/datasets/pairs/kinds"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/profile"
	"github.com/rgm-go/rgm/qap/reweigh"
)

// broad are pairs of many kinds, from a stream of their own.
func broad(t testing.TB) []pairs.Pair {
	t.Helper()
	rng := rand.New(rand.NewPCG(2031, 19))
	var list []pairs.Pair
	for k := range 40 {
		p := must.Get(generated.Broad{}.Pair(6+k/4, rng))(t)
		p.Name = "broad " + strconv.Itoa(k)
		list = append(list, p)
	}
	return list
}

// ruleOnBroad matches by the affinities and the regularizer that the rule chooses.
func ruleOnBroad(t testing.TB, q networks) []value {
	t.Helper()
	a := must.Get(reweigh.New(models.QFunction(q["affinity"])))(t)
	return onPairs(t, broad(t), func(in *qap.Instance) (qap.Result, error) {
		chosen, d, err := a.Reweigh(context.Background(), in, qap.Goal{}, true)
		if err != nil {
			return qap.Result{}, err
		}
		return profile.Solver{Goal: qap.Goal{Regularizer: d.Regularizer}}.Solve(context.Background(), chosen, qap.Options{Seed: 1})
	})
}

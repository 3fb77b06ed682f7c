package sources

import (
	"context"
	"math/rand/v2"

	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/reweigh"
	"github.com/rgm-go/rgm/train"
)

// pretrainedAffinity is the model that re-weighs affinities.
const pretrainedAffinity = "affinity"

// reweighed draws pairs of graphs, a share of them with learned affinities in place of
// the given ones.
type reweighed struct {
	pairs.Training
	share    float64
	affinity *reweigh.Affinity
}

// matching returns the source of pairs of graphs with a share of re-weighed ones.
func matching(share float64) (train.InstanceSource, error) {
	if share == 0 {
		return pairs.Training{}, nil
	}
	affinity, err := pretrainedAffinities()
	if err != nil {
		return nil, err
	}
	return reweighed{share: share, affinity: affinity}, nil
}

// pretrainedAffinities returns the learned affinities that ship with the program.
func pretrainedAffinities() (*reweigh.Affinity, error) {
	data, err := pretrained.Model(pretrainedAffinity)
	if err != nil {
		return nil, err
	}
	network, _, err := models.Load(data)
	if err != nil {
		return nil, err
	}
	return reweigh.New(models.QFunction(network))
}

// Instance returns the problem of a pair: see Problem.
func (r reweighed) Instance(n int, rng *rand.Rand) (*qap.Instance, error) {
	in, _, err := r.Problem(n, rng)
	return in, err
}

// Problem returns the problem and the true matching of a pair, the larger graph of
// which has n nodes. Affinities of both signs are not among those that are re-weighed,
// which would leave them as they are.
func (r reweighed) Problem(n int, rng *rand.Rand) (*qap.Instance, qap.Matching, error) {
	if rng.Float64() >= r.share {
		return r.Training.Problem(n, rng)
	}
	in, truth, err := pairs.Training{Unsigned: true}.Problem(n, rng)
	if err != nil {
		return nil, nil, err
	}
	learned, _, err := r.affinity.Reweigh(context.Background(), in, qap.Goal{}, false)
	if err != nil {
		return nil, nil, err
	}
	learned.Name = "reweighed-" + in.Name
	return learned, truth, nil
}

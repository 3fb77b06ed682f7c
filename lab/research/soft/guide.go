package soft

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
)

// softGuide is a source whose guides are what a network makes of each instance: the paper's
// "NGM + RGM". So generated instances have guides too.
type softGuide struct {
	train.InstanceSource
	path string
	by   Solver
}

// withNetwork gives the instances of a source the soft matchings of a network that rgm-lab
// train ngm or lcs made. What the source can do besides, it still can.
func withNetwork(source train.InstanceSource, path string) (train.InstanceSource, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("train: guide: %w", err)
	}
	network, _, err := models.Load(data)
	if err != nil {
		return nil, fmt.Errorf("train: guide %s: %w", path, err)
	}
	if network.Features() != Set {
		return nil, fmt.Errorf("train: guide %s: a network of architecture %s gives no soft matchings: want one of rgm-lab train ngm or lcs", path, network.Architecture())
	}
	g := softGuide{source, path, Solver{models.QFunction(network)}}
	switch known := source.(type) {
	case train.InstanceList:
		return listWithNetwork{g, known}, nil
	case train.PairSource:
		return pairsWithNetwork{g, known}, nil
	}
	return g, nil
}

// Guide returns the network's soft matching of an instance.
func (g softGuide) Guide(in *qap.Instance) ([]float64, error) {
	soft, err := g.by.Soft(in)
	if err != nil {
		return nil, fmt.Errorf("train: guide %s: %s: %w", g.path, in.Name, err)
	}
	for v, log := range soft {
		soft[v] = math.Exp(log)
	}
	return soft, nil
}

// listWithNetwork has instances of its own.
type listWithNetwork struct {
	softGuide
	list train.InstanceList
}

func (l listWithNetwork) Given(validation bool) []train.Given { return l.list.Given(validation) }

// pairsWithNetwork knows the true matchings.
type pairsWithNetwork struct {
	softGuide
	pairs train.PairSource
}

func (p pairsWithNetwork) Problem(n int, rng *rand.Rand) (*qap.Instance, qap.Matching, error) {
	return p.pairs.Problem(n, rng)
}

package sources

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
)

// modelSuffix tells a guide that is a network from one that is an array.
const modelSuffix = ".onnx"

// A SoftMatcher returns the logarithms of the soft matching, n1×n2, that a network makes of an
// instance.
type SoftMatcher func(q qap.QFunction, in *qap.Instance) ([]float64, error)

var softNetworks sync.Map // SoftMatcher by features

// RegisterSoft makes networks that take a set of features guides.
func RegisterSoft(features string, m SoftMatcher) { softNetworks.LoadOrStore(features, m) }

// softGuide is a source whose guides are what a network makes of each instance: the paper's
// "NGM + RGM". So generated instances have guides too.
type softGuide struct {
	train.InstanceSource
	path string
	soft func(in *qap.Instance) ([]float64, error) // the logarithms of the soft matching
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
	soft, known := softNetworks.Load(network.Features())
	if !known {
		return nil, fmt.Errorf("train: guide %s: a network of architecture %s gives no soft matchings: want one of rgm-lab train ngm or lcs", path, network.Architecture())
	}
	solve, q := soft.(SoftMatcher), models.QFunction(network)
	g := softGuide{source, path, func(in *qap.Instance) ([]float64, error) { return solve(q, in) }}
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
	soft, err := g.soft(in)
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

// isModel reports whether a guide is a network.
func isModel(path string) bool { return filepath.Ext(path) == modelSuffix }

package paper

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/models"
)

// GainUnskilled is the network models.Gain without the rule that its skip connection begins as, so that whatever it can it
// has learnt: comparisons of learners begin from nothing by it. Trained networks are of the architecture gain.
const GainUnskilled = "gain-unskilled"

func init() {
	models.Register(models.Architecture{Name: GainUnskilled, New: newUnskilled, Least: func(c models.Config) float64 {
		return float64(c.HiddenOr(16)) * float64(c.HeadOr(16))
	}})
}

func newUnskilled(c models.Config, rng *rand.Rand) (models.Network, error) {
	c.Architecture = models.ArchitectureGain
	n, err := models.New(c, rng)
	if err != nil {
		return nil, err
	}
	parameters := n.Parameters()
	k := slices.IndexFunc(parameters, func(p models.Parameter) bool { return p.Name == "advantage.skip" })
	if k < 0 {
		return nil, fmt.Errorf("paper: %s: the network %s has no skip connection", GainUnskilled, models.ArchitectureGain)
	}
	clear(parameters[k].Data)
	return n, nil
}

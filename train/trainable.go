package train

import (
	"fmt"
	"math"

	"github.com/rgm-go/rgm/models"
)

// trainable is a network that learns, with its optimiser.
type trainable struct {
	config  *Config
	network models.Network // f_θ
	average models.Network // moving average of f_θ, steadier than its last step
	adam    *models.Adam
}

func newTrainable(c *Config, network models.Network) trainable {
	return trainable{c, network, models.Clone(network), models.NewAdam(network)}
}

// descend takes a step of the optimiser against a gradient, which it clips, and
// returns the norm it had. An error means that the loss or the gradient is not
// finite; the network is then unchanged.
func (s *trainable) descend(loss float64, gradient [][]float32, rate float64) (norm float64, err error) {
	norm = models.ClipNorm(gradient, s.config.ClipNorm)
	if math.IsNaN(loss+norm) || math.IsInf(loss+norm, 0) {
		return norm, fmt.Errorf("%w: the loss is %v, the gradient's norm %v: lower learning_rate", ErrNotFinite, loss, norm)
	}
	s.adam.Update(s.network, gradient, rate)
	s.follow()
	return norm, nil
}

// follow moves the average towards the network: early on it is the mean of all
// weights so far, later it forgets by the configured decay (Polyak, Juditsky,
// SIAM J. Control Optim. 30 (1992), doi:10.1137/0330046).
func (s *trainable) follow() {
	updates := float64(max(s.adam.Updates, 1)) // a policy can move without the optimiser
	share := float32(1 - min(s.config.AverageDecay, (updates-1)/updates))
	latest := s.network.Parameters()
	for k, p := range s.average.Parameters() {
		for i, w := range latest[k].Data {
			p.Data[i] += share * (w - p.Data[i])
		}
	}
}

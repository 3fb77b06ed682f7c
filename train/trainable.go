package train

import (
	"fmt"
	"math"

	"github.com/rgm-go/rgm/models"
)

// Trainable is a network that learns, with its optimiser.
type Trainable struct {
	Config  *Config
	Network models.Network // f_θ
	Average models.Network // moving average of f_θ, steadier than its last step
	Adam    *models.Adam
}

// NewTrainable returns a network in training, which is its own average at first.
func NewTrainable(c *Config, network models.Network) Trainable {
	return Trainable{c, network, models.Clone(network), models.NewAdam(network)}
}

// Descend takes a step of the optimiser against a gradient, which it clips, and
// returns the norm it had. An error means that the loss or the gradient is not
// finite; the network is then unchanged.
func (s *Trainable) Descend(loss float64, gradient [][]float32, rate float64) (norm float64, err error) {
	norm = models.ClipNorm(gradient, s.Config.ClipNorm)
	if math.IsNaN(loss+norm) || math.IsInf(loss+norm, 0) {
		return norm, fmt.Errorf("%w: the loss is %v, the gradient's norm %v: lower learning_rate", ErrNotFinite, loss, norm)
	}
	s.Adam.Update(s.Network, gradient, rate)
	s.Follow()
	return norm, nil
}

// Follow moves the average towards the network: early on it is the mean of all
// weights so far, later it forgets by the configured decay (Polyak, Juditsky,
// SIAM J. Control Optim. 30 (1992), doi:10.1137/0330046).
func (s *Trainable) Follow() {
	updates := float64(max(s.Adam.Updates, 1)) // a policy can move without the optimiser
	share := float32(1 - min(s.Config.AverageDecay, (updates-1)/updates))
	latest := s.Network.Parameters()
	for k, p := range s.Average.Parameters() {
		for i, w := range latest[k].Data {
			p.Data[i] += share * (w - p.Data[i])
		}
	}
}

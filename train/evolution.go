package train

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/models"
)

// evolution is an antithetic evolution strategy (Salimans et al. 2017,
// arXiv:1703.03864): a generation tries the weights θ ± σε for several ε, and the
// ranks of what they reach give an estimate of the gradient, which the optimiser
// follows. All of a generation play the same instances from the same starts, so
// that they differ by their weights only. It keeps nothing from one generation to
// the next but the trainable network.
type evolution struct {
	net      trainable
	problems []*problem
	trial    trial
	searched []int            // indices of the parameters
	noise    [][][]float32    // ε of a pair, by searched parameter
	members  []models.Network // θ+σε and θ−σε of the first pair, of the second, …
	gradient [][]float32
	out      outcome
}

// The parameters of Gain that es_weights = skip is about: the linear part of the
// advantage, and what the rest adds to it.
const skipWeights, otherWeights = "advantage.skip", "advantage.w2"

func newEvolution(c *Config, problems []*problem, network models.Network) *evolution {
	skipOnly := c.ESWeights == ESWeightsSkip
	e := &evolution{problems: problems, trial: newTrial(c), gradient: models.NewGradient(network)}
	for k, p := range network.Parameters() {
		if skipOnly && p.Name == otherWeights && c.Init == "" {
			clear(p.Data) // a linear policy
		}
		if !skipOnly || p.Name == skipWeights {
			e.searched = append(e.searched, k)
		}
	}
	e.net = newTrainable(c, network)
	for range c.ESPairs {
		var noise [][]float32
		for _, k := range e.searched {
			noise = append(noise, make([]float32, len(network.Parameters()[k].Data)))
		}
		e.noise = append(e.noise, noise)
		e.members = append(e.members, models.Clone(network), models.Clone(network))
	}
	return e
}

func (e *evolution) trainable() *trainable  { return &e.net }
func (e *evolution) held() int              { return 0 }
func (e *evolution) save(*checkpoint) error { return nil }
func (e *evolution) load(*checkpoint) error { return nil }

// stream returns the k-th random stream of the present generation.
func (e *evolution) stream(k int) *rand.Rand {
	generation := uint64(e.net.adam.Updates)
	return rand.New(rand.NewPCG(e.net.config.Seed, uint64(streamGenerations)<<60|generation<<20|uint64(k)))
}

// round is one generation.
func (e *evolution) round(ctx context.Context, progress float64) (outcome, error) {
	e.mutate()
	fitness, err := e.play(ctx)
	if err != nil {
		return outcome{}, err
	}
	e.estimate(centredRanks(fitness))
	u := update{loss: -statistics.Mean(fitness), meanTD: math.NaN(), meanQ: math.NaN()}
	if u.norm, err = e.net.descend(u.loss, e.gradient, e.net.config.rate(progress)); err != nil {
		return outcome{}, err
	}
	e.out.updates = append(e.out.updates[:0], u)
	return e.out, nil
}

// mutate sets the weights of the members.
func (e *evolution) mutate() {
	sigma := float32(e.net.config.ESSigma)
	from := e.net.network.Parameters()
	parallel.For(len(e.noise), func(pair int) {
		rng := e.stream(pair + 1)
		plus, minus := e.members[2*pair], e.members[2*pair+1]
		models.Copy(plus, e.net.network)
		models.Copy(minus, e.net.network)
		for j, k := range e.searched {
			up, down := plus.Parameters()[k].Data, minus.Parameters()[k].Data
			for i, w := range from[k].Data {
				epsilon := float32(rng.NormFloat64())
				e.noise[pair][j][i] = epsilon
				up[i], down[i] = w+sigma*epsilon, w-sigma*epsilon
			}
		}
	})
}

// play returns the fitness of every member: less the mean logarithm of the gap that
// it leaves on the instances of the generation.
func (e *evolution) play(ctx context.Context) ([]float64, error) {
	rng := e.stream(0)
	played := rng.Perm(len(e.problems))[:min(e.net.config.ESInstances, len(e.problems))]
	seed := rng.Uint64()
	values := make([]float64, len(e.members)*len(played))
	errs := make([]error, len(values))
	parallel.For(len(values), func(k int) {
		member, j := e.members[k/len(played)], k%len(played)
		p := e.problems[played[j]]
		result, err := e.trial.play(ctx, member, p, seed+uint64(j))
		values[k], errs[k] = p.resultValue(&result), err
	})
	if err := cmp.Or(append(errs, ctx.Err())...); err != nil {
		return nil, err
	}
	fitness := make([]float64, len(e.members))
	e.out.episodes = e.out.episodes[:0]
	for k, value := range values {
		problem := played[k%len(played)]
		merit := -e.net.config.logGap(e.problems[problem].gap(value))
		fitness[k/len(played)] += merit / float64(len(played))
		e.out.episodes = append(e.out.episodes, episode{problem, value, merit})
	}
	return fitness, nil
}

// estimate sets the gradient of a loss that falls as the members' worth rises.
func (e *evolution) estimate(worth []float64) {
	factor := 1 / (float64(len(e.members)) * e.net.config.ESSigma)
	for j, k := range e.searched {
		clear(e.gradient[k])
		for pair, noise := range e.noise {
			share := float32(factor * (worth[2*pair+1] - worth[2*pair]))
			for i, epsilon := range noise[j] {
				e.gradient[k][i] += share * epsilon
			}
		}
	}
}

// centredRanks returns the ranks of values, spread evenly over −½..½; equal values
// share the mean of their ranks.
func centredRanks(values []float64) []float64 {
	ranks := statistics.Ranks(values)
	for k, rank := range ranks {
		ranks[k] = rank/float64(max(len(values)-1, 1)) - 0.5
	}
	return ranks
}

package evolution

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/models"

	"github.com/rgm-go/rgm/train"
)

// evolution is an antithetic evolution strategy (Salimans et al. 2017,
// arXiv:1703.03864): a generation tries the weights θ ± σε for several ε, and the
// ranks of what they reach give an estimate of the gradient, which the optimiser
// follows. All of a generation play the same instances from the same starts, so
// that they differ by their weights only. It keeps nothing from one generation to
// the next but the trainable network.
type evolution struct {
	net      train.Trainable
	config   *train.Config
	own      Config
	problems []*train.Problem
	trial    train.Trial
	searched []int            // indices of the parameters
	noise    [][][]float32    // ε of a pair, by searched parameter
	members  []models.Network // θ+σε and θ−σε of the first pair, of the second, …
	gradient [][]float32
	out      train.Outcome
}

// The parameters of Gain that es_weights = skip is about: the linear part of the
// advantage, and what the rest adds to it.
const skipWeights, otherWeights = "advantage.skip", "advantage.w2"

func newEvolution(c *train.Config, problems []*train.Problem, network models.Network) *evolution {
	own := c.Own.(Config)
	skipOnly := own.ESWeights == WeightsSkip
	e := &evolution{config: c, own: own, problems: problems, trial: train.NewTrial(c), gradient: models.NewGradient(network)}
	for k, p := range network.Parameters() {
		if skipOnly && p.Name == otherWeights && c.Init == "" {
			clear(p.Data) // a linear policy
		}
		if !skipOnly || p.Name == skipWeights {
			e.searched = append(e.searched, k)
		}
	}
	e.net = train.NewTrainable(c, network)
	for range own.ESPairs {
		var noise [][]float32
		for _, k := range e.searched {
			noise = append(noise, make([]float32, len(network.Parameters()[k].Data)))
		}
		e.noise = append(e.noise, noise)
		e.members = append(e.members, models.Clone(network), models.Clone(network))
	}
	return e
}

func (e *evolution) Trainable() *train.Trainable { return &e.net }
func (e *evolution) Held() int                   { return 0 }

// Save implements train.Algorithm.
func (e *evolution) Save() (any, error) { return nil, nil }

// Load implements train.Algorithm.
func (e *evolution) Load(func(any) error) error { return nil }

// streamGenerations is a stream of train.Config.Seed.
const streamGenerations = 4

// stream returns the k-th random stream of the present generation.
func (e *evolution) stream(k int) *rand.Rand {
	generation := uint64(e.net.Adam.Updates)
	return rand.New(rand.NewPCG(e.config.Seed, uint64(streamGenerations)<<60|generation<<20|uint64(k)))
}

// Round is one generation.
func (e *evolution) Round(ctx context.Context, progress float64) (train.Outcome, error) {
	e.mutate()
	fitness, err := e.play(ctx)
	if err != nil {
		return train.Outcome{}, err
	}
	e.estimate(centredRanks(fitness))
	u := train.Update{Loss: -statistics.Mean(fitness), MeanTD: math.NaN(), MeanQ: math.NaN()}
	if u.Norm, err = e.net.Descend(u.Loss, e.gradient, e.config.Rate(progress)); err != nil {
		return train.Outcome{}, err
	}
	e.out.Updates = append(e.out.Updates[:0], u)
	return e.out, nil
}

// mutate sets the weights of the members.
func (e *evolution) mutate() {
	sigma := float32(e.own.ESSigma)
	from := e.net.Network.Parameters()
	parallel.For(len(e.noise), func(pair int) {
		rng := e.stream(pair + 1)
		plus, minus := e.members[2*pair], e.members[2*pair+1]
		models.Copy(plus, e.net.Network)
		models.Copy(minus, e.net.Network)
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
	played := rng.Perm(len(e.problems))[:min(e.own.ESInstances, len(e.problems))]
	seed := rng.Uint64()
	values := make([]float64, len(e.members)*len(played))
	errs := make([]error, len(values))
	parallel.For(len(values), func(k int) {
		member, j := e.members[k/len(played)], k%len(played)
		p := e.problems[played[j]]
		result, err := e.trial.Play(ctx, member, p, seed+uint64(j))
		values[k], errs[k] = p.ResultValue(&result), err
	})
	if err := cmp.Or(append(errs, ctx.Err())...); err != nil {
		return nil, err
	}
	fitness := make([]float64, len(e.members))
	e.out.Episodes = e.out.Episodes[:0]
	for k, value := range values {
		problem := played[k%len(played)]
		merit := -e.config.LogGap(e.problems[problem].Gap(value))
		fitness[k/len(played)] += merit / float64(len(played))
		e.out.Episodes = append(e.out.Episodes, train.Episode{Problem: problem, BestValue: value, Total: merit})
	}
	return fitness, nil
}

// estimate sets the gradient of a loss that falls as the members' worth rises.
func (e *evolution) estimate(worth []float64) {
	factor := 1 / (float64(len(e.members)) * e.own.ESSigma)
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

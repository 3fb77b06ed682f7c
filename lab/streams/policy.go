package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/cputime"
	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/qap"
)

// repairs are the ways to go on from a stored placement: tabu search takes the time that the policy takes.
var repairs = []string{"stored", "policy", "tabu", "without"}

// repaired prints what a step of the learned policy brings where the search begins from the best of eight stored placements,
// and what tabu search brings from it in as much processor time.
func repaired(family string, n, streams int, seed uint64, d drift) error {
	s, err := rgm.Open(rgm.Config{Provider: rgm.ProviderGo})
	if err != nil {
		return err
	}
	defer s.Close()
	gaps := make([][]float64, len(repairs)) // by repair and stream
	var swaps int
	for k := range streams {
		rng := rand.New(rand.NewPCG(seed+uint64(k), uint64(n)))
		base, err := datasets.Generate(family, n, rng)
		if err != nil {
			return err
		}
		var stored []qap.Matching
		for range past {
			r, err := s.Solve(context.Background(), drifted(base, d, rng), rgm.Options{MaxSteps: 2000 * n, Seed: 1})
			if err != nil {
				return err
			}
			stored = append(stored, r.Matching)
		}
		sum := make([]float64, len(repairs))
		for t := range uint64(later) {
			in := drifted(base, d, rng)
			start := bestOf(in, stored)
			if swaps == 0 {
				if swaps, err = asLong(s, in, start, n); err != nil {
					return err
				}
			}
			found, best, err := repair(s, in, start, n, swaps, t)
			if err != nil {
				return err
			}
			for i, v := range found {
				sum[i] += 100 * (v - best) / best / later
			}
		}
		for i := range repairs {
			gaps[i] = append(gaps[i], sum[i])
		}
	}
	var difference []float64
	for k, v := range gaps[1] {
		difference = append(difference, v-gaps[2][k])
	}
	fmt.Printf("| %s | %g %%, %g | %.2f | %.2f | %d: %.2f | %+.2f ± %.2f | %.2f |\n", family, 100*d.moved, d.sigma, statistics.Mean(gaps[0]),
		statistics.Mean(gaps[1]), swaps, statistics.Mean(gaps[2]), statistics.Mean(difference), statistics.ErrorOfMean(difference), statistics.Mean(gaps[3]))
	return nil
}

// repair returns the objectives of the repairs, and the best that any search found.
func repair(s *rgm.Solver, in *qap.Instance, start qap.Matching, n, swaps int, seed uint64) (found []float64, best float64, err error) {
	best = in.Objective(in.Score(start))
	found = []float64{best}
	for _, o := range []rgm.Options{
		policy(start, n, seed),
		{Method: rgm.MethodTabu, Initial: start, MaxSteps: swaps, Seed: seed},
		{Method: rgm.MethodTabu, MaxSteps: swaps, Seed: seed},
		{MaxSteps: 3000 * n, Seed: 100 + seed}, {MaxSteps: 3000 * n, Seed: 100 + seed, Initial: start},
	} {
		r, err := s.Solve(context.Background(), in, o)
		if err != nil {
			return nil, 0, err
		}
		found, best = append(found, r.Objective), min(best, r.Objective)
	}
	return found[:len(repairs)], best, nil
}

// policy is n steps of the shipped policy from a placement.
func policy(start qap.Matching, n int, seed uint64) rgm.Options {
	return rgm.Options{Method: rgm.MethodRGM, Rollouts: 1, Threads: 1, Initial: start, MaxSteps: n, Seed: seed}
}

func bestOf(in *qap.Instance, stored []qap.Matching) (best qap.Matching) {
	least := math.Inf(1)
	for _, m := range stored {
		if v := in.Objective(in.Score(m)); v < least {
			best, least = m, v
		}
	}
	return best
}

// asLong returns the swaps of tabu search that take as much processor time as n steps of the policy, beyond what every call takes.
func asLong(s *rgm.Solver, in *qap.Instance, start qap.Matching, n int) (int, error) {
	cost := func(o rgm.Options, few, many int) (float64, error) {
		var took [2]time.Duration
		for k, steps := range []int{few, many} {
			o.MaxSteps = steps
			began := cputime.Clock()
			for range 50 {
				if _, err := s.Solve(context.Background(), in, o); err != nil {
					return 0, err
				}
			}
			took[k] = cputime.Clock().Sub(began)
		}
		return float64(took[1]-took[0]) / float64(many-few), nil
	}
	step, err := cost(policy(start, n, 0), 1, 5*n)
	if err != nil {
		return 0, err
	}
	swap, err := cost(rgm.Options{Method: rgm.MethodTabu, Initial: start, Threads: 1}, 1, 1000*n)
	return int(float64(n) * step / swap), err
}

package training

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/graphpairs"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/lists"
	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/profile"
	"github.com/rgm-go/rgm/qap/reweigh"
	"github.com/rgm-go/rgm/train/affinity"
)

const (
	leastLike               = 3        // files of graphs that copies are made of
	copiesOf, copiesHeldOut = 480, 240 // pairs of copies to learn from, and of files held out
	triedPairs              = 48       // pairs of files that are looked at
	triedCopies             = 12       // pairs of copies that a guess is tried on
	leastOverChance         = 1.1      // of pairs of files that tell something (see rgm.Result.OverChance)
)

// shares and parts are the guesses: shares of the nodes that have no partner, and parts of the noise that shows. A matching leaves out
// fewer nodes than have no partner, and where many of its matches are wrong more noise shows than there is.
var (
	shares = []float64{0, .15, .3, .45, .6, .75}
	parts  = []float64{.25, .5, 1}
)

// streamLike is the random stream of the seed that copies are drawn from.
const streamLike = 0x6c696b65

// likePairs makes pairs of graphs without known matches: of noisy copies that look as different as two files do.
// A third of the files is held out.
func likePairs(ctx context.Context, c *console.Console, config *affinity.OwnConfig) (known, held []affinity.Pair, err error) {
	files, err := likeFiles(config.Like)
	if err != nil {
		return nil, nil, settings.Usage(err)
	}
	all := make([]*graphs.Graph, len(files))
	for k, file := range files {
		g, err := graphs.Open(file)
		if err != nil {
			return nil, nil, settings.Usage(fmt.Errorf("--like: %w", err))
		}
		all[k] = &g
	}
	rng := rand.New(rand.NewPCG(config.Seed, streamLike))
	order := rng.Perm(len(all))
	out, in := order[:len(all)/3], order[len(all)/3:]
	guesses, err := guessNoise(ctx, &config.Graphs, lists.Of(in, func(k int) *graphs.Graph { return all[k] }), rng)
	if err != nil {
		return nil, nil, err
	}
	of := func(value func(pairs.Noise) float64) float64 {
		sum := 0.0
		for _, g := range guesses {
			sum += g.weight * value(g.noise)
		}
		return math.Round(1000*sum) / 1000
	}
	c.Log.Info("measured how two files differ; copies differ so",
		"places", of(func(n pairs.Noise) float64 { return n.Places }), "numbers", of(func(n pairs.Noise) float64 { return n.Numbers }),
		"words", of(func(n pairs.Noise) float64 { return n.Words }), "edges", of(func(n pairs.Noise) float64 { return n.Edges }),
		"without partner", of(func(n pairs.Noise) float64 { return n.Strangers }))
	copies := func(of []int, count int) ([]affinity.Pair, error) {
		made := make([]graphpairs.Known, count)
		for k := range made {
			file := of[k%len(of)]
			g1, g2, truth, err := drawGuess(guesses, rng).Copies(all[file], rng)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", files[file], err)
			}
			made[k] = graphpairs.Known{Name: fmt.Sprintf("%s#%d", all[file].Name, k), Files: [2]string{files[file], files[file]}, Graph1: &g1, Graph2: &g2, Truth: truth}
		}
		compared, err := comparedPairs(ctx, &config.Graphs, "", made)
		return lists.Of(compared, problemOf), err
	}
	if known, err = copies(in, copiesOf); err == nil {
		held, err = copies(out, copiesHeldOut)
	}
	c.Log.Info("made pairs of copies", "training", len(known), "held out", len(held), "of files", len(in), "of files held out", len(out))
	return known, held, err
}

// likeFiles returns files, and those of graphs in folders.
func likeFiles(arguments []string) (files []string, err error) {
	for _, argument := range arguments {
		info, err := os.Stat(argument)
		if err != nil {
			return nil, fmt.Errorf("--like: %w", err)
		}
		if !info.IsDir() {
			files = append(files, argument)
			continue
		}
		entries, err := os.ReadDir(argument)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if slices.Contains(graphs.Extensions(), strings.ToLower(filepath.Ext(e.Name()))) && !e.IsDir() {
				files = append(files, filepath.Join(argument, e.Name()))
			}
		}
	}
	if len(files) < leastLike {
		return nil, fmt.Errorf("--like: %d files of points or graphs: want %d or more, since one in three is held out", len(files), leastLike)
	}
	return files, nil
}

// guess is noise that copies may have, and how likely it looks as that of the files does.
type guess struct {
	noise  pairs.Noise
	weight float64 // 1 over all guesses
}

func drawGuess(guesses []guess, rng *rand.Rand) pairs.Noise {
	at := rng.Float64()
	for _, g := range guesses {
		if at -= g.weight; at < 0 {
			return g.noise
		}
	}
	return guesses[len(guesses)-1].noise
}

// guessNoise tries guesses on copies: the likelier what two copies show, matched against chance, is what two files show, the
// greater a guess's weight. (This is indirect inference, doi:10.1002/jae.3950080507: what a wrong matching shows of noise is biased, and of copies
// as of files.)
func guessNoise(ctx context.Context, g *affinity.Graphs, files []*graphs.Graph, rng *rand.Rand) (guesses []guess, err error) {
	solver, err := rgm.Open(rgm.Config{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, solver.Close()) }()
	o := optionsOf(g)
	var both [][2]*graphs.Graph
	for k, first := range files {
		for _, second := range files[:k] {
			both = append(both, [2]*graphs.Graph{first, second})
		}
	}
	rng.Shuffle(len(both), func(i, j int) { both[i], both[j] = both[j], both[i] })
	shown, err := shownBy(ctx, solver, o, both[:min(len(both), triedPairs)])
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(shown, func(s shows) bool { return s.overChance >= leastOverChance }) {
		return nil, settings.Usage(fmt.Errorf("--like: of %d pairs of files none has more in common than chance: want files of more alike graphs, or --pairs with known matches", len(shown)))
	}
	var apparent pairs.Noise
	for _, s := range shown {
		apparent.Add(s.noise, 1/float64(len(shown)))
	}
	var likelihoods []float64
	for _, share := range shares {
		for _, part := range parts {
			var noise pairs.Noise
			noise.Add(apparent, part)
			noise.Strangers = share
			copies := make([][2]*graphs.Graph, triedCopies)
			for k := range copies {
				g1, g2, _, err := noise.Copies(files[rng.IntN(len(files))], rng)
				if err != nil {
					return nil, fmt.Errorf("--like: %w", err)
				}
				copies[k] = [2]*graphs.Graph{&g1, &g2}
			}
			of, err := shownBy(ctx, solver, o, copies)
			if err != nil {
				return nil, err
			}
			guesses, likelihoods = append(guesses, guess{noise: noise}), append(likelihoods, likelihood(shown, of))
		}
	}
	sum, best := 0.0, slices.Max(likelihoods)
	for k := range guesses {
		guesses[k].weight = math.Exp(likelihoods[k] - best)
		sum += guesses[k].weight
	}
	for k := range guesses {
		guesses[k].weight /= sum
	}
	return guesses, nil
}

// shows is what two graphs show that are matched against chance, by J/J0.
type shows struct {
	noise      pairs.Noise
	overChance float64   // the greatest J/J0
	values     []float64 // the noise, and ln J/J0 of matchings of every eighth of the nodes
}

// shownBy matches pairs of graphs.
func shownBy(ctx context.Context, solver *rgm.Solver, o rgm.Options, both [][2]*graphs.Graph) ([]shows, error) {
	all, errs := make([]shows, len(both)), make([]error, len(both))
	parallel.For(len(both), func(k int) { all[k], errs[k] = shown(ctx, solver, o, both[k][0], both[k][1], uint64(k)) })
	return all, firstOf(errs)
}

func shown(ctx context.Context, solver *rgm.Solver, o rgm.Options, g1, g2 *graphs.Graph, seed uint64) (s shows, err error) {
	if err := ctx.Err(); err != nil {
		return s, err
	}
	problem, err := solver.PrepareMatch(ctx, g1, g2, o)
	if err != nil {
		return s, fmt.Errorf("%s and %s: %w", g1.Name, g2.Name, err)
	}
	in := problem.Instance
	found, err := profile.Solver{}.Solve(ctx, in, qap.Options{Seed: seed})
	if err != nil {
		return s, err
	}
	chance, err := reweigh.ByChance(ctx, in, seed)
	if err != nil {
		return s, err
	}
	goal := qap.Goal{Regularizer: chance}
	over := func(m int) float64 { return goal.Value(in, found.Profile[m].Score, m) }
	m, _ := goal.Choose(in, found.Profile)
	s.overChance, s.noise = over(m), pairs.Estimate(g1, g2, found.Profile[m].Matching)
	s.values = []float64{s.noise.Places, s.noise.Numbers, s.noise.Words, s.noise.Edges, s.noise.Strangers}
	const eighths = 8
	most := len(found.Profile) - 1
	for k := 1; k <= eighths; k++ {
		s.values = append(s.values, math.Log(max(over(max(most*k/eighths, min(2, most))), 1e-3)))
	}
	return s, nil
}

// likelihood is the logarithm of how likely what some pairs show is what others do, up to a constant: of normal means,
// which count as one independent number of four.
func likelihood(these, those []shows) float64 {
	const dependent = 4
	sum := 0.0
	for k := range these[0].values {
		at := func(s shows) float64 { return s.values[k] }
		first, second := lists.Of(these, at), lists.Of(those, at)
		v1, v2 := variance(first), variance(second)
		if spread := (v1 + v2) / 2 * (1/float64(len(these)) + 1/float64(len(those))); spread > 0 {
			difference := statistics.Mean(first) - statistics.Mean(second)
			sum -= difference * difference / spread / 2
		}
	}
	return sum / dependent
}

// variance is that of a sample, 0 of one value.
func variance(values []float64) float64 {
	if len(values) < 2 {
		return 0
	}
	d := statistics.Deviation(values)
	return d * d
}

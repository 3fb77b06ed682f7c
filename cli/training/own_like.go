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
	"github.com/rgm-go/rgm/train/affinity"
)

const (
	leastLike               = 3        // files of graphs that copies are made of
	copiesOf, copiesHeldOut = 480, 240 // pairs of copies to learn from, and of files held out
	triedPairs              = 48       // pairs of files that noise is measured on
	leastOverChance         = 1.1      // of those that tell something (see rgm.Result.OverChance)
)

// streamLike is the random stream of the seed that copies are drawn from.
const streamLike = 0x6c696b65

// likePairs makes pairs of graphs without known matches: of noisy copies, as different as
// two files are that are matched against chance. A third of the files is held out.
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
	noise, err := noiseBetween(ctx, &config.Graphs, files, all, in, rng)
	if err != nil {
		return nil, nil, err
	}
	of := func(value func(pairs.Noise) float64) float64 {
		sum := 0.0
		for _, n := range noise {
			sum += value(n)
		}
		return math.Round(1000*sum/float64(len(noise))) / 1000
	}
	c.Log.Info("measured how two files differ; copies differ so", "pairs", len(noise),
		"places", of(func(n pairs.Noise) float64 { return n.Places }), "numbers", of(func(n pairs.Noise) float64 { return n.Numbers }),
		"words", of(func(n pairs.Noise) float64 { return n.Words }), "edges", of(func(n pairs.Noise) float64 { return n.Edges }),
		"without partner", of(func(n pairs.Noise) float64 { return n.Strangers }))
	copies := func(of []int, count int) ([]affinity.Pair, error) {
		made := make([]graphpairs.Known, count)
		for k := range made {
			file := of[k%len(of)]
			g1, g2, truth, err := noise[rng.IntN(len(noise))].Copies(all[file], rng)
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

// noiseBetween measures how some pairs of graphs differ, matched by J/J0, which knows of no noise. Pairs that
// are matched as chance would match them are left out.
func noiseBetween(ctx context.Context, g *affinity.Graphs, files []string, all []*graphs.Graph, of []int, rng *rand.Rand) (noise []pairs.Noise, err error) {
	var both [][2]int
	for k, i := range of {
		for _, j := range of[:k] {
			both = append(both, [2]int{i, j})
		}
	}
	rng.Shuffle(len(both), func(i, j int) { both[i], both[j] = both[j], both[i] })
	both = both[:min(len(both), triedPairs)]
	solver, err := rgm.Open(rgm.Config{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, solver.Close()) }()
	o := optionsOf(g)
	o.Regularize = "null"
	found, errs := make([]rgm.Result, len(both)), make([]error, len(both))
	parallel.For(len(both), func(k int) {
		if errs[k] = ctx.Err(); errs[k] == nil {
			found[k], errs[k] = solver.Match(ctx, all[both[k][0]], all[both[k][1]], o)
		}
		if errs[k] != nil {
			errs[k] = fmt.Errorf("%s and %s: %w", files[both[k][0]], files[both[k][1]], errs[k])
		}
	})
	if err := firstOf(errs); err != nil {
		return nil, err
	}
	for k, r := range found {
		if r.OverChance >= leastOverChance {
			noise = append(noise, pairs.Estimate(all[both[k][0]], all[both[k][1]], r.Matching))
		}
	}
	if len(noise) == 0 {
		return nil, settings.Usage(fmt.Errorf("--like: of %d pairs of files none has more in common than chance: want files of more alike graphs, or --pairs with known matches", len(both)))
	}
	return noise, nil
}

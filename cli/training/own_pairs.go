package training

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/graphpairs"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/lists"
	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train/affinity"
)

// ownPairs reads the model that a training begins from, and the pairs that it learns from and is
// measured on.
func ownPairs(ctx context.Context, c *console.Console, config *affinity.OwnConfig) (given *models.Affinity, known, held []affinity.Pair, err error) {
	loaded, err := networks.Load(config.From)
	if err != nil {
		return nil, nil, nil, err
	}
	given, ok := loaded.Network.(*models.Affinity)
	if !ok {
		return nil, nil, nil, settings.Usage(fmt.Errorf("--from %s: a network of the architecture %s: want one that re-weighs affinities", config.From, loaded.Network.Architecture()))
	}
	config.FromTraining = loaded.Training
	if len(config.Like) > 0 {
		known, held, err := likePairs(ctx, c, config)
		return given, known, held, err
	}
	var all []pairs.Pair
	for _, folder := range config.Pairs {
		of, err := pairsOf(ctx, c, config, folder)
		if err != nil {
			return nil, nil, nil, settings.Usage(fmt.Errorf("--pairs: %w", err))
		}
		all = append(all, of...)
	}
	training, heldOut := pairs.HeldOut(all, config.Seed)
	c.Log.Info("read pairs of graphs", "training", len(training), "held out", len(heldOut), "left out, of both", len(all)-len(training)-len(heldOut))
	return given, lists.Of(training, problemOf), lists.Of(heldOut, problemOf), nil
}

func problemOf(p pairs.Pair) affinity.Pair {
	return affinity.Pair{Name: p.Name, Instance: p.Instance, Truth: p.Truth}
}

// pairsOf reads the pairs of a folder: stacks, where there are some, else files of graphs.
func pairsOf(ctx context.Context, c *console.Console, config *affinity.OwnConfig, folder string) ([]pairs.Pair, error) {
	if stacks, err := pairs.HoldsStacks(folder); err != nil || stacks {
		if err != nil {
			return nil, err
		}
		return pairs.ReadKnown(folder)
	}
	read, left, err := graphpairs.ReadKnown(ctx, folder, mostPairs, rand.New(rand.NewPCG(config.Seed, streamPairs)))
	if err != nil {
		return nil, err
	}
	all, err := comparedPairs(ctx, &config.Graphs, folder, read)
	if left > 0 || len(all) < len(read) {
		c.Log.Info("pairs left out", "folder", folder, "with fewer than 3 known matches", left, "whose affinities would not fit into a gigabyte", len(read)-len(all))
	}
	return all, err
}

// mostPairs is how many pairs of a folder of graphs are read, and mostNumbers how many affinities of all of them are held.
const mostPairs, mostNumbers = 1200, 1 << 27

// streamPairs is the random stream of the seed by which pairs of a folder are drawn.
const streamPairs = 0x70616972

// comparedPairs makes the problems of pairs of graphs, as rgm match makes them for --affinity FILE, as long as they fit.
func comparedPairs(ctx context.Context, g *affinity.Graphs, folder string, read []graphpairs.Known) (all []pairs.Pair, err error) {
	solver, err := rgm.Open(rgm.Config{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, solver.Close()) }()
	options := optionsOf(g)
	numbers := 0
	const together = 32 // so that what is left out depends on no number of processors
	for ; len(read) > 0 && numbers < mostNumbers; read = read[min(together, len(read)):] {
		part := read[:min(together, len(read))]
		made, errs := make([]pairs.Pair, len(part)), make([]error, len(part))
		parallel.For(len(part), func(k int) { made[k], errs[k] = comparedPair(ctx, solver, options, folder, &part[k]) })
		if err := firstOf(errs); err != nil {
			return nil, err
		}
		for _, p := range made {
			all = append(all, p)
			p.Instance.EachEdge(func(int, int, float64) { numbers += 2 })
		}
	}
	return all, nil
}

// optionsOf says how graphs are compared, by all pairs of edges.
func optionsOf(g *affinity.Graphs) rgm.Options {
	return rgm.Options{Method: rgm.MethodProfile, Edges: g.Edges, Kernel: g.Kernel, Scale: g.Scale, Weight: g.Weight, MustAgree: g.MustAgree}
}

// firstOf returns the first error, not all.
func firstOf(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func comparedPair(ctx context.Context, solver *rgm.Solver, o rgm.Options, folder string, k *graphpairs.Known) (pairs.Pair, error) {
	p := pairs.Pair{Name: k.Name, Class: filepath.Base(folder), Truth: k.Truth}
	for _, file := range k.Files {
		p.Groups = append(p.Groups, filepath.Join(folder, file))
	}
	problem, err := solver.PrepareMatch(ctx, k.Graph1, k.Graph2, o)
	if err != nil {
		return p, fmt.Errorf("%s and %s: %w", p.Groups[0], p.Groups[1], err)
	}
	p.Instance = problem.Instance
	return p, nil
}

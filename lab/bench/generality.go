package bench

import (
	"fmt"
	"path/filepath"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/datasets/pairs/kinds"
	"github.com/rgm-go/rgm/lab/published"
)

// generality is the set of many kinds of pairs, a class each: those of the other sets,
// where their files are, and generated ones. A class of heldOut is of kernels, edges or
// points that no model was trained on; none was trained on real pairs.
var generality = []generalClass{
	{name: "house", folder: "cmu", open: func(s *MatchingSettings, folder string) []pairs.Set {
		return []pairs.Set{published.Frames(folder, "house", affinities.HouseSparse)}
	}},
	{name: "hotel", folder: "cmu", open: func(s *MatchingSettings, folder string) []pairs.Set {
		return []pairs.Set{published.Frames(folder, "hotel", affinities.HouseSparse)}
	}},
	{name: "willow-outliers", folder: "willow_points_o3", open: func(s *MatchingSettings, folder string) []pairs.Set {
		return []pairs.Set{published.Points(folder, affinities.LengthDirection)}
	}},
	{name: "willow-delaunay", folder: "willow_points_o3", open: func(s *MatchingSettings, folder string) []pairs.Set {
		affinity := affinities.LengthDirection
		affinity.Edges = graphs.Delaunay
		return []pairs.Set{published.Points(folder, affinity)}
	}},
	{name: "willow-signed", folder: "willow_o0", open: func(s *MatchingSettings, folder string) []pairs.Set {
		return []pairs.Set{published.Affinities(folder)}
	}},
	{name: "synthetic k=1", open: syntheticClass(0.1, 1)},
	{name: "synthetic k=3", open: syntheticClass(0.1, 3)},
	{name: "synthetic k=6", open: syntheticClass(0.1, 6)},
	{name: "noise .3, k=0", open: syntheticClass(0.3, 0)},
	{name: "dense attributes", kind: kinds.Kind{Inliers: 10, Outliers1: 3, Outliers2: 3, Density: 1, Noise: .1, Width: .39}},
	{name: "attributes .5", kind: kinds.Kind{Inliers: 10, Outliers1: 3, Outliers2: 3, Density: .5, Noise: .1, Width: .2}},
	{name: "attributes .5, k=0", kind: kinds.Kind{Inliers: 15, Density: .5, Noise: .15, Width: .2, Flipped: .1}},
	{name: "attributes .2", kind: kinds.Kind{Inliers: 15, Outliers1: 5, Outliers2: 5, Density: .2, Noise: .05, Width: .2}},
	{name: "linear", kind: kinds.Kind{Inliers: 10, Outliers1: 3, Outliers2: 3, Dimensions: 2, Density: 1, Noise: .04, Width: .2, Kernel: kinds.KernelLinear}},
	{name: "binary", kind: kinds.Kind{Inliers: 10, Outliers1: 3, Outliers2: 3, Dimensions: 2, Density: 1, Noise: .04, Width: .1, Kernel: kinds.KernelBinary}},
	{name: "laplace", kind: kinds.Kind{Inliers: 10, Outliers1: 3, Outliers2: 3, Dimensions: 2, Density: 1, Noise: .04, Width: .1, Kernel: kinds.KernelLaplace}},
	{name: "wide", kind: kinds.Kind{Inliers: 10, Outliers1: 3, Outliers2: 3, Dimensions: 2, Density: 1, Noise: .04, Width: .7}},
	{name: "less a half", kind: kinds.Kind{Inliers: 10, Outliers1: 3, Outliers2: 3, Dimensions: 2, Density: 1, Noise: .04, Width: .17, Signs: kinds.SignsHalf}},
	{name: "centred", kind: kinds.Kind{Inliers: 10, Outliers1: 3, Outliers2: 3, Dimensions: 2, Density: 1, Noise: .04, Width: .17, Signs: kinds.SignsCentred}},
	{name: "node affinities", kind: kinds.Kind{Inliers: 10, Outliers1: 3, Outliers2: 3, Dimensions: 2, Density: 1, Noise: .06, Width: .17, Nodes: .3}},
	{name: "10 of 16", kind: kinds.Kind{Inliers: 10, Outliers2: 6, Dimensions: 2, Density: 1, Noise: .04, Width: .17}},
	{name: "delaunay, k=0", kind: kinds.Kind{Inliers: 20, Dimensions: 2, Joins: kinds.JoinDelaunay, Noise: .03, Width: .1}},
	{name: "delaunay, direction", kind: kinds.Kind{Inliers: 15, Outliers1: 5, Outliers2: 5, Dimensions: 2, Joins: kinds.JoinDelaunay, Noise: .03, Width: .2, Direction: .45}},
	{name: "cauchy", heldOut: true, kind: kinds.Kind{Inliers: 10, Outliers1: 3, Outliers2: 3, Dimensions: 2, Density: 1, Noise: .04, Width: .1, Kernel: kinds.KernelCauchy}},
	{name: "quarters", heldOut: true, kind: kinds.Kind{Inliers: 10, Outliers1: 3, Outliers2: 3, Dimensions: 2, Density: 1, Noise: .04, Width: .17, Kernel: kinds.KernelSteps}},
	{name: "in space", heldOut: true, kind: kinds.Kind{Inliers: 10, Outliers1: 3, Outliers2: 3, Dimensions: 3, Density: 1, Noise: .06, Width: .17}},
	{name: "nearest", heldOut: true, kind: kinds.Kind{Inliers: 15, Outliers1: 4, Outliers2: 4, Dimensions: 2, Joins: kinds.JoinNearest, Noise: .02, Width: .1}},
	{name: "scale-free", heldOut: true, kind: kinds.Kind{Inliers: 16, Outliers1: 4, Outliers2: 4, Joins: kinds.JoinScaleFree, Noise: .05, Width: .2, Flipped: .05}},
}

// generalClass is a class of the set generality: a kind, or what open returns.
type generalClass struct {
	name    string
	heldOut bool
	kind    kinds.Kind
	folder  string // of --data; empty where pairs are generated
	open    func(s *MatchingSettings, folder string) []pairs.Set
}

func syntheticClass(noise float64, outliers int) func(*MatchingSettings, string) []pairs.Set {
	return func(s *MatchingSettings, _ string) []pairs.Set {
		return []pairs.Set{paperSynthetic(s, affinities.PaperSynthetic, noise, outliers)}
	}
}

// openGenerality opens the classes, of real pairs only where --data is given.
func openGenerality(s *MatchingSettings, _ string, _ affinities.Geometric) ([]pairs.Set, error) {
	const seed = 2031 // training has seed 0
	return openClasses(s, generality, seed)
}

// openClasses opens classes, with generated pairs of a seed.
func openClasses(s *MatchingSettings, classes []generalClass, seed uint64) ([]pairs.Set, error) {
	const about = "kinds of pairs, a class each: lab/notes/MATCHING_RESULTS.md; real ones with --data"
	var sets []pairs.Set
	for _, class := range classes {
		if class.folder != "" && s.Data == "" {
			continue
		}
		opened := []pairs.Set{}
		if class.open != nil {
			opened = class.open(s, filepath.Join(s.Data, class.folder))
		} else {
			k := class.kind
			k.Name = class.name
			opened = append(opened, k.Set(s.Pairs, seed))
		}
		for _, set := range opened {
			sets = append(sets, classed(set, class, about, s.Pairs))
		}
	}
	return sets, nil
}

// classed returns at most so many pairs of a set, evenly spaced where more were read, as
// a class.
func classed(set pairs.Set, class generalClass, about string, most int) pairs.Set {
	name := class.name
	if class.heldOut {
		name += " *"
	}
	given := set.Pairs
	set.About = about
	set.Pairs = func(yield func(pairs.Pair, error) bool) {
		var all []pairs.Pair
		for p, err := range given {
			if err != nil {
				yield(p, fmt.Errorf("%s: %w", class.name, err))
				return
			}
			p.Class = name
			all = append(all, p)
		}
		kept := min(most, len(all))
		for k := range kept {
			if !yield(all[k*len(all)/kept], nil) {
				return
			}
		}
	}
	return set
}

package bench

import (
	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/datasets/pairs/kinds"
)

// validation is the set by which learned affinities are chosen: kinds like those
// of generality, by other numbers and pairs, so that generality decides nothing.
var validation = []generalClass{
	{name: "smooth", kind: kinds.Kind{Inliers: 11, Outliers1: 4, Outliers2: 4, Dimensions: 2, Density: 1, Noise: .05, Width: .25}},
	{name: "smooth k=0", kind: kinds.Kind{Inliers: 12, Dimensions: 2, Density: 1, Noise: .08, Width: .15}},
	{name: "smooth direction", kind: kinds.Kind{Inliers: 9, Outliers1: 3, Outliers2: 3, Dimensions: 2, Density: 1, Noise: .08, Width: .3, Direction: .5}},
	{name: "dense attr", kind: kinds.Kind{Inliers: 9, Outliers1: 4, Outliers2: 4, Density: 1, Noise: .08, Width: .3}},
	{name: "attr .5 out", kind: kinds.Kind{Inliers: 9, Outliers1: 4, Outliers2: 4, Density: .5, Noise: .08, Width: .25}},
	{name: "attr .4 k=0", kind: kinds.Kind{Inliers: 14, Density: .4, Noise: .1, Width: .25, Flipped: .15}},
	{name: "attr .25", kind: kinds.Kind{Inliers: 14, Outliers1: 4, Outliers2: 6, Density: .25, Noise: .07, Width: .15, Flipped: .05}},
	{name: "attr .5 linear", kind: kinds.Kind{Inliers: 11, Outliers1: 2, Outliers2: 2, Density: .5, Noise: .1, Width: .4, Kernel: kinds.KernelLinear}},
	{name: "linear", kind: kinds.Kind{Inliers: 11, Outliers1: 3, Outliers2: 2, Dimensions: 2, Density: 1, Noise: .05, Width: .25, Kernel: kinds.KernelLinear}},
	{name: "binary", kind: kinds.Kind{Inliers: 11, Outliers1: 3, Outliers2: 3, Dimensions: 2, Density: 1, Noise: .03, Width: .08, Kernel: kinds.KernelBinary}},
	{name: "laplace", kind: kinds.Kind{Inliers: 11, Outliers1: 3, Outliers2: 3, Dimensions: 2, Density: 1, Noise: .05, Width: .15, Kernel: kinds.KernelLaplace}},
	{name: "half", kind: kinds.Kind{Inliers: 9, Outliers1: 3, Outliers2: 3, Dimensions: 2, Density: 1, Noise: .05, Width: .2, Signs: kinds.SignsHalf}},
	{name: "centred", kind: kinds.Kind{Inliers: 9, Outliers1: 3, Outliers2: 3, Dimensions: 2, Density: 1, Noise: .05, Width: .2, Signs: kinds.SignsCentred}},
	{name: "centred sparse", kind: kinds.Kind{Inliers: 14, Outliers1: 3, Outliers2: 3, Density: .4, Noise: .08, Width: .25, Signs: kinds.SignsCentred}},
	{name: "nodes", kind: kinds.Kind{Inliers: 9, Outliers1: 4, Outliers2: 4, Dimensions: 2, Density: 1, Noise: .06, Width: .2, Nodes: .2}},
	{name: "unequal", kind: kinds.Kind{Inliers: 10, Outliers2: 5, Dimensions: 2, Density: 1, Noise: .05, Width: .2}},
	{name: "delaunay k=0", kind: kinds.Kind{Inliers: 18, Dimensions: 2, Joins: kinds.JoinDelaunay, Noise: .03, Width: .15}},
	{name: "delaunay out", kind: kinds.Kind{Inliers: 14, Outliers1: 4, Outliers2: 4, Dimensions: 2, Joins: kinds.JoinDelaunay, Noise: .02, Width: .1}},
	{name: "delaunay 30", kind: kinds.Kind{Inliers: 30, Dimensions: 2, Joins: kinds.JoinDelaunay, Noise: .01, Width: .1}},
	{name: "delaunay 45", kind: kinds.Kind{Inliers: 40, Outliers1: 5, Outliers2: 5, Dimensions: 2, Joins: kinds.JoinDelaunay, Noise: .01, Width: .1, Direction: .4}},
	{name: "points .3", kind: kinds.Kind{Inliers: 14, Outliers1: 4, Outliers2: 4, Dimensions: 2, Density: .3, Noise: .04, Width: .15}},
}

// openValidation opens the classes.
func openValidation(s *MatchingSettings, _ string, _ affinities.Geometric) ([]pairs.Set, error) {
	const seed = 77
	return openClasses(s, validation, seed)
}

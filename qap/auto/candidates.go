package auto

import (
	"github.com/rgm-go/rgm/qap/population"
)

// Component is a candidate: a search that can have turns.
type Component int

// The candidates.
const (
	Trajectory Component = iota
	ShortPopulation
	LongPopulation
	BlocksPopulation
	GrownPopulation
	Annealing
	Relaxation

	Components = 7 // their number
)

// candidate is a row of the table of candidates.
type candidate struct {
	name, purpose, chosenOn string // as docs/SOLVERS.md has them
	foundBy                 string
	price                   float64 // of a step, in swaps of one trajectory: measured, alike on graphs of 60 to 200 nodes
	settings                population.Settings
}

// candidates is the table, in the order of the components. Settings were tried on generated
// instances of the families in the third column (datasets.Generate). Some were picked with a look at others as
// well: docs/SOLVERS.md names them.
var candidates = [Components]candidate{
	{"`tabu`: one trajectory, which begins at the best so far, and anew there once others are ahead", "near the best lie better ones", "uniform", ByTabu, 1, population.Settings{}},
	{"`population`, short searches", "several funnels, up to some hundred nodes", "grid, clusters, typing", ByPopulation, 1.3, population.Short()},
	{"`population`, long searches", "no structure, narrow funnels", "uniform, typing, neighbours", ByPopulation, 1, population.Long()},
	{"`population`, 60 elites, searches that hardly outlast the descent", "good parts that can be put together: blocks, racks", "blocks", ByPopulation, 1.6, population.Blocks()},
	{"`population` that grows", "few flows between distances without structure; little time", "tree, neighbours, mapping", ByPopulation, 2.5, population.Grown()},
	{"`anneal`, in rounds of double length; on large sparse graphs from bisections", "a hundred nodes and more, with structure", "grid, clusters, backboard, mapping", ByAnneal, 1, population.Settings{}},
	{"`faq` from degree profiles and from similar nodes, then from random starts, each time with a short `tabu`", "a graph on its noisy copy", "copies", ByFAQ, 1, population.Settings{}},
}

// order is a row of the table of orders: how much of the work each candidate has at first.
type order struct {
	instance, begins string // as docs/SOLVERS.md has them
	applies          func(f *Features) bool
	first            Component // has the first turn
	shares           [Components]float64
}

// orders says how an instance begins: by the first row that applies. It excludes no candidate.
var orders = []order{
	{
		"a graph on its *copy*", "`faq`",
		func(f *Features) bool { return f.Copies },
		Relaxation, [Components]float64{Trajectory: 16, ShortPopulation: 16, LongPopulation: 8, BlocksPopulation: 8, GrownPopulation: 8, Annealing: 8, Relaxation: 16},
	},
	{
		"*few partners*, and no structure in the other matrix", "growth",
		(*Features).grows,
		GrownPopulation, [Components]float64{Trajectory: 2, ShortPopulation: 2, LongPopulation: 5, BlocksPopulation: 2, GrownPopulation: 60, Annealing: 2, Relaxation: 2},
	},
	{
		"300 nodes and more, with structure, but trees and tours", "`anneal`",
		func(f *Features) bool { return f.N >= largeFrom && f.branching() && f.structured() },
		Annealing, [Components]float64{Trajectory: 4, ShortPopulation: 4, LongPopulation: 1, BlocksPopulation: 4, GrownPopulation: 4, Annealing: 64, Relaxation: 1},
	},
	{
		"16 partners at most in the mean, and n/8", "growth, short searches and `anneal`",
		(*Features).sparse,
		GrownPopulation, [Components]float64{Trajectory: 4, ShortPopulation: 16, LongPopulation: 2, BlocksPopulation: 8, GrownPopulation: 24, Annealing: 24, Relaxation: 1},
	},
	{
		"*blocks* in both matrices", "60 elites, one by matching blocks",
		(*Features).blocks,
		BlocksPopulation, [Components]float64{Trajectory: 2, ShortPopulation: 5, LongPopulation: 2, BlocksPopulation: 60, GrownPopulation: 2, Annealing: 5, Relaxation: 2},
	},
	{
		"300 nodes and more", "one trajectory",
		func(f *Features) bool { return f.N >= largeFrom },
		Trajectory, [Components]float64{Trajectory: 32, ShortPopulation: 8, LongPopulation: 4, BlocksPopulation: 4, GrownPopulation: 2, Annealing: 8, Relaxation: 1},
	},
	{
		"no structure", "short searches, then mostly long ones",
		func(f *Features) bool { return !f.structured() },
		ShortPopulation, [Components]float64{Trajectory: 16, ShortPopulation: 10, LongPopulation: 56, BlocksPopulation: 4, GrownPopulation: 2, Annealing: 2, Relaxation: 1},
	},
	{
		"100 nodes and more", "`anneal`, and elites",
		func(f *Features) bool { return f.N >= middleFrom },
		Annealing, [Components]float64{Trajectory: 4, ShortPopulation: 8, LongPopulation: 2, BlocksPopulation: 16, GrownPopulation: 2, Annealing: 32, Relaxation: 1},
	},
	{
		"all others", "short searches, and one trajectory",
		func(*Features) bool { return true },
		ShortPopulation, [Components]float64{Trajectory: 24, ShortPopulation: 32, LongPopulation: 2, BlocksPopulation: 6, GrownPopulation: 2, Annealing: 3, Relaxation: 1},
	},
}

// orderOf returns the order of an instance that was looked at.
func orderOf(f *Features) *order {
	for k := range orders {
		if orders[k].applies(f) {
			return &orders[k]
		}
	}
	panic("unreachable") // the last row applies always
}

// What decides.
const (
	largeFrom    = 300  // nodes from which a trajectory makes too few steps in seconds, where there is structure
	middleFrom   = 100  // nodes from which annealing is ahead of it for long
	blocksBelow  = 0.2  // likeness of both matrices where nodes come in blocks
	unstructured = 0.6  // likeness above which a matrix has no structure
	copiesBelow  = 0.15 // difference of the sorted sums of rows, as shares of all
	mostOfNarrow = 6    // neighbors of a node in the mean
	mostOfSparse = 16
	sparseShare  = 1.0 / 8 // of all nodes
)

package auto

import (
	"math"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/population"
	"github.com/rgm-go/rgm/qap/tabu"
)

// way is how an instance is searched.
type way int

const (
	regrowth      way = iota // ruin and regrowth
	rollouts                 // the policy
	rolloutsFirst            // the policy for a short while, then the search of the profile
	relaxing                 // FAQ and a short trajectory from there, then what the lines below say
	annealing                // annealing for annealedShare of the budget, then a trajectory from its result
	trajectory               // one trajectory of tabu search
	growth                   // a population that grows
	turnsAlone               // a trajectory and a population in turns
	annealedTurns            // annealing, then turns from its result
)

// line is a line of the table of searches.
type line struct {
	instance, runs, chosenOn string // as docs/SOLVERS.md has them
	applies                  func(c *circumstances) bool
	way                      way
	plan                     plan // of turns
}

// circumstances are what decides: the nodes, the swaps of one trajectory that the limits
// leave, as far as they tell, and the structure of both matrices. The structure is not looked
// at before a line asks for it.
type circumstances struct {
	*Features
	n          int     // of the larger graph
	affinities bool    // swaps do not serve
	limited    bool    // by anything
	relaxed    bool    // FAQ has run
	budget     float64 // in swaps a node
	byClock    bool    // time alone limits the search
}

// table says which search an instance gets: that of the first line that applies.
// It is that of docs/SOLVERS.md. Its numbers were chosen on generated instances of the
// families in the last column (datasets.Generate; measurements in
// cmd/rgm-lab/notes/EXPERIMENTS.md), unless a name of QAPLIB says otherwise.
var table = []line{
	{
		"an affinity matrix, graphs of two sizes, or seeds; a time limit", "`regrow`", "synthetic, mixture, sizes (pairs of graphs)",
		func(c *circumstances) bool { return c.affinities && c.byClock },
		regrowth, plan{},
	},
	{
		"the same, a limit of steps", "rollouts of the policy", "synthetic",
		func(c *circumstances) bool { return c.affinities && c.limited },
		rollouts, plan{},
	},
	{
		"the same, no limit, up to 20 nodes", "short rollouts of the policy, then `profile`; the better result counts", "synthetic",
		func(c *circumstances) bool { return c.affinities && c.n < regrowFrom },
		rolloutsFirst, plan{},
	},
	{
		"the same, no limit, more nodes", "`regrow`", "synthetic, mixture, sizes",
		func(c *circumstances) bool { return c.affinities },
		regrowth, plan{},
	},
	{
		"300 nodes and more, a time limit of fewer than n/4 swaps", "`anneal`, without a look at the structure", "grid, mapping, tree, uniform",
		func(c *circumstances) bool { return c.n >= largeFrom && c.byClock && c.budget < leastLook },
		annealing, plan{},
	},
	{
		"a graph on its *copy*, and not less time than 9,000 swaps take", "`faq`, a short `tabu` from its result, then from there what the lines below say", "copies",
		func(c *circumstances) bool {
			return c.Copies && !c.relaxed && (!c.byClock || c.budget*float64(c.n) >= relaxFrom)
		},
		relaxing, plan{},
	},
	{
		"*few partners*, and no structure in the other matrix", "turns: a population that grows; one turn in 16 for a trajectory", "neighbours",
		func(c *circumstances) bool { return c.grows(c.Narrow) },
		turnsAlone, plan{rareTurns, LongPopulation, LongPopulation, [Components]population.Settings{LongPopulation: grownAmongNeighbors()}},
	},
	{
		"the same, as few as in a *tree*", "turns: another that grows; one turn in 16 for a trajectory", "tree",
		func(c *circumstances) bool { return c.grows(c.Tree) },
		turnsAlone, plan{rareTurns, ShortPopulation, ShortPopulation, [Components]population.Settings{ShortPopulation: population.Grown()}},
	},
	{
		"300 nodes and more, no structure in either matrix", "one trajectory of `tabu`", "uniform",
		func(c *circumstances) bool { return c.n >= largeFrom && !c.structured() },
		trajectory, plan{},
	},
	{
		"300 nodes and more, 16 partners at most, 2 to 20 swaps a node (by time, fewer than 1,500 in all)", "a population that grows", "mapping",
		func(c *circumstances) bool {
			inTime := !c.byClock || c.budget*float64(c.n) < growInTime
			return c.n >= largeFrom && min(c.Neighbors[0], c.Neighbors[1]) <= growNeighbors && c.budget >= 2 && c.budget < growBudget && inTime
		},
		growth, plan{},
	},
	{
		"300 nodes and more, else", "`anneal` for 95 % of the budget, then a trajectory from its result", "grid, mapping, clusters",
		func(c *circumstances) bool { return c.n >= largeFrom },
		annealing, plan{},
	},
	{
		"*blocks* in both matrices", "turns: 60 elites, searches that hardly outlast the descent; one turn in 16 for a trajectory", "blocks",
		func(c *circumstances) bool { return c.blocks() },
		turnsAlone, plan{rareTurns, ShortPopulation, ShortPopulation, [Components]population.Settings{ShortPopulation: population.Blocks()}},
	},
	{
		"100 nodes and more, some structure, under 1,500 swaps a node", "`anneal` for 95 % of the budget, then a trajectory", "grid, clusters, backboard",
		func(c *circumstances) bool { return c.n >= middleFrom && c.structured() && c.budget < shortBudget },
		annealing, plan{},
	},
	{
		"the same, more swaps", "the line above with 1,500 swaps a node, then the last line from its result", "grid, clusters, backboard",
		func(c *circumstances) bool { return c.n >= middleFrom && c.structured() },
		annealedTurns, plan{usualTurns, ShortPopulation, ShortPopulation, [Components]population.Settings{ShortPopulation: population.Short()}},
	},
	{
		"no structure in either matrix", "turns, half of them for a trajectory: a population with long searches", "uniform",
		func(c *circumstances) bool { return !c.structured() },
		turnsAlone, plan{usualTurns, LongPopulation, ShortPopulation, [Components]population.Settings{ShortPopulation: population.Short(), LongPopulation: population.Long()}},
	},
	{
		"all others", "turns, half of them for a trajectory: a population with short searches", "grid, clusters, typing",
		func(*circumstances) bool { return true },
		turnsAlone, plan{usualTurns, ShortPopulation, ShortPopulation, [Components]population.Settings{ShortPopulation: population.Short()}},
	},
}

// What decides. From largeFrom nodes on a trajectory makes too few steps in seconds, since
// each looks at n²/2 swaps, unless both matrices have no structure: there the best swap of all
// is worth its price. From middleFrom nodes on the same holds of small budgets. Below leastLook
// looking at the structure would take most of the time. A population grows where annealing
// has no time to bring partners together: its steps are sooner made than the swaps of a
// trajectory, so a limit of time has less to do before annealing is better.
const (
	regrowFrom    = 21 // nodes, from which ruin and regrowth finds what rollouts and the search of the profile do, in a tenth of their time
	largeFrom     = 300
	middleFrom    = 100
	shortBudget   = 1500 // swaps a node
	leastLook     = 0.25 // swaps a node
	growBudget    = 20   // swaps a node
	growInTime    = 1500 // swaps
	relaxFrom     = 9000 // swaps: FAQ takes the time of some 4,500, on graphs of any size
	growNeighbors = 16   // of a node, in the mean
	blocksBelow   = 0.2  // likeness of both matrices where nodes come in blocks
	unstructured  = 0.6  // likeness above which a matrix has no structure
	copiesBelow   = 0.15 // difference of the sorted sums of rows, as shares of all
	mostOfNarrow  = 6    // neighbors of a node
	mostOfTree    = 2
	rareTurns     = 1.0 / 16
	usualTurns    = 1.0 / 2
)

// plan says how to search in turns.
type plan struct {
	trajectory float64   // share of the turns that one trajectory has at first
	population Component // which one suits
	opening    Component // which one has the first turn
	settings   [Components]population.Settings
}

// grownAmongNeighbors are the settings of a population that grows where neighbors close
// circles, so that few places are wrong.
func grownAmongNeighbors() population.Settings {
	s := population.Grown()
	s.Segment, s.Anew = 0.3, 0.3
	return s
}

// unlooked is the last line before the structure counts.
const unlooked = 4

// choose returns the line of an instance.
func choose(in *qap.Instance, c circumstances) *line {
	for k := range table {
		if c.Features == nil && !c.affinities && k > unlooked {
			f := structure(in)
			c.Features = &f
		}
		if l := &table[k]; l.applies(&c) {
			return l
		}
	}
	panic("unreachable") // the last line applies always
}

// circumstancesOf returns those of an instance that was not looked at.
func circumstancesOf(in *qap.Instance, g qap.Goal, l qap.Limits) circumstances {
	n1, n2 := in.Size()
	n := max(n1, n2)
	c := circumstances{
		n: n, affinities: !swaps(in, g), budget: math.Inf(1),
		limited: l.MaxSteps > 0 || l.Patience > 0 || l.TimeLimit > 0,
	}
	if c.affinities { // whose searches count steps each in its own way
		c.byClock = l.TimeLimit > 0
		return c
	}
	c.byClock = l.TimeLimit > 0 && l.MaxSteps == 0 && l.Patience == 0
	if l.MaxSteps > 0 {
		c.budget = float64(l.MaxSteps) / float64(n)
	}
	if l.TimeLimit > 0 && n >= middleFrom { // below it takes longer to measure than to search
		c.budget = min(c.budget, swapsIn(l.TimeLimit, n)/float64(n))
	}
	return c
}

// swaps reports whether the search is one over swaps: where all nodes are matched, and any
// with any.
func swaps(in *qap.Instance, g qap.Goal) bool { return tabu.Serves(in) && g.Fixed == nil }

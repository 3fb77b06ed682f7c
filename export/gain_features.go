package export

import (
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/features"
)

// selfContainedGain computes the Gain set of features itself. Their formulas are those
// of features.GainExtractor; the names of channels say which.
func (g *graph) selfContainedGain(n *models.Gain, form Form) {
	vertex := func(name string) string {
		return g.exact(g.input(name, named("batch"), named("n1"), named("n2")))
	}
	x, allowed, best := vertex(matchingInput), vertex(allowedInput), vertex(bestInput)
	released, visits := vertex(releasedInput), vertex(visitsInput)
	rowChanged := g.exact(g.input(rowChangedInput, named("batch"), named("n1")))
	colChanged := g.exact(g.input(columnChangedInput, named("batch"), named("n2")))
	episode := g.exact(g.input(episodeInput, named("batch"), fixed(4)))
	scale := g.exact(g.input(scaleInput, fixed(1)))
	d := g.nodes(matchingInput)
	var o objective
	if form == Lawler {
		o = g.lawler(x, best, d)
	} else {
		o = g.koopmansBeckmann(x, best, d)
	}
	g.parameters(n)

	at := func(k int64) string { // a number a state, [batch, 1, 1]
		return g.op("Unsqueeze", g.gatherColumns(episode, g.ints(k)), g.ints(2))
	}
	f := gainFeatures{
		graph: g, objective: o, x: x, allowed: allowed, best: best,
		step: at(0), horizon: at(1), hasBest: at(2), bestStep: at(3),
		scale: g.mul(scale, o.factor), n: g.op("Max", g.exact(d.n1), g.exact(d.n2)),
	}
	vertices, rows, columns, state := f.channels(released, visits, rowChanged, colChanged)
	g.finish(g.gain(vertices, rows, columns, state, n.Dueling()))
	g.rename(g.float(o.changes), changesOutput)
	g.output(changesOutput, named("batch"), named("n1"), named("n2"))
}

// gainFeatures computes the channels of a batch of states.
type gainFeatures struct {
	*graph
	objective
	x, allowed, best                 string // [batch, n1, n2]
	step, horizon, hasBest, bestStep string // [batch, 1, 1]
	scale, n                         string // [1]: s of the goal; nodes of the larger graph
}

// channels returns the tensors of the Gain set.
func (f *gainFeatures) channels(released, visits, rowChanged, colChanged string) (vertices, rows, columns, state string) {
	gained := f.standardised()
	age := f.age(released)
	list := map[int]string{
		features.Matched: f.x, features.Gained: gained, features.ReleasedAge: age,
		features.InBest: f.mul(f.hasBest, f.best), features.Visited: f.visited(visits),
		features.PartnerAge: f.product(f.product(f.x, f.flip(age)), f.x),
		features.RowFree:    f.less(f.rowSums(f.x)), features.ColFree: f.less(f.colSums(f.x)),
		features.GainedRow: f.rowSums(f.mul(f.x, gained)), features.GainedCol: f.colSums(f.mul(f.x, gained)),
		features.RowAge: f.age(f.op("Unsqueeze", rowChanged, f.ints(2))),
		features.ColAge: f.age(f.op("Unsqueeze", colChanged, f.ints(1))),
	}
	f.addChanges(list)
	f.addState(list)

	of := func(channels []int, axis int64, shape func(v string) string) string {
		var parts []string
		for _, channel := range channels {
			parts = append(parts, shape(list[channel]))
		}
		return f.float(f.concat(axis, parts...))
	}
	same := func(v string) string { return v }
	vertices = of(features.VertexChannels, 1, func(v string) string { return f.op("Unsqueeze", v, f.ints(1)) })
	rows = of(features.RowChannels, 1, f.flip)
	columns = of(features.ColumnChannels, 1, same)
	state = of(features.StateChannels, 1, func(v string) string { return f.op("Squeeze", v, f.ints(2)) })
	return vertices, rows, columns, state
}

// standardised is Gained.
func (f *gainFeatures) standardised() string {
	off := f.sub(f.gains, f.mean(f.gains, 1, 2))
	deviation := f.op("Sqrt", f.mean(f.mul(off, off), 1, 2))
	return f.div(off, f.op("Add", deviation, f.mul(f.exactNumber(1e-9), f.scale)))
}

// age is exp(−steps since/(n/2)) of events given by the numbers of their steps, 0 where
// that is 0, which is never, and after 8n steps (65535 at most).
func (f *gainFeatures) age(events string) string {
	since := f.sub(f.step, events)
	limit := f.op("Min", f.mul(f.exactNumber(8), f.n), f.exactNumber(65535))
	counts := f.mul(f.greater(events, f.exactNumber(0)), f.greater(limit, since))
	return f.mul(counts, f.op("Exp", f.div(f.mul(f.exactNumber(-2), since), f.n)))
}

// visited is Visited.
func (f *gainFeatures) visited(visits string) string {
	counted := f.op("Min", visits, f.exactNumber(255))
	return f.asinh(f.div(f.mul(counted, f.n), f.op("Add", f.step, f.exactNumber(1))))
}

// addChanges adds the channels that depend on ΔV.
func (f *gainFeatures) addChanges(list map[int]string) {
	const nowhere = -1e30 // below every change
	largest := f.largestOf(f.where(f.allowed, f.changes, f.exactNumber(nowhere)), 1, 2)
	count := f.op("Max", f.all(f.allowed), f.exactNumber(1))
	mean := f.op("Add", f.div(f.all(f.mul(f.allowed, f.op("Abs", f.changes))), count), f.mul(f.exactNumber(1e-12), f.scale))
	regret := f.asinh(f.mul(f.sub(f.changes, largest), f.div(f.exactNumber(4), mean)))
	margin := f.mul(f.exactNumber(1e-12), f.op("Abs", f.objective.best))
	needed := f.sub(f.op("Add", f.objective.best, margin), f.value)

	list[features.Change] = f.asinh(f.mul(f.changes, f.div(f.exactNumber(4), f.scale)))
	list[features.Regret] = f.where(f.allowed, regret, f.exactNumber(0))
	list[features.BeatsBest] = f.mul(f.mul(f.hasBest, f.allowed), f.greater(f.changes, needed))
}

// addState adds the channels of the state.
func (f *gainFeatures) addState(list map[int]string) {
	free := f.sub(f.most, f.all(f.x))
	stagnation := f.less(f.op("Exp", f.div(f.sub(f.bestStep, f.step), f.n)))
	horizon := f.op("Max", f.horizon, f.exactNumber(1))
	list[features.BehindBest] = f.mul(f.hasBest, f.asinh(f.div(f.sub(f.value, f.objective.best), f.scale)))
	list[features.FreeShare] = f.div(free, f.n)
	list[features.Complete] = f.equal(free, f.exactNumber(0))
	list[features.Stagnation] = f.mul(f.hasBest, stagnation)
	list[features.StepsLeft] = f.div(f.op("Max", f.sub(horizon, f.step), f.exactNumber(0)), horizon)
}

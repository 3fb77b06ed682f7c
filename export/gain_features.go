package export

import (
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/features"
)

// selfContainedGain computes the Gain set of features itself. Their formulas are those
// of features.GainExtractor; the names of channels say which.
func (g *graph) selfContainedGain(n *models.Gain, form Form) {
	vertex := func(name string) string {
		return g.exact(g.Input(name, onnx.Named("batch"), onnx.Named("n1"), onnx.Named("n2")))
	}
	x, allowed, best := vertex(matchingInput), vertex(allowedInput), vertex(bestInput)
	released, visits := vertex(releasedInput), vertex(visitsInput)
	rowChanged := g.exact(g.Input(rowChangedInput, onnx.Named("batch"), onnx.Named("n1")))
	colChanged := g.exact(g.Input(columnChangedInput, onnx.Named("batch"), onnx.Named("n2")))
	episode := g.exact(g.Input(episodeInput, onnx.Named("batch"), onnx.Fixed(4)))
	scale := g.exact(g.Input(scaleInput, onnx.Fixed(1)))
	d := g.nodes(matchingInput)
	var o objective
	if form == Lawler {
		o = g.lawler(x, best, d)
	} else {
		o = g.koopmansBeckmann(x, best, d)
	}
	g.parameters(n)

	at := func(k int64) string { // a number a state, [batch, 1, 1]
		return g.Op("Unsqueeze", g.gatherColumns(episode, g.Ints(k)), g.Ints(2))
	}
	f := gainFeatures{
		graph: g, objective: o, x: x, allowed: allowed, best: best,
		step: at(0), horizon: at(1), hasBest: at(2), bestStep: at(3),
		scale: g.Mul(scale, o.factor), n: g.Op("Max", g.exact(d.n1), g.exact(d.n2)),
	}
	vertices, rows, columns, state := f.channels(released, visits, rowChanged, colChanged)
	g.finish(n.Graph(g.Builder, []string{vertices, rows, columns, state}))
	g.Rename(g.Float(o.changes), changesOutput)
	g.Output(changesOutput, onnx.Named("batch"), onnx.Named("n1"), onnx.Named("n2"))
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
		features.InBest: f.Mul(f.hasBest, f.best), features.Visited: f.visited(visits),
		features.PartnerAge: f.Product(f.Product(f.x, f.flip(age)), f.x),
		features.RowFree:    f.less(f.rowSums(f.x)), features.ColFree: f.less(f.colSums(f.x)),
		features.GainedRow: f.rowSums(f.Mul(f.x, gained)), features.GainedCol: f.colSums(f.Mul(f.x, gained)),
		features.RowAge: f.age(f.Op("Unsqueeze", rowChanged, f.Ints(2))),
		features.ColAge: f.age(f.Op("Unsqueeze", colChanged, f.Ints(1))),
	}
	f.addChanges(list)
	f.addState(list)

	of := func(channels []int, axis int64, shape func(v string) string) string {
		var parts []string
		for _, channel := range channels {
			parts = append(parts, shape(list[channel]))
		}
		return f.Float(f.Concat(axis, parts...))
	}
	same := func(v string) string { return v }
	vertices = of(features.VertexChannels, 1, func(v string) string { return f.Op("Unsqueeze", v, f.Ints(1)) })
	rows = of(features.RowChannels, 1, f.flip)
	columns = of(features.ColumnChannels, 1, same)
	state = of(features.StateChannels, 1, func(v string) string { return f.Op("Squeeze", v, f.Ints(2)) })
	return vertices, rows, columns, state
}

// standardised is Gained.
func (f *gainFeatures) standardised() string {
	off := f.Sub(f.gains, f.Mean(f.gains, 1, 2))
	deviation := f.Op("Sqrt", f.Mean(f.Mul(off, off), 1, 2))
	return f.Div(off, f.Op("Add", deviation, f.Mul(f.exactNumber(1e-9), f.scale)))
}

// age is exp(−steps since/(n/2)) of events given by the numbers of their steps, 0 where
// that is 0, which is never, and after 8n steps (65535 at most).
func (f *gainFeatures) age(events string) string {
	since := f.Sub(f.step, events)
	limit := f.Op("Min", f.Mul(f.exactNumber(8), f.n), f.exactNumber(65535))
	counts := f.Mul(f.greater(events, f.exactNumber(0)), f.greater(limit, since))
	return f.Mul(counts, f.Op("Exp", f.Div(f.Mul(f.exactNumber(-2), since), f.n)))
}

// visited is Visited.
func (f *gainFeatures) visited(visits string) string {
	counted := f.Op("Min", visits, f.exactNumber(255))
	return f.asinh(f.Div(f.Mul(counted, f.n), f.Op("Add", f.step, f.exactNumber(1))))
}

// addChanges adds the channels that depend on ΔV.
func (f *gainFeatures) addChanges(list map[int]string) {
	const nowhere = -1e30 // below every change
	largest := f.LargestOf(f.where(f.allowed, f.changes, f.exactNumber(nowhere)), 1, 2)
	count := f.Op("Max", f.all(f.allowed), f.exactNumber(1))
	mean := f.Op("Add", f.Div(f.all(f.Mul(f.allowed, f.Op("Abs", f.changes))), count), f.Mul(f.exactNumber(1e-12), f.scale))
	regret := f.asinh(f.Mul(f.Sub(f.changes, largest), f.Div(f.exactNumber(4), mean)))
	margin := f.Mul(f.exactNumber(1e-12), f.Op("Abs", f.objective.best))
	needed := f.Sub(f.Op("Add", f.objective.best, margin), f.value)

	list[features.Change] = f.asinh(f.Mul(f.changes, f.Div(f.exactNumber(4), f.scale)))
	list[features.Regret] = f.where(f.allowed, regret, f.exactNumber(0))
	list[features.BeatsBest] = f.Mul(f.Mul(f.hasBest, f.allowed), f.greater(f.changes, needed))
}

// addState adds the channels of the state.
func (f *gainFeatures) addState(list map[int]string) {
	free := f.Sub(f.most, f.all(f.x))
	stagnation := f.less(f.Op("Exp", f.Div(f.Sub(f.bestStep, f.step), f.n)))
	horizon := f.Op("Max", f.horizon, f.exactNumber(1))
	list[features.BehindBest] = f.Mul(f.hasBest, f.asinh(f.Div(f.Sub(f.value, f.objective.best), f.scale)))
	list[features.FreeShare] = f.Div(free, f.n)
	list[features.Complete] = f.equal(free, f.exactNumber(0))
	list[features.Stagnation] = f.Mul(f.hasBest, stagnation)
	list[features.StepsLeft] = f.Div(f.Op("Max", f.Sub(horizon, f.step), f.exactNumber(0)), horizon)
}

package rollout

import (
	"cmp"
	"context"
	"slices"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// Beam is a search by a beam of states, which are evaluated in one batch. Each
// proposes its Width best actions by Q, and of all successors the Width of largest
// merit go on, without duplicates.
//
// The merit of a state is what its path gave away: the sum, over its steps, of
// Q(action) − max Q, at most 0. So the path that always takes the best action, which
// a single rollout follows, has merit 0 and stays in the beam, and the others are
// those that differ least from it.
//
// Limits are those of Solver, a step of the beam being one of each state; a round
// begins with one state.
type Beam struct {
	Q     qap.QFunction
	Width int // states that advance together (1)
	Start Start
	Rules qap.EnvironmentOptions
}

// Solve searches until a limit.
func (s Beam) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	if err := s.Rules.Goal.CheckStart(in, o.Initial); err != nil {
		return qap.Result{}, err
	}
	o, repeat := withDefaults(in, o)
	watch := o.Watch(ctx, in)
	start := new(workspace).newBatch(&Solver{Rules: s.Rules}, in, o, &watch) // gives a round its first state
	b, err := s.newBeam(start, o.MaxSteps)
	if err != nil {
		return qap.Result{}, err
	}
	defer b.q.Close()
	result, err := start.rounds(&watch, s.Start, o, repeat, b.run)
	result.Rollouts = b.width
	return result, err
}

// beam is the states of a search.
type beam struct {
	*batch
	width     int
	q         qap.QBatch
	states    []*beamState // of this step
	next      []*beamState // of the next one
	live      int          // how many states there are
	proposals []proposal   // of the states of this step
}

// beamState is a state with what its path remembers.
type beamState struct {
	env    *qap.Environment
	inputs features.Extractor
	merit  float64
}

// proposal is an action that a state proposes.
type proposal struct {
	state, vertex int
	q             float32
	merit         float64 // of the successor
}

func (s Beam) newBeam(start *batch, horizon int) (*beam, error) {
	in := start.instance
	n1, n2 := in.Size()
	inputs, err := features.New(s.Q.Features(), in)
	if err != nil {
		return nil, err
	}
	b := &beam{batch: start, width: max(s.Width, 1)}
	if b.q, err = s.Q.NewBatch(b.width, n1, n2); err != nil {
		return nil, err
	}
	for range b.width {
		for _, list := range []*[]*beamState{&b.states, &b.next} {
			env := qap.NewEnvironment(in, s.Rules)
			*list = append(*list, &beamState{env: env, inputs: inputs.NewExtractor(env, horizon)})
		}
	}
	b.proposals = make([]proposal, 0, b.width*b.width)
	return b, nil
}

// run is one round, from the state of the batch.
func (b *beam) run(watch *qap.Watch) (qap.Status, error) {
	first := b.states[0]
	first.env.CopyFrom(b.envs[0])
	first.inputs.Reset()
	first.merit, b.live = 0, 1
	for step := 0; ; step++ {
		sinceBest := step
		for _, s := range b.states[:b.live] {
			sinceBest = min(sinceBest, step-s.env.BestStep())
		}
		if status, stop := watch.Reached(step, sinceBest, b.score); stop && (status != qap.Target || b.found) {
			return status, nil
		}
		if b.live == 0 || first.env.Finished() {
			return b.goal.EndStatus(), nil
		}
		if status, stop := watch.Expired(); stop {
			return status, nil
		}
		if err := b.propose(); err != nil {
			return "", err
		}
		b.advance()
		first = b.states[0]
	}
}

// propose collects the best actions of every state, by their merit.
func (b *beam) propose() error {
	inputs := b.q.Inputs()
	for k, s := range b.states[:b.live] {
		s.inputs.Fill(inputs, k)
	}
	q, err := b.q.Evaluate()
	if err != nil {
		return err
	}
	n1, n2 := b.instance.Size()
	b.proposals = b.proposals[:0]
	for k := range b.live {
		b.proposeFrom(k, q[k*n1*n2:(k+1)*n1*n2])
	}
	slices.SortStableFunc(b.proposals, func(x, y proposal) int { return cmp.Compare(y.merit, x.merit) })
	return nil
}

// proposeFrom appends the best actions of a state, the first of equal ones first.
func (b *beam) proposeFrom(k int, q []float32) {
	from, s := len(b.proposals), b.states[k]
	for v, value := range q {
		full := len(b.proposals)-from == b.width
		if full && value <= b.proposals[len(b.proposals)-1].q || !s.env.Allowed(v) {
			continue
		}
		if full {
			b.proposals = b.proposals[:len(b.proposals)-1]
		}
		b.proposals = append(b.proposals, proposal{state: k, vertex: v, q: value})
		for j := len(b.proposals) - 1; j > from && b.proposals[j].q > b.proposals[j-1].q; j-- {
			b.proposals[j], b.proposals[j-1] = b.proposals[j-1], b.proposals[j]
		}
	}
	for j := from; j < len(b.proposals); j++ {
		a := &b.proposals[j]
		a.merit = s.merit + float64(a.q-b.proposals[from].q)
	}
}

// advance makes the successors of largest merit the states.
func (b *beam) advance() {
	kept := 0
	for _, a := range b.proposals {
		if kept == b.width {
			break
		}
		parent, child := b.states[a.state], b.next[kept]
		child.env.CopyFrom(parent.env)
		child.env.Step(a.vertex)
		if b.duplicate(kept) {
			continue
		}
		child.inputs.Inherit(parent.inputs)
		child.inputs.Observe()
		child.merit = a.merit
		b.keepBest(child.env)
		b.steps++
		kept++
	}
	b.states, b.next, b.live = b.next, b.states, kept
}

// duplicate reports whether the matching of a successor is that of one before it.
func (b *beam) duplicate(k int) bool {
	env := b.next[k].env
	n1, _ := env.Size()
next:
	for _, other := range b.next[:k] {
		for i := range n1 {
			if other.env.Match(i) != env.Match(i) {
				continue next
			}
		}
		return true
	}
	return false
}

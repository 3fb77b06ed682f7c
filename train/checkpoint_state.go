package train

import (
	"fmt"
	"math"
)

// saveReplay lists every packed state once: transitions share them.
func saveReplay(r *replay) savedReplay {
	s := savedReplay{Position: r.next, Count: r.size, Largest: r.largest}
	index := map[*byte]int32{}
	stateIndex := func(state []byte) int32 {
		k, known := index[&state[0]]
		if !known {
			k = int32(len(s.States))
			index[&state[0]] = k
			s.States = append(s.States, state)
		}
		return k
	}
	for k := range r.size {
		t := &r.transitions[k]
		s.State = append(s.State, stateIndex(t.State))
		s.Next = append(s.Next, stateIndex(t.Next))
		s.Action = append(s.Action, t.Action)
		s.Reward = append(s.Reward, t.Reward)
		s.Discount = append(s.Discount, t.Discount)
		s.Weight = append(s.Weight, r.tree.weight(k))
	}
	return s
}

// load fills an empty replay.
func (s *savedReplay) load(r *replay, problems []*problem, memory bool) error {
	n := s.Count
	if n < len(r.transitions) && s.Position != n {
		return fmt.Errorf("%w: a replay of %d transitions goes on at %d", ErrCheckpoint, n, s.Position)
	}
	if n > len(r.transitions) || s.Position < 0 || s.Position >= len(r.transitions) || len(s.State) != n ||
		len(s.Next) != n || len(s.Action) != n || len(s.Reward) != n || len(s.Discount) != n || len(s.Weight) != n {
		return fmt.Errorf("%w: the replay's parts do not fit each other", ErrCheckpoint)
	}
	for _, state := range s.States {
		if err := checkState(state, problems, memory); err != nil {
			return fmt.Errorf("%w: %w", ErrCheckpoint, err)
		}
	}
	for k := range n {
		if min(s.State[k], s.Next[k]) < 0 || int(max(s.State[k], s.Next[k])) >= len(s.States) {
			return fmt.Errorf("%w: transition %d names no state", ErrCheckpoint, k)
		}
		problem := problemOf(s.States[s.State[k]])
		if !isVertex(s.Action[k], problems[problem]) || problemOf(s.States[s.Next[k]]) != problem || !(s.Weight[k] >= 0) || math.IsInf(s.Weight[k], 0) {
			return fmt.Errorf("%w: transition %d cannot have been", ErrCheckpoint, k)
		}
		r.transitions[k] = transition{
			State: s.States[s.State[k]], Next: s.States[s.Next[k]],
			Action: s.Action[k], Reward: s.Reward[k], Discount: s.Discount[k],
		}
		r.tree.set(k, s.Weight[k])
	}
	if !(s.Largest >= 0) || math.IsInf(s.Largest, 0) {
		return fmt.Errorf("%w: largest priority %v", ErrCheckpoint, s.Largest)
	}
	r.next, r.size, r.largest = s.Position, n, s.Largest
	return nil
}

// isVertex tells whether an action is a vertex of a problem.
func isVertex(action int32, p *problem) bool {
	n1, n2 := p.instance.Size()
	return action >= 0 && int(action) < n1*n2
}

func (a *actor) save() (savedActor, error) {
	random, err := a.pcg.MarshalBinary()
	if err != nil {
		return savedActor{}, err
	}
	s := savedActor{
		Random: random, Problem: a.problem, Horizon: a.horizon, Snapshot: a.env.Snapshot(),
		BestValue: a.bestValue, Total: a.total, Pending: a.pending,
	}
	if memory := a.extractor.Memory(); memory != nil {
		s.Memory = memory.Pack(nil)
	}
	if a.demonstrator != nil {
		s.Tabu = a.demonstrator.Until(0)
	}
	return s, nil
}

// load puts an actor where save found it.
func (a *actor) load(s savedActor, memory bool) error {
	if s.Problem < a.first || s.Problem >= a.first+a.count {
		return fmt.Errorf("%w: an actor plays problem %d of %d..%d", ErrCheckpoint, s.Problem, a.first, a.first+a.count-1)
	}
	in := a.problems[s.Problem].instance
	n1, n2 := in.Size()
	err := in.CheckMatching(s.Snapshot.Matching)
	if s.Snapshot.Best != nil && err == nil {
		err = in.CheckMatching(s.Snapshot.Best)
	}
	for _, e := range s.Pending {
		if err == nil {
			err = checkState(e.State, a.problems, memory)
		}
		if err == nil && (problemOf(e.State) != s.Problem || !isVertex(e.Action, a.problems[s.Problem])) {
			err = fmt.Errorf("action %d in problem %d", e.Action, s.Problem)
		}
	}
	if err == nil && s.Horizon < 1 {
		err = fmt.Errorf("an episode of %d steps", s.Horizon)
	}
	if err == nil && len(s.Snapshot.Gains) != n1*n2 {
		err = fmt.Errorf("%d gains, want %d", len(s.Snapshot.Gains), n1*n2)
	}
	if err == nil {
		err = a.pcg.UnmarshalBinary(s.Random)
	}
	if err != nil {
		return fmt.Errorf("%w: actor: %w", ErrCheckpoint, err)
	}
	a.enter(s.Problem)
	a.setHorizon(s.Horizon)
	a.env.Restore(s.Snapshot)
	a.bestValue, a.total, a.pending = s.BestValue, s.Total, s.Pending
	a.bestF1 = a.f1()
	if memory := a.extractor.Memory(); memory != nil {
		if err := memory.Unpack(s.Memory); err != nil {
			return fmt.Errorf("%w: %w", ErrCheckpoint, err)
		}
	}
	if a.demonstrates {
		if len(s.Tabu) != n1*n2 {
			return fmt.Errorf("%w: a tabu list of %d vertices, want %d", ErrCheckpoint, len(s.Tabu), n1*n2)
		}
		copy(a.demonstrator.Until(0), s.Tabu)
	}
	a.state = a.pack()
	return nil
}

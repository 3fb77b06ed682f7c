package dqn

import (
	"fmt"
	"math"

	"github.com/rgm-go/rgm/train"
)

// savedReplay holds the replay with each packed state once.
type savedReplay struct {
	States          [][]byte
	State, Next     []int32 // indices of States
	Action          []int32
	Reward          []float32
	Discount        []float32
	Weight          []float64
	Position, Count int
	Largest         float64
}

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
func (s *savedReplay) load(r *replay, problems []*train.Problem) error {
	n := s.Count
	if n < len(r.transitions) && s.Position != n {
		return fmt.Errorf("%w: a replay of %d transitions goes on at %d", train.ErrCheckpoint, n, s.Position)
	}
	if n > len(r.transitions) || s.Position < 0 || s.Position >= len(r.transitions) || len(s.State) != n ||
		len(s.Next) != n || len(s.Action) != n || len(s.Reward) != n || len(s.Discount) != n || len(s.Weight) != n {
		return fmt.Errorf("%w: the replay's parts do not fit each other", train.ErrCheckpoint)
	}
	for _, state := range s.States {
		if err := train.CheckState(state, problems); err != nil {
			return fmt.Errorf("%w: %w", train.ErrCheckpoint, err)
		}
	}
	for k := range n {
		if min(s.State[k], s.Next[k]) < 0 || int(max(s.State[k], s.Next[k])) >= len(s.States) {
			return fmt.Errorf("%w: transition %d names no state", train.ErrCheckpoint, k)
		}
		problem := train.ProblemOf(s.States[s.State[k]])
		if !train.IsVertex(s.Action[k], problems[problem]) || train.ProblemOf(s.States[s.Next[k]]) != problem || !(s.Weight[k] >= 0) || math.IsInf(s.Weight[k], 0) {
			return fmt.Errorf("%w: transition %d cannot have been", train.ErrCheckpoint, k)
		}
		r.transitions[k] = train.Transition{
			State: s.States[s.State[k]], Next: s.States[s.Next[k]],
			Action: s.Action[k], Reward: s.Reward[k], Discount: s.Discount[k],
		}
		r.tree.set(k, s.Weight[k])
	}
	if !(s.Largest >= 0) || math.IsInf(s.Largest, 0) {
		return fmt.Errorf("%w: largest priority %v", train.ErrCheckpoint, s.Largest)
	}
	r.next, r.size, r.largest = s.Position, n, s.Largest
	return nil
}

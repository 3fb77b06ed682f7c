package train

import (
	"fmt"

	"github.com/rgm-go/rgm/qap"
)

// SavedActor is what a checkpoint holds of an actor.
type SavedActor struct {
	Random           []byte
	Problem, Horizon int
	Snapshot         qap.Snapshot
	Memory           []byte // nil without one
	Tabu             []int  // of a demonstrator
	BestValue, Total float64
	Pending          []experience
}

// IsVertex reports whether an action is a vertex of a problem.
func IsVertex(action int32, p *Problem) bool {
	n1, n2 := p.Instance.Size()
	return action >= 0 && int(action) < n1*n2
}

func (a *Actor) save() (SavedActor, error) {
	random, err := a.pcg.MarshalBinary()
	if err != nil {
		return SavedActor{}, err
	}
	s := SavedActor{
		Random: random, Problem: a.problem, Horizon: a.horizon, Snapshot: a.Env.Snapshot(),
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
func (a *Actor) load(s SavedActor) error {
	if s.Problem < a.first || s.Problem >= a.first+a.count {
		return fmt.Errorf("%w: an actor plays problem %d of %d..%d", ErrCheckpoint, s.Problem, a.first, a.first+a.count-1)
	}
	in := a.problems[s.Problem].Instance
	n1, n2 := in.Size()
	err := in.CheckMatching(s.Snapshot.Matching)
	if s.Snapshot.Best != nil && err == nil {
		err = in.CheckMatching(s.Snapshot.Best)
	}
	for _, e := range s.Pending {
		if err == nil {
			err = CheckState(e.State, a.problems)
		}
		if err == nil && (ProblemOf(e.State) != s.Problem || !IsVertex(e.Action, a.problems[s.Problem])) {
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
	a.Env.Restore(s.Snapshot)
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
	a.State = a.pack()
	return nil
}

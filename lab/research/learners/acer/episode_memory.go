package acer

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rgm-go/rgm/lab/research/learners/policygradient"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
)

// fragment is consecutive steps of an episode, with the state after them, nil where the
// episode ended.
type fragment struct {
	Steps []policygradient.Sample
	After []byte
}

// episodeMemory is what was played last.
type episodeMemory struct {
	Fragments []fragment // the oldest first
	Held      int        // steps in all
	Fresh     []int      // fragments of the last segment, still to be learned from
	Replays   int        // updates from any fragments, still to be made before the next segment
}

// add puts fragments of some steps in all into the memory, in place of the oldest where
// more than capacity steps would be held.
func (m *episodeMemory) add(fragments []fragment, steps, capacity int) {
	drop := 0
	for ; drop < len(m.Fragments) && m.Held+steps > capacity; drop++ {
		m.Held -= len(m.Fragments[drop].Steps)
	}
	m.Fragments = slices.Concat(m.Fragments[drop:], fragments)
	m.Held += steps
}

// cut cuts steps of an environment where episodes ended. after is the state after the last.
func cut(steps []policygradient.Sample, after []byte) []fragment {
	var parts []fragment
	from := 0
	for k := range steps {
		if steps[k].Done {
			parts = append(parts, fragment{Steps: slices.Clone(steps[from : k+1])})
			from = k + 1
		}
	}
	if from < len(steps) {
		parts = append(parts, fragment{slices.Clone(steps[from:]), after})
	}
	return parts
}

// check refuses a fragment, read from a file, that could not be learned from.
func (f *fragment) check(problems []*train.Problem) error {
	if len(f.Steps) == 0 {
		return errors.New("no steps")
	}
	for k := range f.Steps {
		s := &f.Steps[k]
		if err := s.Check(problems); err != nil {
			return err
		}
		if err := checkBehaviour(s, problems); err != nil {
			return err
		}
		if train.ProblemOf(s.State) != train.ProblemOf(f.Steps[0].State) {
			return errors.New("steps in several instances")
		}
	}
	if f.After == nil {
		return nil
	}
	if err := train.CheckState(f.After, problems); err != nil {
		return err
	}
	if train.ProblemOf(f.After) != train.ProblemOf(f.Steps[0].State) {
		return errors.New("it goes on in another instance")
	}
	return nil
}

// checkBehaviour refuses probabilities of other actions than those allowed.
func checkBehaviour(s *policygradient.Sample, problems []*train.Problem) error {
	w := problems[train.ProblemOf(s.State)].At(s.State)
	defer w.Release()
	if !w.Env.Allowed(int(s.Action)) {
		return fmt.Errorf("action %d is not allowed in its state", s.Action)
	}
	if allowed := countAllowed(w.Env); allowed != len(s.Behaviour) {
		return fmt.Errorf("probabilities of %d actions, %d are allowed", len(s.Behaviour), allowed)
	}
	return nil
}

func countAllowed(env *qap.Environment) int {
	count := 0
	for v := range env.Gains() {
		if env.Allowed(v) {
			count++
		}
	}
	return count
}

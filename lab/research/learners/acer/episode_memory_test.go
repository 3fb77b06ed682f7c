package acer

import (
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/flat"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/lab/research/learners/policygradient"
	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/traintest"
)

// TestEpisodesAreKept: whole, cut where they end, the oldest dropped, the fresh ones
// learned from once, and then as often as the ratio says from any.
func TestEpisodesAreKept(t *testing.T) {
	c := traintest.Tiny(t, Name)
	c.Environments, c.Batch, c.Replay, c.Warmup, c.Own = 4, 10, 120, 60, own(6)
	a := atWork(t, c)
	const samples = 2 * 4 * 6
	for segment := 1; segment <= 4; segment++ {
		for range a.own.Segment {
			if out, err := a.Round(t.Context(), 0); err != nil || len(out.Updates) > 0 {
				t.Fatalf("%d updates while playing, error %v", len(out.Updates), err)
			}
		}
		held, ends := 0, 0
		for _, f := range a.memory.Fragments {
			held += len(f.Steps)
			for k, s := range f.Steps {
				if s.Done != (f.After == nil && k == len(f.Steps)-1) {
					t.Fatalf("an episode ends at step %d of a fragment of %d", k, len(f.Steps))
				}
			}
			if f.After == nil {
				ends++
			}
		}
		if held != a.Held() || held > c.Replay || held < min(segment*samples, c.Replay-samples) || segment == 4 && ends == 0 {
			t.Errorf("segment %d: %d steps held, %d counted, %d episodes end", segment, held, a.Held(), ends)
		}
		fresh, seen, replays := len(a.memory.Fresh), map[int]int{}, 0
		for a.Segment.Steps > 0 {
			chosen, of := a.choose()
			for _, k := range chosen[:of] {
				seen[k]++
			}
			if of == 0 {
				replays++
			}
			a.advance(of)
		}
		for k, times := range seen {
			if times != 1 || k < len(a.memory.Fragments)-fresh {
				t.Errorf("segment %d: fragment %d is fresh %d times", segment, k, times)
			}
		}
		want := 0
		if segment > 1 { // then 96 steps are held
			want = 2 * 5
		}
		if len(seen) != fresh || replays != want {
			t.Errorf("segment %d: %d of %d fresh fragments learned from, %d replays, want %d", segment, len(seen), fresh, replays, want)
		}
	}
}

// TestOldestEpisodesGo: where too many steps would be held, those played first make room.
func TestOldestEpisodesGo(t *testing.T) {
	var m episodeMemory
	for mark, steps := range []int{3, 4, 2, 5} {
		f := fragment{Steps: make([]policygradient.Sample, steps)}
		f.Steps[0].Action = int32(mark)
		m.add([]fragment{f}, steps, 7)
		held, last := 0, -1
		for _, kept := range m.Fragments {
			held, last = held+len(kept.Steps), int(kept.Steps[0].Action)
		}
		if last != mark || held != m.Held || held > 7 {
			t.Errorf("after %d: the last is %d, %d steps of at most 7, counted as %d", mark, last, held, m.Held)
		}
	}
	if len(m.Fragments) != 2 || m.Fragments[0].Steps[0].Action != 2 {
		t.Errorf("kept %+v, want the last two", m.Fragments)
	}
}

// TestImpossibleEpisodesAreRefused: a checksum does not make sense of a state.
func TestImpossibleEpisodesAreRefused(t *testing.T) {
	c := traintest.Tiny(t, Name)
	c.Sizes, c.Pool, c.Environments, c.Batch, c.Warmup, c.Replay, c.Own = []int{3}, 1, 1, 2, 4, 8, own(5)
	at := atWork(t, c)
	for range 6 {
		if _, err := at.Round(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
	}
	saved := must.Get(at.Save())(t)
	var segment policygradient.State
	flat.Split(saved, &segment)
	for want, spoil := range map[string]func(*episodeMemory){
		"still to be learned from": func(m *episodeMemory) { m.Held++ },
		"no steps":                 func(m *episodeMemory) { m.Fragments[0].Steps = nil },
		"are allowed":              func(m *episodeMemory) { m.Fragments[0].Steps[0].Behaviour = nil },
		"is not allowed":           func(m *episodeMemory) { m.Fragments[0].Steps[0].Action = matchedVertex(at, m) },
		"chooses vertex":           func(m *episodeMemory) { m.Fragments[0].Steps[0].Action = 99 },
		"names no problem":         func(m *episodeMemory) { m.Fragments[0].After = []byte{1} },
		"fragment 77":              func(m *episodeMemory) { m.Fresh = []int{77} },
	} {
		m := at.memory
		m.Fragments = slices.Clone(m.Fragments)
		m.Fragments[0].Steps = slices.Clone(m.Fragments[0].Steps)
		spoil(&m)
		err := atWork(t, c).Load(func(to any) error {
			switch to := to.(type) {
			case *policygradient.State:
				*to = segment
			case *state:
				to.Memory = m
			}
			return nil
		})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// matchedVertex returns a vertex that the first step of the episodes cannot choose.
func matchedVertex(a *learner, m *episodeMemory) int32 {
	state := m.Fragments[0].Steps[0].State
	w := a.Problems[train.ProblemOf(state)].At(state)
	defer w.Release()
	for v := range int32(9) {
		if !w.Env.Allowed(int(v)) {
			return v
		}
	}
	return 0
}

func atWork(t *testing.T, c train.Config) *learner {
	problems, network := traintest.Problems(t, c)
	return newLearner(&c, problems, network)
}

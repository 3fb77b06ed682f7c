package train

import (
	"strings"
	"testing"
)

// TestEpisodesAreKept: whole, cut where they end, the oldest dropped, the fresh ones
// learned from once, and then as often as the ratio says from any.
func TestEpisodesAreKept(t *testing.T) {
	c := tinyConfig(t)
	c.Learner, c.Segment, c.Environments, c.Batch, c.Replay, c.Warmup, c.ReplayRatio, c.Episodes = LearnerACER, 6, 4, 10, 120, 60, 2, 1<<30
	a := newTrainer(t, c).algorithm.(*acer)
	const samples = 2 * 4 * 6
	for segment := 1; segment <= 4; segment++ {
		for range c.Segment {
			if out, err := a.round(t.Context(), 0); err != nil || len(out.updates) > 0 {
				t.Fatalf("%d updates while playing, error %v", len(out.updates), err)
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
		if held != a.held() || held > c.Replay || held < min(segment*samples, c.Replay-samples) || segment == 4 && ends == 0 {
			t.Errorf("segment %d: %d steps held, %d counted, %d episodes end", segment, held, a.held(), ends)
		}
		fresh, seen, replays := len(a.memory.Fresh), map[int]int{}, 0
		for a.segment.Steps > 0 {
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
		f := fragment{Steps: make([]sample, steps)}
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
	c := smallestConfig(t)
	c.Learner, c.Segment, c.ReplayRatio = LearnerACER, 5, 3
	path := savedAfter(t, c, 6)
	for want, spoil := range map[string]func(*checkpoint){
		"still to be learned from": func(c *checkpoint) { c.Memory.Held++ },
		"no steps":                 func(c *checkpoint) { c.Memory.Fragments[0].Steps = nil },
		"are allowed":              func(c *checkpoint) { c.Memory.Fragments[0].Steps[0].Behaviour = nil },
		"is not allowed":           func(c *checkpoint) { c.Memory.Fragments[0].Steps[0].Action = matchedVertex(c) },
		"chooses vertex":           func(c *checkpoint) { c.Memory.Fragments[0].Steps[0].Action = 99 },
		"names no problem":         func(c *checkpoint) { c.Memory.Fragments[0].After = []byte{1} },
		"fragment 77":              func(c *checkpoint) { c.Memory.Fresh = []int{77} },
	} {
		saved, err := readCheckpoint(path)
		if err != nil {
			t.Fatal(err)
		}
		spoil(saved)
		if _, err := saved.trainer(t.Context(), randomSource{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// matchedVertex returns a vertex that the first step of the episodes cannot choose.
func matchedVertex(c *checkpoint) int32 {
	state := c.Memory.Fragments[0].Steps[0].State
	for i := range 3 {
		if a := int(state[stateHeader+2*i]) | int(state[stateHeader+2*i+1])<<8; a != noNode {
			return int32(3*i + a)
		}
	}
	return 0
}

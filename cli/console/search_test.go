package console

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/qap"
)

// TestSearchIsShown: the display of one search has its objective, and is of the time limit, else of
// the steps that the search counts, else of time; nobody's search is counted where nobody looks.
func TestSearchIsShown(t *testing.T) {
	for _, c := range []struct {
		name  string
		limit time.Duration
		steps int
		want  []string
	}{
		{"limit", 10 * time.Second, 0, []string{"nug12: 578 by tabu", "40%"}},
		{"limit counts before steps", 10 * time.Second, 100, []string{"nug12: 578 by tabu", "40%"}},
		{"steps", 0, 100, []string{"nug12: 578 by tabu", "25%", "(25/100)"}},
		{"neither", 0, 0, []string{"nug12: 578 by tabu, 25 steps"}},
	} {
		var out bytes.Buffer
		screen := &Console{out: &out, terminal: true}
		s, ctx := screen.StartSearch(t.Context(), "nug12", c.limit, c.steps)
		watch := qap.Limits{}.Watch(ctx, &qap.Instance{})
		watch.Reached(25, 0, 0)
		s.Found(rgm.Incumbent{Objective: 578, FoundBy: "tabu"})
		s.draw(4 * time.Second)
		s.End()
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: %q, want %q", c.name, out.String(), want)
			}
		}
		if strings.Contains(out.String(), "/s") {
			t.Errorf("%s: %q has a rate", c.name, out.String())
		}
	}
	s, ctx := Discard().StartSearch(t.Context(), "nug12", time.Second, 0)
	s.Found(rgm.Incumbent{})
	s.End()
	if s != nil || ctx != t.Context() {
		t.Error("a search is shown to nobody")
	}
	short, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if s, _ := (&Console{out: &bytes.Buffer{}, terminal: true}).StartSearch(short, "nug12", time.Hour, 0); s.limit > 5*time.Second {
		t.Errorf("the bar is of %v, the run ends before", s.limit)
	} else {
		s.End()
	}
}

// TestInputsAreCounted: several inputs have a bar, one has none.
func TestInputsAreCounted(t *testing.T) {
	for expected, want := range map[int]string{1: "", 3: "(1/3)"} {
		var out bytes.Buffer
		screen := &Console{out: &out, terminal: true}
		inputs := screen.CountInputs(expected, "solving")
		time.Sleep(150 * time.Millisecond) // bars draw ten times a second at most
		inputs.Add()
		screen.EndBar()
		if have := out.String(); want == "" && have != "" || !strings.Contains(have, want) {
			t.Errorf("%d: %q, want %q", expected, have, want)
		}
	}
}

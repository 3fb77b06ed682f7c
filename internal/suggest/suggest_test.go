package suggest

import (
	"slices"
	"testing"
)

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		x, y string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"nug30", "nug30", 0}, {"nug30", "ngu30", 2}} {
		if d := distance(test.x, test.y); d != test.want {
			t.Errorf("distance of %q and %q is %d, want %d", test.x, test.y, d, test.want)
		}
	}
}

func TestNear(t *testing.T) {
	known := []string{"rollouts", "workers", "seed", "seeds"}
	for name, want := range map[string]string{"rolouts": "; did you mean rollouts?", "sed": "; did you mean seed?", "threads": ""} {
		if have := Meant(name, known); have != want {
			t.Errorf("%s: %q, want %q", name, have, want)
		}
	}
	if have, want := Near("seedz", known), []string{"seed", "seeds"}; !slices.Equal(have, want) {
		t.Errorf("near seedz are %v, want %v", have, want)
	}
}

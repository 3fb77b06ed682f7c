package reliability

import (
	"math"
	"testing"
)

// TestError: of matches told with .9 and .5 the error is the mean distance from the shares that are right.
func TestError(t *testing.T) {
	var b Bins
	for k := range 10 {
		b.Add(Match{0.9, k < 9})
		b.Add(Match{0.5, k < 3})
	}
	if e := b.Error(); math.Abs(e-0.1) > 1e-12 { // 0 of one half, .2 of the other
		t.Errorf("error %g, want .1", e)
	}
	b = Bins{}
	if b.Add(Match{1, true}); b[9].Count != 1 || b.Error() != 0 {
		t.Errorf("a match that is certain, and right: %+v", b)
	}
}

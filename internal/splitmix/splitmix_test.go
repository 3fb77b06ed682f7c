package splitmix

import "testing"

// TestNext: the numbers of Vigna's splitmix64.c for the seed 1234567.
func TestNext(t *testing.T) {
	s := Source(1234567)
	for k, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		if have := s.Next(); have != want {
			t.Errorf("number %d is %d, want %d", k, have, want)
		}
	}
	if s = 5; Mix(5) != s.Next() {
		t.Error("Mix is not the first number of a stream")
	}
}

func TestBelow(t *testing.T) {
	s := Source(3)
	var seen [7]int
	for range 7000 {
		seen[s.Below(len(seen))]++
	}
	for k, n := range seen {
		if n < 850 || n > 1150 {
			t.Errorf("%d is drawn %d times of 7000", k, n)
		}
	}
}

package usage

import "testing"

var sink []byte

// TestAtMost: what is allocated is found, in one piece and in many.
func TestAtMost(t *testing.T) {
	for _, c := range []struct {
		name        string
		size, times int
		most        uint64
		fails       bool
	}{
		{"nothing", 0, 0, 1 << 20, false},
		{"a large piece", 1 << 21, 1, 1 << 20, true},
		{"a piece within", 1 << 19, 1, 1 << 20, false},
		{"many small pieces", 64, 1 << 16, 1 << 20, true},
		{"small pieces within", 64, 1 << 12, 1 << 20, false},
	} {
		told := &recorder{TB: t}
		func() {
			defer func() { recover() }() // of Fatalf
			AtMost(told, c.most, func() {
				for range c.times {
					sink = make([]byte, c.size)
				}
			})
		}()
		if told.failed != c.fails {
			t.Errorf("%s: failed %t, want %t", c.name, told.failed, c.fails)
		}
	}
}

// recorder is a test that is told of failures, and ends by a panic.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(string, ...any) {
	r.failed = true
	panic("failed")
}

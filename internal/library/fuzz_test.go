package library

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/rgm-go/rgm"
)

// script reads the calls of a program, and their arguments, from bytes.
type script struct{ text []byte }

// next returns the next byte, 0 at the end.
func (s *script) next() byte {
	if len(s.text) == 0 {
		return 0
	}
	b := s.text[0]
	s.text = s.text[1:]
	return b
}

// size returns a count: small, or one that no array has.
func (s *script) size() int64 {
	switch b := s.next(); {
	case b < 200:
		return int64(b % 5)
	case b < 210:
		return -int64(b)
	default:
		return math.MaxInt64 >> (b % 50)
	}
}

// numbers returns a few numbers, of any bits now and then.
func (s *script) numbers() []float64 {
	values := make([]float64, s.next()%20)
	for k := range values {
		b := s.next()
		values[k] = float64(b%16) - 4
		if b == 255 && len(s.text) >= 8 {
			values[k] = math.Float64frombits(binary.LittleEndian.Uint64(s.text))
			s.text = s.text[8:]
		}
	}
	return values
}

// whole returns as many integers, n where that is not negative.
func (s *script) whole(n int) []int64 {
	if n < 0 {
		n = int(s.next() % 20)
	}
	values := make([]int64, n)
	for k := range values {
		values[k] = int64(s.next()%20) - 1
	}
	return values
}

// rest returns what is left, up to a 0.
func (s *script) rest() (text []byte) {
	for b := s.next(); b != 0; b = s.next() {
		text = append(text, b)
	}
	return text
}

// labelled returns a graph by labels.
func (s *script) labelled() Labelled {
	g := Labelled{Nodes: s.size(), Directed: s.next()%2 == 1, Ends: s.whole(-1)}
	if s.next()%2 == 1 {
		g.Labels = s.whole(-1)
	}
	if s.next()%2 == 1 {
		g.EdgeLabels = s.whole(-1)
	}
	return g
}

// costs returns a table that is as large as it should be, or not.
func (s *script) costs() CostTable {
	t := CostTable{Delete: s.numbers(), Insert: s.numbers(), Substitute: s.numbers()}
	if want := len(t.Delete) * len(t.Insert); s.next()%4 > 0 {
		t.Substitute = make([]float64, want)
	}
	return t
}

// FuzzCalls: whatever C calls in whatever order, an error has a code of the header, no call is a fault
// of rgm, and a result is a matching.
func FuzzCalls(f *testing.F) {
	f.Add([]byte{0, 1, 1, 1, 2, 0, 5, 0, 1, '{', '}', 0, 6, 0, 2, 7, 1})
	f.Add([]byte{2, 2, 2, 4, 1, 2, 3, 4, 4, 1, 2, 3, 4, 0, 1, 5, 1, '{', '"', 's', 'e', 'e', 'd', '"', ':', '1', '}', 0})
	f.Add([]byte{3, 3, 0, 0, 3, 4, 1, 2, 2, 3, 0, 0, 3, 3, 0, 0, 3, 4, 1, 2, 2, 3, 0, 0, 4, 1, 2, 0, 5, 3, 0})
	f.Add([]byte{3, 3, 0, 0, 3, 4, 1, 2, 2, 3, 0, 0, 9, 1, 1, 0, 11, 2, 1, 1, 0, 0, 11, 1, 1, 1, 1, 0})
	f.Add([]byte{10, 2, 0, 2, 1, 2, 0, 0, 2, 0, 2, 1, 2, 0, 0, 2, 5, 6, 2, 5, 6, 0, 1, 1, 5, 1, 5, 0, 1, 0})
	f.Fuzz(func(t *testing.T, text []byte) {
		var l Library
		s := &script{text}
		for len(s.text) > 0 {
			handle, nodes, err := l.call(s)
			var own *Error
			switch {
			case err == nil:
			case !errors.As(err, &own):
				t.Fatalf("%v has no code", err)
			case own.Code < Invalid || own.Code > Stopped || own.Code == Internal || own.Detail == "" || handle != 0:
				t.Fatalf("code %d: %v", own.Code, err)
			}
			seen := map[int]bool{}
			for _, a := range nodes {
				if a < -1 || a >= 0 && seen[a] {
					t.Fatalf("no matching: %v", nodes)
				}
				seen[a] = true
			}
		}
	})
}

// call makes one call of a script, and returns the handle and the matching that it got.
func (l *Library) call(s *script) (handle uint64, matching []int, err error) {
	defer Recover(&err)
	switch s.next() % 12 {
	case 0:
		handle, err = l.Dense(s.size(), s.size(), s.numbers(), int32(s.next()%4))
	case 1:
		values := s.numbers()
		handle, err = l.Sparse(s.size(), s.size(), s.whole(len(values)), s.whole(len(values)), values, int32(s.next()%2))
	case 2:
		n1, n2, a, b := s.size(), s.size(), s.numbers(), s.numbers()
		var linear []float64
		if s.next()%4 == 1 {
			linear = s.numbers()
		}
		handle, err = l.Assignment(n1, n2, a, b, linear, int32(s.next()%2))
	case 3:
		a := Arrays{Nodes: s.size(), Points: s.numbers(), Features: s.numbers()}
		if s.next()%2 == 1 {
			a.Ends = s.whole(2 * int(s.next()%8))
			a.Directed = s.next()%3 == 1
		}
		if s.next()%3 == 1 {
			a.Weights, a.EdgeFeatures = s.numbers(), s.numbers()
		}
		handle, err = l.NewGraph(a)
	case 4:
		handle, err = l.Match(uint64(s.next()%6), uint64(s.next()%6), s.rest())
	case 5:
		calls := 0
		handle, err = l.Solve(uint64(s.next()%6), s.rest(), func(*rgm.Incumbent) bool {
			calls++
			return calls < 2 // whatever it asks for ends soon
		})
	case 6:
		_, err = l.Nodes(uint64(s.next()%6), int32(s.next()%6)-1, s.size(), func(_, value int) { matching = append(matching, value) })
		if err != nil || len(s.text) > 0 {
			matching = nil // perhaps of another part
		}
	case 7:
		_, err = l.Record(uint64(s.next() % 6))
	case 8:
		err = l.Free(uint64(s.next() % 6))
	case 9:
		handle, err = l.Distance(uint64(s.next()%6), uint64(s.next()%6), s.rest(), func(*rgm.Incumbent) bool { return false })
	case 10:
		handle, err = l.DistanceByTables(s.labelled(), s.labelled(), s.costs(), s.costs(), s.rest(), func(*rgm.Incumbent) bool { return false })
	case 11:
		var handles [2][]uint64
		for side := range handles {
			for range s.next() % 4 {
				handles[side] = append(handles[side], uint64(s.next()%6))
			}
		}
		_, err = l.Distances(handles[0], handles[1], s.rest(), func() bool { return false }, func(i, j int, distance, lower float64) {
			if width := len(handles[1]); i < 0 || j < 0 || i >= len(handles[0]) || width > 0 && j >= width || width == 0 && j >= len(handles[0]) || lower > distance {
				panic("a pair that nobody asked for")
			}
		})
	}
	return handle, matching, err
}

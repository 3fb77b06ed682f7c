package regrow

import (
	"context"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
)

// metered is an affinity that counts the entries of K that are asked for. The work of a
// search, and so a clock that goes by it, is the same however busy the machine is.
type metered struct {
	qap.Affinity
	entries *int64
	row     int64 // entries of a row
}

func (m metered) At(p, q int) float64 { *m.entries++; return m.Affinity.At(p, q) }
func (m metered) AddRow(dst []float64, p int, scale float64) {
	*m.entries += m.row
	m.Affinity.AddRow(dst, p, scale)
}
func (m metered) Row(dst []float64, p int) { *m.entries += m.row; m.Affinity.Row(dst, p) }
func (m metered) Multiply(dst, x []float64) {
	*m.entries += m.row * int64(len(x))
	m.Affinity.Multiply(dst, x)
}

// meteredRows is such a one with sparse rows.
type meteredRows struct {
	metered
	rows qap.Rows
}

func (m meteredRows) LongestRow() int { return m.rows.LongestRow() }
func (m meteredRows) RowEntries(p int, q []int32, k []float64) ([]int32, []float64) {
	q, k = m.rows.RowEntries(p, q, k)
	*m.entries += int64(len(q))
	return q, k
}

// withMeter returns the instance with a metered affinity, and a clock that goes on by what an
// entry takes, and a little at every look.
func withMeter(in *qap.Instance) (*qap.Instance, func() time.Time) {
	n1, n2 := in.Size()
	entries, looks := new(int64), int64(0)
	counted, dense := *in, metered{in.Affinity, entries, int64(n1 * n2)}
	counted.Affinity = dense
	if rows, ok := in.Affinity.(qap.Rows); ok {
		dense.row = int64(rows.LongestRow())
		counted.Affinity = meteredRows{dense, rows}
	}
	const entry, look = 3, 100 // nanoseconds
	return &counted, func() time.Time { looks++; return time.Unix(0, *entries*entry+looks*look) }
}

// TestTimeLimitsByWork: by a clock that goes by the work done, limits from 5 ms on hold within
// 20 ms and 5 %, and give a matching in which no match that brings something is missing; a
// dense problem of 40 nodes is within 10 % of the best known after 20 ms.
func TestTimeLimitsByWork(t *testing.T) {
	dense := solvertest.Pair(t, 40, true)
	for name, in := range map[string]*qap.Instance{"dense, 40 nodes": dense, "sparse, 50 nodes": solvertest.Pair(t, 50, false), "sparse, 100 nodes": solvertest.Pair(t, 100, false)} {
		for _, limit := range []time.Duration{5 * time.Millisecond, 20 * time.Millisecond, 60 * time.Millisecond} {
			counted, clock := withMeter(in)
			begin := clock()
			r := must.Get(Solver{}.Solve(qap.WithClock(context.Background(), clock), counted, qap.Options{Limits: qap.Limits{TimeLimit: limit}}))(t)
			if over := clock().Sub(begin) - limit; over > 20*time.Millisecond+limit/20 {
				t.Errorf("%s, %v: %v over", name, limit, over)
			}
			checkFull(t, name, in, r.Matching)
			if in == dense && limit == 20*time.Millisecond {
				best, err := Solver{}.Solve(context.Background(), in, qap.Options{Limits: qap.Limits{MaxSteps: 200}})
				if err != nil || r.Score < .9*best.Score {
					t.Errorf("%s, %v: score %v, best known %v, %v", name, limit, r.Score, best.Score, err)
				}
			}
		}
	}
}

// checkFull fails where a free node of each graph could be matched with a gain.
func checkFull(t *testing.T, name string, in *qap.Instance, m qap.Matching) {
	t.Helper()
	s := newState(in, nil)
	s.Reset(m)
	for i, a := range s.Match {
		for b, j := range s.Inverse {
			if g := s.Gains[i*s.N2+b]; a == qap.Unmatched && j == qap.Unmatched && g > 1e-9 {
				t.Fatalf("%s: %d could be matched with %d for %v", name, i, b, g)
			}
		}
	}
}

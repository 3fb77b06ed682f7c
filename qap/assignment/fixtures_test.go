package assignment_test

import (
	"math"
	"testing"

	"github.com/rgm-go/rgm/internal/testdata"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/qap/assignment"
)

// projection is one case of the fixtures: what pygmtools returned.
type projection struct {
	Name, Input, Out   string
	N1, N2             []int
	Unmatch1, Unmatch2 []float64
	Params             struct {
		MaxIter  int `json:"max_iter"`
		Tau      float64
		DummyRow bool `json:"dummy_row"`
	}
}

func readCases(t *testing.T) (sinkhorn, hungarian []projection) {
	var index struct {
		Sinkhorn, Hungarian []projection
		Instances           []struct {
			Name, Score   string
			ScoreSinkhorn projection `json:"score_sinkhorn"`
		}
	}
	testdata.ReadJSON(t, &index, "fixtures", "index.json")
	for _, in := range index.Instances {
		in.ScoreSinkhorn.Name, in.ScoreSinkhorn.Input = in.Name, in.Score
		index.Sinkhorn = append(index.Sinkhorn, in.ScoreSinkhorn)
	}
	return index.Sinkhorn, index.Hungarian
}

// read returns the input of a case, a matrix or a padded batch of them.
func (c projection) read(t *testing.T) batch {
	in := instances.Array(t, "fixtures", c.Input)
	d := len(in.Shape)
	b := batch{Scores: in.Data, Rows: in.Shape[d-2], Cols: in.Shape[d-1], N1: c.N1, N2: c.N2}
	if c.N1 == nil {
		b.N1, b.N2 = []int{b.Rows}, []int{b.Cols}
	}
	return b
}

func TestSinkhornFixtures(t *testing.T) {
	cases, _ := readCases(t)
	for _, c := range cases {
		got := c.read(t).Sinkhorn(&assignment.Sinkhorn{
			Tau: c.Params.Tau, MaxIter: c.Params.MaxIter, DummyRow: c.Params.DummyRow,
			Unmatch1: c.Unmatch1, Unmatch2: c.Unmatch2,
		})
		for p, want := range instances.Array(t, "fixtures", c.Out).Data {
			if math.Abs(got[p]-want) > 1e-12 {
				t.Errorf("%s: entry %d is %v, want %v", c.Name, p, got[p], want)
				break
			}
		}
	}
}

func TestHungarianFixtures(t *testing.T) {
	_, cases := readCases(t)
	for _, c := range cases {
		b := c.read(t)
		var s assignment.Solver
		var assigned [][]int
		if c.Unmatch1 != nil {
			assigned = [][]int{s.MaximizePartial(b.Scores, c.Unmatch1, c.Unmatch2, b.Rows, b.Cols)}
		} else {
			assigned = b.Maximize(&s)
		}
		got := make([]float64, len(b.Scores))
		for k := range assigned {
			for i, a := range assigned[k] {
				if a != assignment.Unmatched {
					got[(k*b.Rows+i)*b.Cols+a] = 1
				}
			}
		}
		for p, want := range instances.Array(t, "fixtures", c.Out).Data {
			if got[p] != want {
				t.Errorf("%s: entry %d is %v, want %v", c.Name, p, got[p], want)
				break
			}
		}
	}
}

// Scores that are far apart are worked on as logarithms. Here they fall apart into
// two blocks, whose soft assignments are those of the blocks alone.
func TestSinkhornOfDistantScores(t *testing.T) {
	block := []float64{3, 1, 2, 0.5, 2.5, 1, 4, 0, 2}
	whole := make([]float64, 36)
	for i := range 6 {
		for a := range 6 {
			if whole[i*6+a] = -1e4; i/3 == a/3 {
				whole[i*6+a] = block[i%3*3+a%3]
			}
		}
	}
	s := assignment.Sinkhorn{MaxIter: 20}
	s.Project(block, block, 3, 3)
	s.Project(whole, whole, 6, 6)
	for i := range 6 {
		for a := range 6 {
			want := 0.0
			if i/3 == a/3 {
				want = block[i%3*3+a%3]
			}
			if got := whole[i*6+a]; math.Abs(got-want) > 1e-12 {
				t.Errorf("entry (%d,%d) is %v, want %v", i, a, got, want)
			}
		}
	}
}

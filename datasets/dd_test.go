package datasets

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/testdata"
	"github.com/rgm-go/rgm/qap"
)

const smallDD = `c a problem
p 2 3 3 2
i0 0 1.5 2.5
a 0 0 0 -1
a 1 1 2 2.5

a 2 1 1 0
n0 0 1
e 0 1 -4
e 2 0 1
`

func TestDDCountsEveryEdgeOnce(t *testing.T) {
	in := mustRead(t, "small.dd", smallDD, Options{})
	if n1, n2 := in.Size(); n1 != 2 || n2 != 3 || in.Complete || in.Sense != qap.Minimize || in.Name != "small" {
		t.Errorf("%s: %d and %d nodes, complete %v, %v", in.Name, n1, n2, in.Complete, in.Sense)
	}
	for want, m := range map[float64]qap.Matching{
		0:    {qap.Unmatched, qap.Unmatched},
		-1:   {0, qap.Unmatched},
		-2.5: {0, 2}, // −1 + 2.5 − 4
	} {
		if cost := in.Objective(in.Score(m)); cost != want {
			t.Errorf("%v costs %v, want %v", m, cost, want)
		}
	}
	if in := mustRead(t, "small.dd", smallDD, Options{Complete: true}); !in.Complete {
		t.Error("option Complete is without effect")
	}
}

func TestForbiddenAssignmentsNeverPay(t *testing.T) {
	in := mustRead(t, "small.dd", smallDD, Options{})
	const all = 1 + 2.5 + 4 + 1 // absolute costs
	for p := range 6 {
		allowed := p == 0 || p == 5 || p == 4
		if cost := -in.Affinity.At(p, p); !allowed && cost <= 2*all {
			t.Errorf("forbidden vertex %d costs %v, want more than %v", p, cost, 2*all)
		}
	}
	best, lowest := qap.Matching(nil), math.Inf(1)
	for a := qap.Unmatched; a < 3; a++ {
		for b := qap.Unmatched; b < 3; b++ {
			m := qap.Matching{a, b}
			if in.CheckMatching(m) == nil && in.Objective(in.Score(m)) < lowest {
				best, lowest = m, in.Objective(in.Score(m))
			}
		}
	}
	if fmt.Sprint(best) != "[0 2]" {
		t.Errorf("the best matching is %v, want [0 2]", best)
	}
}

func TestDDFileOfSeveralProblemsGoesOnAfterABadOne(t *testing.T) {
	content := "gm 0 1\np 1 1 1 0\na 0 0 0 -1\n" + "gm 0 2\np 1 1 1 0\na 0 0 0 many\na what\n" + "c\ngm 1 2\np 1 1 1 0\na 0 0 0 -3\n"
	instances, failures := collect("x.txt", content, Options{})
	if len(instances) != 2 || instances[0].Name != "x#0" || instances[1].Name != "x#2" || instances[1].Affinity.At(0, 0) != 3 {
		t.Errorf("%d instances, want x#0 and x#2", len(instances))
	}
	if len(failures) != 1 || failures[0].Error() != `datasets: x.txt:6: cost "many": want a finite number` || failures[0].(*Error).Instance != "x#1" {
		t.Errorf("errors %v", failures)
	}
}

func TestDDRoundTrip(t *testing.T) {
	in := randomInstance(3, 4, 7)
	again := roundTrip(t, in, "x.dd", func(b *bytes.Buffer) error { return WriteDD(b, in) }, Options{})
	if err := sameAffinity(in, again); err != nil {
		t.Error(err)
	}
	small := mustRead(t, "small.dd", smallDD, Options{})
	again = roundTrip(t, small, "x.dd", func(b *bytes.Buffer) error { return WriteDD(b, small) }, Options{})
	if err := sameAffinity(small, again); err != nil {
		t.Error(err)
	}
	var b bytes.Buffer
	several := []*qap.Instance{randomInstance(2, 2, 8), randomInstance(1, 3, 9)}
	if err := WriteDD(&b, several...); err != nil {
		t.Fatal(err)
	}
	instances, failures := collect("x.txt", b.String(), Options{})
	if len(instances) != 2 || len(failures) > 0 {
		t.Fatalf("%d instances, errors %v", len(instances), failures)
	}
	for k, in := range several {
		if err := sameAffinity(in, instances[k]); err != nil {
			t.Error(err)
		}
	}
}

// TestMultiMatchingFilesAgreeWithTheirOptima compares with exact maxima, and with
// dense matrices that were made from the same files by other means.
func TestMultiMatchingFilesAgreeWithTheirOptima(t *testing.T) {
	for _, name := range []string{"hotel_mgm_n10_g4", "synth_mgm_n10_g4"} {
		t.Run(name, func(t *testing.T) {
			problems := openAll(t, testdata.Path(t, "data", "dd", name+".txt"), Options{})
			checkMaxima(t, problems, testdata.Path(t, "data", "dd", name+"_optima.json"))
			t.Run("dense", func(t *testing.T) {
				for k, in := range openAll(t, testdata.Path(t, "data", "dd", name+"_A.npy"), Options{}) {
					compareDense(t, problems[k], in)
				}
			})
		})
	}
}

// compareDense compares all affinities of a problem with those of a matrix.
func compareDense(t *testing.T, problem, dense *qap.Instance) {
	t.Helper()
	for p := range 100 {
		for q := range 100 {
			const float32Rounding = 1e-5
			if u, v := dense.Affinity.At(p, q), problem.Affinity.At(p, q); math.Abs(u-v) > float32Rounding {
				t.Fatalf("%s: K[%d,%d] is %v, of the dense file %v", problem.Name, p, q, v, u)
			}
		}
	}
}

func TestLongLinesOfCommentAreServed(t *testing.T) {
	mustRead(t, "x.dd", "c "+strings.Repeat("x", 60000)+"\np 1 1 0 0\n", Options{})
}

package classic

import (
	"context"
	"math"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/relaxation"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/internal/testdata"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/qap"
)

// fixture is an instance of the fixtures, with what pygmtools returned.
type fixture struct {
	Name, K, X0 string
	N1, N2      int
	Runs        []fixtureRun
}

type fixtureRun struct {
	Solver, X0, Soft string
	Params           struct {
		MaxIter int `json:"max_iter"`
		SkIter  int `json:"sk_iter"`
		Alpha   float64
		Beta    float64
	}
	Hard      [][2]int
	Objective float64
	LapGap    float64  `json:"lap_gap"`           // of the final assignment; 0 is a tie
	InnerGap  *float64 `json:"inner_lap_gap_min"` // the smallest of IPFP's own assignments
	Noise     float64  `json:"soft_change_under_1e-14_noise"`
}

// tie is the gap below which another assignment is as good (index.json, notes).
const tie = 1e-9

func readFixtures(t testing.TB) []fixture {
	var index struct{ Instances []fixture }
	testdata.ReadJSON(t, &index, "fixtures", "index.json")
	return index.Instances
}

// instance returns the fixture's problem with K dense, or sparse.
func (f fixture) instance(t testing.TB, sparse bool) *qap.Instance {
	t.Helper()
	k := instances.Array(t, "fixtures", f.K).Data
	in, err := qap.NewDense(f.N1, f.N2, k, qap.Maximize)
	if sparse {
		var entries []qap.Entry
		for p := range k {
			if n := f.N1 * f.N2; k[p] != 0 {
				entries = append(entries, qap.Entry{P: p / n, Q: p % n, Value: k[p]})
			}
		}
		in, err = qap.NewSparse(f.N1, f.N2, entries, qap.Maximize)
	}
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// asGiven multiplies with K as it is in the file. Where that is not symmetric,
// pygmtools' soft assignments are not those of (K+Kᵀ)/2, which an instance keeps.
type asGiven struct {
	qap.Affinity
	k []float64
}

func (g asGiven) Multiply(dst, x []float64) {
	for p := range dst {
		dst[p] = relaxation.Dot(g.k[p*len(x):(p+1)*len(x)], x)
	}
}

// instances returns the fixture's problem with K as given, dense, and sparse; the
// last two only if K is symmetric.
func (f fixture) instances(t testing.TB) []*qap.Instance {
	k, n := instances.Array(t, "fixtures", f.K).Data, f.N1*f.N2
	given := f.instance(t, false)
	given.Affinity = asGiven{given.Affinity, k}
	for p := range n {
		for q := range p {
			if math.Abs(k[p*n+q]-k[q*n+p]) > 1e-12 {
				return []*qap.Instance{given}
			}
		}
	}
	return []*qap.Instance{given, f.instance(t, false), f.instance(t, true)}
}

// solver returns the method of a run.
func (f fixture) solver(t testing.TB, r fixtureRun, in *qap.Instance) qap.Solver {
	var start []float64
	switch r.X0 {
	case "file":
		start = instances.Array(t, "fixtures", f.X0).Data
	case "rrwm default soft":
		soft := must.Get(RRWM{}.Soft(context.Background(), in))(t)
		start = soft
	}
	switch p := r.Params; r.Solver {
	case "sm":
		return SpectralMatching{MaxIter: p.MaxIter, Start: start}
	case "rrwm":
		return RRWM{MaxIter: p.MaxIter, SkIter: p.SkIter, Alpha: p.Alpha, Beta: p.Beta, Start: start}
	case "ipfp":
		return IPFP{MaxIter: p.MaxIter, Start: start}
	}
	t.Fatalf("fixture of a solver %q", r.Solver)
	return nil
}

// Every case of the fixtures. Soft assignments agree to
// 1e-9 plus a hundred times what rounding noise changed; assignments agree unless
// there was a tie.
func TestFixtures(t *testing.T) {
	compared := map[string]int{}
	for _, f := range readFixtures(t) {
		for _, in := range f.instances(t) {
			for _, r := range f.Runs {
				s := f.solver(t, r, in)
				if soft, ok := s.(solvertest.Soft); ok {
					x := must.Get(soft.Soft(context.Background(), in))(t)
					f.compareSoft(t, r, x)
				}
				if r.LapGap < tie || r.InnerGap != nil && *r.InnerGap < tie {
					continue
				}
				result := must.Get(s.Solve(context.Background(), in, qap.Options{}))(t)
				f.compareHard(t, r, result)
				compared[r.Solver]++
			}
		}
	}
	t.Logf("assignments compared: %v", compared)
}

func (f fixture) compareSoft(t *testing.T, r fixtureRun, x []float64) {
	t.Helper()
	worst := 0.0
	for p, want := range instances.Array(t, "fixtures", r.Soft).Data {
		worst = max(worst, math.Abs(x[p]-want))
	}
	if !(worst <= 1e-9+100*r.Noise) {
		t.Errorf("%s: %s %+v from %s: soft assignment is off by %.2g", f.Name, r.Solver, r.Params, r.X0, worst)
	}
}

func (f fixture) compareHard(t *testing.T, r fixtureRun, got qap.Result) {
	t.Helper()
	want := qap.NewMatching(f.N1)
	for _, pair := range r.Hard {
		want[pair[0]] = pair[1]
	}
	for i := range want {
		if got.Matching[i] != want[i] {
			t.Errorf("%s: %s %+v from %s: %v, want %v", f.Name, r.Solver, r.Params, r.X0, got.Matching, want)
			break
		}
	}
	if math.Abs(got.Objective-r.Objective) > 1e-9*max(1, math.Abs(r.Objective)) {
		t.Errorf("%s: %s %+v from %s: objective %v, want %v", f.Name, r.Solver, r.Params, r.X0, got.Objective, r.Objective)
	}
}

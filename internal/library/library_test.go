package library

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/multistart"
)

// goOn is a tell that ends nothing.
func goOn(*rgm.Incumbent) bool { return true }

// check fails the test unless err has the code, and a text that contains part.
func check(t *testing.T, err error, code Code, part string) {
	t.Helper()
	var own *Error
	if !errors.As(err, &own) || own.Code != code || !strings.Contains(own.Detail, part) {
		t.Errorf("%v: want code %d and %q", err, code, part)
	}
}

// triangle is flows and distances of three nodes; {1, 0, 2} is best, 20.
var triangle = [2][]float64{{0, 1, 2, 1, 0, 3, 2, 3, 0}, {0, 3, 1, 3, 0, 2, 1, 2, 0}}

// matching returns that of a result.
func (l *Library) matching(t *testing.T, result uint64) []int {
	t.Helper()
	var m []int
	if _, err := l.Nodes(result, PartMatching, math.MaxInt64, func(_, a int) { m = append(m, a) }); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestFormsOfAProblem: the same problem as flows and distances, as an affinity matrix that is used
// where it is, as one that is not symmetric, and as entries has the same solution; the caller's
// matrices stay as they were.
func TestFormsOfAProblem(t *testing.T) {
	var l Library
	a, b := triangle[0], triangle[1]
	symmetric, lopsided := make([]float64, 81), make([]float64, 81)
	var rows, cols []int64
	var values []float64
	for p := range 9 {
		for q := range 9 {
			v := -a[p/3*3+q/3] * b[p%3*3+q%3]
			symmetric[p*9+q] = v
			if p < q {
				lopsided[p*9+q] = -2 * v
				rows, cols, values = append(rows, int64(p)), append(cols, int64(q)), append(values, -2*v)
			}
		}
	}
	before := [][]float64{slices.Clone(symmetric), slices.Clone(lopsided)}
	for name, form := range map[string]func() (uint64, error){
		"flows and distances": func() (uint64, error) { return l.Assignment(3, 3, a, b, nil, 1) },
		"symmetric":           func() (uint64, error) { return l.Dense(3, 3, symmetric, 0) },
		"not symmetric":       func() (uint64, error) { return l.Dense(3, 3, lopsided, 1) },
		"entries":             func() (uint64, error) { return l.Sparse(3, 3, rows, cols, values, 1) },
	} {
		problem, err := form()
		if err != nil {
			t.Fatal(name, err)
		}
		result, err := l.Solve(problem, []byte(`{"seed":1,"complete":true,"threads":1}`), goOn)
		if err != nil {
			t.Fatal(name, err)
		}
		if m := l.matching(t, result); !slices.Equal(m, []int{1, 0, 2}) {
			t.Errorf("%s: %v", name, m)
		}
		text, err := l.Record(result)
		if err != nil || strings.Contains(string(text), `"matching":`) || !strings.Contains(string(text), `20,"`) || !strings.Contains(string(text), `"matched":3,`) {
			t.Errorf("%s: %s %v", name, text, err)
		}
	}
	if !slices.Equal(before[0], symmetric) || !slices.Equal(before[1], lopsided) {
		t.Error("a matrix of the caller was changed")
	}
}

// TestBadArguments: what is wrong is an error that names it, and nothing is kept.
func TestBadArguments(t *testing.T) {
	var l Library
	a, b := triangle[0], triangle[1]
	nan := []float64{0, math.NaN(), 1, 0}
	for part, call := range map[string]func() (uint64, error){
		"n1 0":        func() (uint64, error) { return l.Dense(0, 1, nil, 0) },
		"n2 99999":    func() (uint64, error) { return l.Dense(1, 99999, nil, 0) },
		"k has 4":     func() (uint64, error) { return l.Dense(2, 2, nan, 0) },
		"NaN":         func() (uint64, error) { return l.Assignment(2, 2, nan, nan, nil, 1) },
		"sense 7":     func() (uint64, error) { return l.Assignment(3, 3, a, b, nil, 7) },
		"b has 9":     func() (uint64, error) { return l.Assignment(3, 2, a, b, nil, 1) },
		"linear has":  func() (uint64, error) { return l.Assignment(3, 3, a, b, []float64{1}, 1) },
		"n1·n2 is":    func() (uint64, error) { return l.Sparse(30000, 30000, nil, nil, nil, 0) },
		"K[9,0]":      func() (uint64, error) { return l.Sparse(3, 3, []int64{9}, []int64{0}, []float64{1}, 0) },
		"nodes -1":    func() (uint64, error) { return l.NewGraph(Arrays{Nodes: -1}) },
		"nodes 1":     func() (uint64, error) { return l.NewGraph(Arrays{Nodes: 1 << 40}) },
		"joins 0 and": func() (uint64, error) { return l.NewGraph(Arrays{Nodes: 2, Ends: []int64{0, 2}}) },
		"points":      func() (uint64, error) { return l.NewGraph(Arrays{Nodes: 2, Points: []float64{1, 2, 3}}) },
		"weights has": func() (uint64, error) { return l.NewGraph(Arrays{Nodes: 2, Ends: []int64{0, 1}, Weights: a}) },
		".surprise":   func() (uint64, error) { return l.ReadGraph("x.surprise", nil) },
	} {
		handle, err := call()
		check(t, err, Invalid, part)
		if handle != 0 {
			t.Errorf("%s: handle %d", part, handle)
		}
	}
	problem := must.Get(l.Assignment(3, 3, a, b, nil, 1))(t)
	for part, options := range map[string]string{
		"/options/surprise":   `{"surprise":1}`,
		"JSON":                `{`,
		"/options/threads":    `{"threads":-1}`,
		"/options/patience":   `{"patience":0.5}`,
		"/options/method":     `{"method":"align"}`,
		"tabu":                `{"method":"tbu"}`,
		"/options/fix/0":      `{"fix":["9:0"]}`,
		"/options/time_limit": `{"time_limit":"soon"}`,
		"is there twice":      `{"seed":1,"seed":2}`,
	} {
		_, err := l.Solve(problem, []byte(options), goOn)
		check(t, err, Invalid, part)
	}
	if len(l.held) != 1 || len(l.users) != 0 {
		t.Errorf("%d handles, %d users", len(l.held), len(l.users))
	}
}

// TestHandles: one that was freed, or is of another kind, is an error; so is freeing what is in use.
func TestHandles(t *testing.T) {
	var l Library
	graph := must.Get(l.NewGraph(Arrays{Nodes: 2, Ends: []int64{0, 1}}))(t)
	problem := must.Get(l.Match(graph, graph, []byte(`{"kernel":"binary"}`)))(t)
	_, err := l.Solve(graph, nil, goOn)
	check(t, err, NoHandle, "is of a graph: want a problem")
	_, err = l.Record(problem)
	check(t, err, NoHandle, "is of a problem: want a result")
	_, err = l.Match(graph, problem, nil)
	check(t, err, NoHandle, "want a graph")
	_, err = l.Match(graph, graph, []byte(`{"kernel":"colour"}`))
	check(t, err, Invalid, "/compare/kernel")
	_, err = l.Match(graph, graph, []byte(`{"n1":1}`))
	check(t, err, Invalid, "/compare")
	result, err := l.Solve(problem, nil, func(*rgm.Incumbent) bool {
		check(t, l.Free(problem), Busy, "1 searches")
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.Nodes(result, 9, 9, nil)
	check(t, err, Invalid, "part 9")
	_, err = l.Nodes(result, PartMatching, 1, nil)
	check(t, err, Invalid, "want 2")
	for _, handle := range []uint64{graph, problem, result, 0} {
		if err := l.Free(handle); err != nil {
			t.Error(err)
		}
	}
	check(t, l.Free(graph), NoHandle, "was freed")
	_, err = l.Solve(problem, nil, goOn)
	check(t, err, NoHandle, "was freed")
	if len(l.held) != 0 {
		t.Errorf("%d handles are left", len(l.held))
	}
}

// TestStopped: who ends a search gets its best so far.
func TestStopped(t *testing.T) {
	var l Library
	const n = 30
	a := make([]float64, n*n)
	for k := range a {
		a[k] = float64(k * 7919 % 101)
	}
	problem := must.Get(l.Assignment(n, n, a, a, nil, 1))(t)
	best := math.Inf(1)
	result, err := l.Solve(problem, []byte(`{"time_limit":"1h"}`), func(i *rgm.Incumbent) bool {
		if i != nil {
			best = i.Objective
		}
		return i != nil // nil: nothing better for a while
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := l.Record(result)
	if err != nil || !strings.Contains(string(text), `"status":"cancelled"`) || math.IsInf(best, 1) {
		t.Errorf("%s %v, the best heard of %v", text, err, best)
	}
}

// TestPanics: a fault of a search is an error with the place of it.
func TestPanics(t *testing.T) {
	var l Library
	l.open()
	problem := l.put(&Problem{instance: &qap.Instance{Affinity: (*qap.KoopmansBeckmann)(nil)}}) // which nobody makes: its size dereferences nil
	_, err := l.Solve(problem, nil, goOn)
	check(t, err, Internal, "nil pointer")
	check(t, err, Internal, "problem.go")
}

// faulty panics on the goroutine that it is started on.
type faulty struct{}

func (faulty) Solve(context.Context, *qap.Instance, qap.Options) (qap.Result, error) {
	panic("as asked for")
}

// TestPanicsOfThreads: one on another goroutine of a search ends the search alone.
func TestPanicsOfThreads(t *testing.T) {
	var l Library
	l.open()
	config := rgm.Config{}
	config.Methods = append(config.Methods, rgm.SolverMethod("faulty", func(*rgm.Search) qap.Solver {
		return multistart.Solver{Solver: faulty{}, Threads: 2}
	}))
	var err error
	if l.solver, err = rgm.Open(config); err != nil {
		t.Fatal(err)
	}
	l.choices["method"] = l.solver.Methods()
	problem := must.Get(l.Dense(1, 1, []float64{1}, 0))(t)
	_, err = l.Solve(problem, []byte(`{"method": "faulty", "time_limit": "1h"}`), goOn)
	check(t, err, Internal, "as asked for")
	check(t, err, Internal, "library_test.go")
}

// TestPlaces: the places of a graph are its points, or those that its edges give; room for others is an error.
func TestPlaces(t *testing.T) {
	var l Library
	points := must.Get(l.NewGraph(Arrays{Nodes: 2, Points: []float64{3, 4, 5, 6, 7, 8}}))(t)
	to := make([]float64, 4)
	if err := l.Places(points, to); err != nil || !slices.Equal(to, []float64{3, 4, 6, 7}) {
		t.Errorf("%v, %v", to, err)
	}
	path := must.Get(l.NewGraph(Arrays{Nodes: 3, Ends: []int64{0, 1, 1, 2}}))(t)
	to = make([]float64, 6)
	if err := l.Places(path, to); err != nil || (to[2]-to[0])*(to[4]-to[2]) <= 0 {
		t.Errorf("the middle of a path is not between its ends: %v, %v", to, err)
	}
	check(t, l.Places(path, to[:4]), Invalid, "values has 4")
	check(t, l.Places(999, to), NoHandle, "999")
}

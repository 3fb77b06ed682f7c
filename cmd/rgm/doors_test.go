package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/library"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/rgmtest"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/serve"
)

// A doorCase is a problem that is sent through every door with the same options.
type doorCase struct {
	name    string
	matrix  []float64 // an affinity matrix of side² vertices, or
	side    int
	qaplib  string    // an instance of QAPLIB, or
	files   [2]string // two graphs, their formats and texts
	format  string
	options map[string]any // as JSON has them
}

// doorCases are one of each kind.
func doorCases() []doorCase {
	rng := rand.New(rand.NewPCG(11, 7))
	const side = 6
	k := make([]float64, side*side*side*side)
	for p := range side * side {
		for q := range p + 1 {
			v := float64(rng.IntN(50))
			k[p*side*side+q], k[q*side*side+p] = v, v
		}
	}
	plainA, plainB := edgeLists(60)
	points := func(n int) (a, b string) {
		a, b = "name,x,y\n", "name,x,y\n"
		order := rng.Perm(n)
		x, y := make([]float64, n), make([]float64, n)
		for i := range n {
			x[i], y[i] = rng.Float64(), rng.Float64()
			a += fmt.Sprintf("n%d,%.4f,%.4f\n", i, x[i], y[i])
		}
		for _, i := range order {
			b += fmt.Sprintf("N%d,%.4f,%.4f\n", i, x[i]+.01*rng.NormFloat64(), y[i]+.01*rng.NormFloat64())
		}
		return a, b
	}
	pointsA, pointsB := points(9)
	attributed := func(shift int) string {
		var nodes, links []string
		for i := range 10 {
			v := (i + shift) % 10
			nodes = append(nodes, fmt.Sprintf(`{"id":"%d","kind":"%c","size":%d}`, i, 'a'+v%3, v*v))
			for j := range i {
				if w := (j + shift) % 10; (v+w)%3 == 0 || (v*w)%7 == 1 {
					links = append(links, fmt.Sprintf(`{"source":"%d","target":"%d","weight":%d}`, i, j, 1+v+w))
				}
			}
		}
		return `{"directed":false,"multigraph":false,"nodes":[` + strings.Join(nodes, ",") + `],"links":[` + strings.Join(links, ",") + `]}`
	}
	set := func(pairs ...any) map[string]any {
		o := map[string]any{"seed": 3, "max_steps": 300}
		for k := 0; k < len(pairs); k += 2 {
			o[pairs[k].(string)] = pairs[k+1]
		}
		return o
	}
	plain := [2]string{plainA, plainB}
	return []doorCase{
		{name: "affinity matrix", matrix: k, side: side, options: set()},
		{name: "affinity matrix, a count", matrix: k, side: side, options: set("inliers", 4, "method", "regrow")},
		{name: "affinity matrix, known, patience", matrix: k, side: side, options: set("fix", []string{"0:5", "2:1"}, "patience", 20, "method", "profile")},
		{name: "affinity matrix, an initial matching", matrix: k, side: side, options: set("initial", []int{5, 4, 3, 2, 1, 0}, "method", "greedy", "rollouts", 2)},
		{name: "affinity matrix, refined", matrix: k, side: side, options: set("method", "ipfp", "refine", "rewrite")},
		{name: "QAPLIB", qaplib: "nug12", options: set("max_steps", 3000)},
		{name: "QAPLIB, by the policy", qaplib: "nug12", options: set("method", "rgm", "beam", 3)},
		{name: "QAPLIB, a target", qaplib: "nug12", options: set("method", "tabu", "target", 600)},
		{name: "plain graphs", format: "edges", files: plain, options: set("max_steps", 20000)},
		{name: "plain graphs, known", format: "edges", files: plain, options: set("max_steps", 20000, "fix", []string{"3:7"})},
		{name: "plain graphs, over swaps", format: "edges", files: plain, options: set("method", "tabu", "max_steps", 2000)},
		{name: "plain graphs, by an option of affinities", format: "edges", files: plain, options: set("inliers", 20)},
		{name: "attributes", format: "json", files: [2]string{attributed(0), attributed(3)}, options: set()},
		{name: "attributes, weighed", format: "json", files: [2]string{attributed(0), attributed(3)}, options: set("node_weight", 0.5)},
		{name: "attributes, kinds that must agree", format: "json", files: [2]string{attributed(0), attributed(3)}, options: set("must_agree", []string{"kind"})},
		{name: "attributes, nodes and edges that must agree", format: "json", files: [2]string{attributed(0), attributed(3)}, options: set("must_agree", []string{"kind", "weight"}, "method", "align")},
		{name: "points", format: "csv", files: [2]string{pointsA, pointsB}, options: set()},
		{name: "points, learned affinities", format: "csv", files: [2]string{pointsA, pointsB}, options: set("affinity", "learned")},
		{name: "points, joined", format: "csv", files: [2]string{pointsA, pointsB}, options: set("edges", "knn:3", "kernel", "direction", "scale", "same", "complete", true)},
	}
}

// found is what doors must agree on.
type found struct {
	Matching  []int   `json:"matching"`
	Objective float64 `json:"objective"`
	Status    string  `json:"status"`
	FoundBy   string  `json:"found_by"`
	Method    string  `json:"method"`
	Steps     int     `json:"steps"`
}

// doors are the ways into rgm, each ready to be asked.
type doors struct {
	solver  *rgm.Solver
	handler *serve.Handler
	library library.Library
	python  []string // the command, nil where there is none
}

func openDoors(t *testing.T) *doors {
	t.Helper()
	d := &doors{solver: rgmtest.Open(t)}
	d.handler = serve.NewHandler(d.solver, serve.Options{})
	t.Cleanup(func() {
		if err := d.handler.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// ask sends a case through all doors.
func (d *doors) ask(t *testing.T, c *doorCase) map[string]found {
	t.Helper()
	answers := map[string]found{}
	read := func(text []byte) (f found) {
		if err := json.Unmarshal(text, &f); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		return f
	}
	answers["command line"] = read(d.commandLine(t, c))
	answers["HTTP"] = read(d.http(t, c))
	answers["C"] = d.c(t, c)
	answers["Go"] = read(must.Get(json.Marshal(d.goes(t, c)))(t))
	if text := d.fromPython(t, c); text != nil {
		answers["Python"] = read(text)
	}
	return answers
}

// flagsOf returns options as flags.
func (c *doorCase) flagsOf(t testing.TB) (flags []string) {
	for name, value := range c.options {
		flag := "--" + strings.ReplaceAll(name, "_", "-")
		switch v := value.(type) {
		case []string:
			value = strings.Join(v, ",")
		case []int: // the file of a matching
			path := filepath.Join(t.TempDir(), "initial.json")
			write(t, path, string(must.Get(json.Marshal(v))(t)))
			value = path
		}
		flags = append(flags, fmt.Sprintf("%s=%v", flag, value))
	}
	return flags
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (d *doors) commandLine(t testing.TB, c *doorCase) []byte {
	folder := t.TempDir()
	arguments := []string{"solve", c.qaplib}
	switch {
	case c.files[0] != "":
		arguments = []string{"match", "a." + c.format, "b." + c.format}
		write(t, filepath.Join(folder, "a."+c.format), c.files[0])
		write(t, filepath.Join(folder, "b."+c.format), c.files[1])
	case c.matrix != nil:
		arguments = []string{"solve", "k.npy"}
		var file bytes.Buffer
		n := c.side * c.side
		must.Get(file.WriteString("\x93NUMPY\x01\x00\x76\x00" + fmt.Sprintf("%-117s\n", fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", n, n))))(t)
		for _, v := range c.matrix {
			bits := math.Float64bits(v)
			for k := range 8 {
				file.WriteByte(byte(bits >> (8 * k)))
			}
		}
		write(t, filepath.Join(folder, "k.npy"), file.String())
	}
	out, code := runProgram(t, folder, append(append(arguments, "--format", "json", "--threads", "1", "--quiet"), c.flagsOf(t)...)...)
	if code != 0 {
		t.Fatalf("%v: exit status %d: %s", arguments, code, out)
	}
	return []byte(out)
}

// body returns the request of a case to the service.
func (c *doorCase) body(t testing.TB) (media string, body string) {
	options := string(must.Get(json.Marshal(c.options))(t))
	var instance any
	switch {
	case c.files[0] != "":
		var form bytes.Buffer
		parts := multipart.NewWriter(&form)
		parts.WriteField("options", options)
		for k, name := range []string{"a", "b"} {
			must.Get(must.Get(parts.CreateFormFile(name, name+"."+c.format))(t).Write([]byte(c.files[k])))(t)
		}
		parts.Close()
		return parts.FormDataContentType(), form.String()
	case c.qaplib != "":
		instance = map[string]string{"kind": "qaplib", "name": c.qaplib}
	default:
		n := c.side * c.side
		var rows [][]float64
		for p := range n {
			rows = append(rows, c.matrix[p*n:(p+1)*n])
		}
		instance = map[string]any{"kind": "affinity", "k": rows}
	}
	return "application/json", `{"instance":` + string(must.Get(json.Marshal(instance))(t)) + `,"options":` + options + `}`
}

func (d *doors) http(t testing.TB, c *doorCase) []byte {
	media, body := c.body(t)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/v1/solve", strings.NewReader(body))
	r.Header.Set("Content-Type", media)
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Fatalf("HTTP: %d %s", w.Code, w.Body)
	}
	return w.Body.Bytes()
}

func (d *doors) c(t testing.TB, c *doorCase) (f found) {
	var problem uint64
	switch {
	case c.files[0] != "":
		a := must.Get(d.library.ReadGraph("a."+c.format, []byte(c.files[0])))(t)
		b := must.Get(d.library.ReadGraph("b."+c.format, []byte(c.files[1])))(t)
		problem = must.Get(d.library.Match(a, b, nil))(t)
	case c.qaplib != "":
		in := must.Get(qaplib.Open(c.qaplib))(t)
		k := in.Affinity.(*qap.KoopmansBeckmann)
		n1, n2 := in.Size()
		flows, distances, _ := k.Given()
		problem = must.Get(d.library.Assignment(int64(n1), int64(n2), flows, distances, nil, 1))(t)
	default:
		problem = must.Get(d.library.Dense(int64(c.side), int64(c.side), c.matrix, 0))(t)
	}
	options := map[string]any{"threads": 1}
	for name, value := range c.options {
		options[name] = value
	}
	result, err := d.library.Solve(problem, must.Get(json.Marshal(options))(t), func(*rgm.Incumbent) bool { return true })
	if err != nil {
		t.Fatal("C: ", err)
	}
	if err := json.Unmarshal(must.Get(d.library.Record(result))(t), &f); err != nil {
		t.Fatal(err)
	}
	must.Get(d.library.Nodes(result, library.PartMatching, 1<<20, func(_, a int) { f.Matching = append(f.Matching, a) }))(t)
	return f
}

func (d *doors) goes(t testing.TB, c *doorCase) rgm.Result {
	var o rgm.Options
	set := reflect.ValueOf(&o).Elem()
	for _, f := range rgm.OptionTable() {
		value, given := c.options[f.Name]
		switch to := set.Field(f.Index); {
		case !given:
		case to.Type() == reflect.TypeFor[time.Duration]():
			to.SetInt(int64(must.Get(time.ParseDuration(value.(string)))(t)))
		default:
			if err := json.Unmarshal(must.Get(json.Marshal(value))(t), to.Addr().Interface()); err != nil {
				t.Fatal(err)
			}
		}
	}
	o.Threads = 1
	var r rgm.Result
	var err error
	switch {
	case c.files[0] != "":
		a := must.Get(graphs.Read("a."+c.format, strings.NewReader(c.files[0]), int64(len(c.files[0]))))(t)
		b := must.Get(graphs.Read("b."+c.format, strings.NewReader(c.files[1]), int64(len(c.files[1]))))(t)
		r, err = d.solver.Match(t.Context(), &a, &b, o)
	case c.qaplib != "":
		r, err = d.solver.Solve(t.Context(), must.Get(qaplib.Open(c.qaplib))(t), o)
	default:
		r, err = d.solver.Solve(t.Context(), must.Get(qap.NewDense(c.side, c.side, c.matrix, qap.Maximize))(t), o)
	}
	if err != nil {
		t.Fatal("Go: ", err)
	}
	return r
}

// pythonScript answers a case that it reads from standard input.
const pythonScript = `
import json, sys
import numpy as np, rgm
from rgm import _library
for line in sys.stdin:
    case = json.loads(line)
    options = {**case["options"], "threads": 1}
    if case["files"]:
        a, b = (_library.read_graph(name + "." + case["format"], text.encode()) for name, text in zip("ab", case["files"]))
        with _library.match(a, b, {}) as problem:
            found = _library.solve(problem, options, case["nodes"])
        record, matching = found.record, found.parts[_library.MATCHING]
    elif case["flows"]:
        flows, distances = (np.array(m, float).reshape(case["nodes"], -1) for m in (case["flows"], case["distances"]))
        result = rgm.quadratic_assignment(flows, distances, method=options.pop("method", "auto"), options=options).result
        record, matching = result.record, result.matching
    else:
        k = np.array(case["matrix"], float).reshape(case["nodes"] ** 2, -1)
        result = rgm.solve(k, case["nodes"], case["nodes"], **options)
        record, matching = result.record, result.matching
    print(json.dumps({**record, "matching": [int(a) for a in matching]}), flush=True)
`

// libraryVariable names the C library for the Python package, as go build -buildmode=c-shared ./capi makes it:
// that takes minutes, and scripts/check-bindings does it.
const libraryVariable = "RGM_TEST_LIBRARY"

// withPython lets cases through the Python package, where there is NumPy and the library.
func (d *doors) withPython(t *testing.T) {
	if os.Getenv(libraryVariable) == "" {
		t.Skip("needs the C library: " + libraryVariable)
	}
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import numpy").Run() == nil {
			d.python = []string{python, "-c", pythonScript}
			return
		}
	}
	t.Skip("needs Python with NumPy")
}

func (d *doors) fromPython(t *testing.T, c *doorCase) []byte {
	if d.python == nil {
		return nil
	}
	asked := map[string]any{"options": c.options, "files": nil, "flows": nil, "matrix": c.matrix, "nodes": c.side, "format": c.format}
	if c.files[0] != "" {
		a := must.Get(graphs.Read("a."+c.format, strings.NewReader(c.files[0]), int64(len(c.files[0]))))(t)
		asked["files"], asked["nodes"] = c.files, a.Nodes
	}
	if c.qaplib != "" {
		in := must.Get(qaplib.Open(c.qaplib))(t)
		asked["flows"], asked["distances"], _ = in.Affinity.(*qap.KoopmansBeckmann).Given()
		asked["nodes"], _ = in.Size()
	}
	command := exec.Command(d.python[0], d.python[1:]...)
	command.Stdin = bytes.NewReader(must.Get(json.Marshal(asked))(t))
	command.Env = append(os.Environ(), "RGM_LIBRARY="+os.Getenv(libraryVariable), "PYTHONPATH="+must.Get(filepath.Abs("../../python"))(t))
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("Python: %v\n%s", err, stderr.String())
	}
	return out
}

// agree fails unless all doors found the same.
func agree(t *testing.T, answers map[string]found) {
	t.Helper()
	want := answers["command line"]
	for door, have := range answers {
		if !reflect.DeepEqual(have, want) {
			t.Errorf("%s: %+v\ncommand line: %+v", door, have, want)
		}
	}
}

// TestDoorsAgree: the same problem, options and seed have the same answer through the command line, HTTP, the
// C library and Go.
func TestDoorsAgree(t *testing.T) {
	d := openDoors(t)
	for _, c := range doorCases() {
		t.Run(c.name, func(t *testing.T) { agree(t, d.ask(t, &c)) })
	}
}

// TestPythonAgrees: and through Python, where it is there.
func TestPythonAgrees(t *testing.T) {
	d := openDoors(t)
	d.withPython(t)
	for _, c := range doorCases() {
		t.Run(c.name, func(t *testing.T) { agree(t, d.ask(t, &c)) })
	}
}

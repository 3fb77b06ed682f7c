package serve

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/rgmtest"
)

// matrix returns rows of a number in JSON.
func matrix(n int, number string) string {
	row := "[" + strings.Repeat(number+",", n-1) + number + "]"
	return "[" + strings.Repeat(row+",", n-1) + row + "]"
}

func numberList(n int, number string) string {
	return "[" + strings.Repeat(number+",", n-1) + number + "]"
}

// requests are instances of every form, those that take most for their length among them.
func requests() map[string]*request.Request {
	json := func(format string, values ...any) *request.Request {
		return &request.Request{Format: request.FormatJSON, Body: fmt.Appendf(nil, format, values...)}
	}
	const n = 300
	var places []string
	for k := range 49 { // all joined
		places = append(places, fmt.Sprintf("[%d,%d]", k%7, k*k%11))
	}
	points := "[" + strings.Join(places, ",") + "]"
	edges := func(step int) string { // a ring of twice that many nodes with chords
		var text strings.Builder
		for i := range 2 * n {
			fmt.Fprintf(&text, "%d %d\n%[1]d %d\n", i, (i+1)%(2*n), (i*step+7)%(2*n))
		}
		return text.String()
	}
	a, b := edges(11), edges(13)
	header := fmt.Sprintf("{'descr': '|i1', 'fortran_order': False, 'shape': (%d, %d), }", n, n)
	return map[string]*request.Request{
		"digits":        json(`{"kind":"affinity","n1":%d,"n2":1,"k":%s}`, n, matrix(n, "7")),
		"long numbers":  json(`{"kind":"affinity","n1":%d,"n2":1,"k":%s}`, n, matrix(n, "0.1234567890123456")),
		"qap":           json(`{"kind":"qap","a":%s,"b":%s}`, matrix(n, "7"), matrix(n, "3")),
		"qap, linear":   json(`{"kind":"qap","a":%s,"b":%[1]s,"linear":%[1]s}`, matrix(n, "1")),
		"sparse":        json(`{"kind":"sparse","n1":%d,"n2":%[1]d,"rows":%s,"cols":%s,"values":%s}`, n, numberList(n*n, "0"), numberList(n*n, "9"), numberList(n*n, "1")),
		"sparse, empty": json(`{"kind":"sparse","n1":%d,"n2":%[1]d,"rows":[],"cols":[],"values":[]}`, n),
		"graphs":        json(`{"kind":"graphs","graph1":{"points":%s},"graph2":{"points":%[1]s}}`, points),
		"edge lists":    {Files: []request.GraphFile{{Name: "a.edges", Length: len(a)}, {Name: "b.edges", Length: len(b)}}, Body: []byte(a + b)},
		"dat":           {Format: "dat", Body: fmt.Appendln(nil, n, strings.Repeat("1 ", 2*n*n))},
		"npy of bytes":  {Format: "npy", N1: n, N2: 1, Body: append([]byte("\x93NUMPY\x01\x00\x76\x00"+fmt.Sprintf("%-117s\n", header)), bytes.Repeat([]byte{3}, n*n)...)},
	}
}

// TestReadingIsCounted: all that reading an instance allocates, also what it drops on the way, is no
// more than what it has to wait for, and the instance no more than what it is said to take.
func TestReadingIsCounted(t *testing.T) {
	l := limitsOf(&Options{MaxNodes: 1000})
	for name, r := range requests() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		todo, err := newTask(context.Background(), fuzzedBy, r, l)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		took := int64(after.TotalAlloc - before.TotalAlloc)
		runtime.GC()
		runtime.ReadMemStats(&after)
		stays := int64(after.HeapAlloc) - int64(before.HeapAlloc)
		t.Logf("%-14s %8d bytes: reading allocates %9d, counted %9d; the instance has %9d, counted %9d", name, len(r.Body), took, readingBytes(r, l), stays, todo.bytes)
		if took > readingBytes(r, l) {
			t.Errorf("%s: reading allocates %d bytes, counted are %d", name, took, readingBytes(r, l))
		}
		if stays > todo.bytes+1<<20 {
			t.Errorf("%s: the instance takes %d bytes, counted are %d", name, stays, todo.bytes)
		}
		runtime.KeepAlive(todo)
	}
}

// TestSearchesAreCounted: the most that a search was seen to take is no more than what it has to
// wait for.
func TestSearchesAreCounted(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	p := rgmtest.Open(t)
	if err := p.Load(t.Context(), rgm.ModelQAP, rgm.ModelMatching); err != nil {
		t.Fatal(err)
	}
	for name, r := range requests() {
		for _, method := range []string{rgm.MethodAuto, rgm.MethodRGM} {
			if r.Files != nil {
				method = rgm.MethodAlign
			}
			r.Options = rgm.Options{Method: method, TimeLimit: 50 * time.Millisecond}
			if name == "graphs" { // whose affinities take longer than that
				r.Options = rgm.Options{Method: method, MaxSteps: 50}
			}
			todo := must.Get(newTask(t.Context(), p, r, limitsOf(&Options{MaxNodes: 1000})))(t)
			stop := watchHeap()
			_, err := todo.Search(t.Context())
			took := stop()
			if err != nil && request.AsError(err, "") == err {
				t.Fatal(err)
			}
			counted := todo.searchingBytes()
			t.Logf("%-14s %-8s %9d bytes, counted %9d", name, method, took, counted)
			if slack := int64(8 << 20); took > counted+counted/10+slack { // a tenth has not been collected
				t.Errorf("%s by %s: %d bytes, counted are %d", name, method, took, counted)
			}
		}
	}
}

// watchHeap looks at the heap until stop is called, which returns by how much it grew.
func watchHeap() (stop func() int64) {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before, end, most := m.HeapAlloc, make(chan struct{}), make(chan int64)
	go func() {
		var peak uint64
		for {
			select {
			case <-end:
				most <- int64(peak) - int64(before)
				return
			case <-time.After(2 * time.Millisecond):
				runtime.ReadMemStats(&m)
				peak = max(peak, m.HeapAlloc)
			}
		}
	}()
	return func() int64 { close(end); return <-most }
}

// TestMemoryIsChecked: what cannot fit is refused before anything starts.
func TestMemoryIsChecked(t *testing.T) {
	for name, test := range map[string]struct {
		options Options
		system  int64
		fits    bool
	}{
		"default":           {Options{}, 0, true},
		"as much":           {Options{Memory: 4 << 30}, 4 << 30, true},
		"more than allowed": {Options{Memory: 4 << 30}, 3 << 30, false},
		"large bodies":      {Options{Memory: 4 << 30, MaxBody: 1 << 30}, 0, false},
		"many results":      {Options{Memory: 1 << 30, MaxResults: 1 << 30}, 0, false},
	} {
		o := test.options.withDefaults()
		if err := o.checkMemory(test.system); (err == nil) != test.fits {
			t.Errorf("%s: %v", name, err)
		}
	}
}

//go:build js

// Command wasm is the solver as a WebAssembly module, for the worker of the npm package beside it:
// what rgm solve and rgm match do of a request of the service, evaluated in Go, on one thread.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"syscall/js"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/qap"
)

// limits keep a request within the 4 GiB that a module can have.
var limits = rgm.Limits{Nodes: 20_000, Pairs: 4_000_000, EdgePairs: 5_000_000, Comparisons: 1 << 32}

func main() {
	solver, err := rgm.Open(rgm.Config{Provider: rgm.ProviderGo})
	if err != nil {
		panic(err) // the configuration is this one
	}
	cancel := func() {}
	host := js.Global().Get("rgm")
	host.Set("solve", js.FuncOf(func(_ js.Value, args []js.Value) any {
		payload := make([]byte, args[0].Length())
		js.CopyBytesToGo(payload, args[0])
		var ctx context.Context
		ctx, cancel = context.WithCancel(context.Background())
		go solve(ctx, solver, payload, host)
		return nil
	}))
	host.Set("cancel", js.FuncOf(func(js.Value, []js.Value) any {
		cancel()
		return nil
	}))
	host.Set("draw", js.FuncOf(func(_ js.Value, args []js.Value) any {
		payload := make([]byte, args[0].Length())
		js.CopyBytesToGo(payload, args[0])
		go draw(payload, host)
		return nil
	}))
	host.Call("ready", text(about{methods(solver)}))
	select {}
}

// about is what the host is told once.
type about struct {
	Methods []string `json:"methods"`
}

// methods returns the names of all methods, those of two graphs among them.
func methods(s *rgm.Solver) []string {
	names := s.Methods()
	for _, name := range rgm.GraphMethods() {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// draw tells the host where the nodes of two graphs are drawn, or what is wrong.
func draw(payload []byte, host js.Value) {
	r, err := request.DecodeRequest(payload)
	var drawing request.Drawing
	if err == nil {
		drawing, err = r.Drawing(limits)
	}
	if err != nil {
		host.Call("failed", text(failureOf(request.AsError(err, "/instance"))))
		return
	}
	host.Call("done", text(drawing))
}

// solve tells the host each better matching, and then the result or what is wrong.
func solve(ctx context.Context, s *rgm.Solver, payload []byte, host js.Value) {
	r, err := request.DecodeRequest(payload)
	var result any
	if err == nil {
		if r.Options.Deadline > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, r.Options.Deadline)
			defer cancel()
		}
		t := &turns{Context: ctx}
		found := func(i rgm.Incumbent) { host.Call("incumbent", text(i)) }
		if within := qap.WithClock(t, t.now); r.Distance != nil {
			result, err = measure(within, r, found)
		} else {
			result, err = search(within, s, r, found)
		}
	}
	if err == nil {
		host.Call("done", text(result))
		return
	}
	host.Call("failed", text(failureOf(request.AsError(err, "/instance"))))
}

// search does what a request says.
func search(ctx context.Context, s *rgm.Solver, r *request.Request, found func(rgm.Incumbent)) (result rgm.Result, err error) {
	r.Options.Threads, r.Options.Deadline = 1, 0 // the context has it
	p, err := r.Problem(ctx, s, limits)
	if err != nil {
		return result, err
	}
	return request.Search(ctx, p, found)
}

// measure measures the distance of the two graphs of a request.
func measure(ctx context.Context, r *request.Request, found func(rgm.Incumbent)) (rgm.DistanceResult, error) {
	both, err := r.Pair(limits)
	if err != nil {
		return rgm.DistanceResult{}, err
	}
	o := rgm.Options(*r.Distance)
	o.Name, o.OnBest = both.Name, found
	return rgm.Distance(ctx, &both.Graphs[0], &both.Graphs[1], o)
}

// failure is an error as the host is told it.
type failure struct {
	Type    string `json:"type"` // of JavaScript
	Pointer string `json:"pointer,omitempty"`
	Detail  string `json:"detail"`
}

func failureOf(err error) failure {
	var wrong *request.Error
	switch {
	case !errors.As(err, &wrong):
		return failure{"Error", "", err.Error()}
	case wrong.Kind == request.KindType:
		return failure{"TypeError", wrong.Pointer, wrong.Detail}
	}
	return failure{"RangeError", wrong.Pointer, wrong.Detail}
}

// text returns JSON of what can always be written: no number of ours is infinite.
func text(v any) string {
	t, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(t)
}

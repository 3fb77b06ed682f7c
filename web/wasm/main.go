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
	"time"

	"github.com/rgm-go/rgm/infer/alignment"
	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/infer/portfolio/full"
	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/qap"
)

// limits keep a request within the 4 GiB that a module can have.
var limits = request.Limits{Nodes: 20_000, Pairs: 4_000_000, EdgePairs: 5_000_000, Comparisons: 1 << 32}

func main() {
	config := full.Config()
	config.Provider = portfolio.ProviderGo
	p, err := portfolio.Open(config)
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
		go solve(ctx, p, payload, host)
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
	host.Call("ready", text(about{methods(p)}))
	select {}
}

// about is what the host is told once.
type about struct {
	Methods []string `json:"methods"`
}

// methods returns the names of all methods, those of two graphs among them.
func methods(p *portfolio.Portfolio) []string {
	names := p.Methods()
	for _, name := range alignment.Methods() {
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
		host.Call("failed", text(failureOf(request.AsError(err))))
		return
	}
	host.Call("done", text(drawing))
}

// solve tells the host each better matching, and then the result or what is wrong.
func solve(ctx context.Context, p *portfolio.Portfolio, payload []byte, host js.Value) {
	r, err := request.DecodeRequest(payload)
	var result request.Result
	if err == nil {
		if r.Options.Deadline > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, time.Duration(r.Options.Deadline))
			defer cancel()
		}
		t := &turns{Context: ctx}
		result, err = search(qap.WithClock(t, t.now), p, r, func(i request.Incumbent) { host.Call("incumbent", text(i)) })
	}
	if err == nil {
		host.Call("done", text(result))
		return
	}
	host.Call("failed", text(failureOf(request.AsError(err))))
}

// search does what a request says.
func search(ctx context.Context, p *portfolio.Portfolio, r *request.Request, found func(request.Incumbent)) (result request.Result, err error) {
	of, err := r.Subject(ctx, limits)
	if err != nil {
		return result, err
	}
	options, err := r.Options.Portfolio(of)
	if err == nil && of.Aligned == nil {
		err = limits.CheckInstance(of.Size())
	}
	if err == nil && of.Aligned == nil {
		err = p.Check(options)
	}
	if err != nil {
		return result, err
	}
	options.Threads = 1
	return of.Search(ctx, p, options, found)
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

package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/rgmtest"
	"github.com/rgm-go/rgm/serve"
)

// timedLimit is the time limit of timedCases.
const timedLimit = 400 * time.Millisecond

// timedCases use the whole of their limit.
func timedCases() []doorCase {
	a, b := edgeLists(600)
	options := map[string]any{"time_limit": timedLimit.String()}
	return []doorCase{{name: "QAPLIB", qaplib: "tai60a", options: options}, {name: "graphs", format: "edges", files: [2]string{a, b}, options: options}}
}

// TestDoorsKeepTheTime: a time limit is used by every door, and ends the search there. How far each is from it,
// BenchmarkDoors says.
func TestDoorsKeepTheTime(t *testing.T) {
	d := openDoors(t)
	for _, c := range timedCases() {
		for door, ask := range d.each(t, &c) {
			began := time.Now()
			ask()
			if took := time.Since(began); took < timedLimit*9/10 || took > timedLimit+30*time.Second {
				t.Errorf("%s, %s: it took %v, the limit is %v", c.name, door, took, timedLimit)
			}
		}
	}
}

// BenchmarkDoors is the time from call to answer under a limit of 400 ms, on a quiet machine.
func BenchmarkDoors(b *testing.B) {
	d := &doors{solver: rgmtest.Open(b)}
	d.handler = serve.NewHandler(d.solver, serve.Options{})
	defer func() {
		if err := d.handler.Close(); err != nil {
			b.Error(err)
		}
	}()
	for _, c := range timedCases() {
		for door, ask := range d.each(b, &c) {
			b.Run(fmt.Sprint(c.name, "/", door), func(b *testing.B) {
				for b.Loop() {
					ask()
				}
			})
		}
	}
}

// each returns the doors of Go, each asking a case.
func (d *doors) each(t testing.TB, c *doorCase) map[string]func() {
	return map[string]func(){
		"command line": func() { d.commandLine(t, c) }, "HTTP": func() { d.http(t, c) }, "C": func() { d.c(t, c) }, "Go": func() { d.goes(t, c) },
	}
}

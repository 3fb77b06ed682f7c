// Command nodes fits what package confidence says of nodes that are compared by themselves, points that a transform takes to others and
// records, on generated pairs whose truth is known, and measures on kinds of pairs that neither the fit nor any choice saw whether it is
// kept.
//
//	go -C lab run ./calibrate/nodes         # the tables of docs/MATCHING.md, on the kinds held out
//	go -C lab run ./calibrate/nodes -fit    # qap/confidence/assigned_coefficients.go anew, and how well it does on fresh pairs of its kinds
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"slices"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/compare"
	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/lab/calibrate/reliability"
	"github.com/rgm-go/rgm/qap"
)

func main() {
	log.SetFlags(0)
	fitting := flag.Bool("fit", false, "fit, and write what was fitted")
	count := flag.Int("pairs", 60, "of each kind")
	seed := flag.Uint64("seed", 1, "of the pairs")
	out := flag.String("out", "../qap/confidence/assigned_coefficients.go", "file of what is fitted")
	flag.Parse()
	rows, err := find(slices.DeleteFunc(kinds(), func(k kind) bool { return k.held == *fitting }), *count, *seed)
	if err == nil && *fitting {
		err = fit(rows, *out)
	} else if err == nil {
		table(rows)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// row is a match.
type row struct {
	kind     string
	pair     int
	places   bool
	x        []float64
	told     float64
	right    bool
	rivalled bool // another transform is as good
}

// find matches pairs.
func find(kinds []kind, count int, seed uint64) ([]row, error) {
	solver, err := rgm.Open(rgm.Config{})
	if err != nil {
		return nil, err
	}
	defer solver.Close()
	all := make([][]row, len(kinds)*count)
	parallel.For(len(all), func(j int) {
		var err error
		if all[j], err = match(solver, kinds[j/count], j%count, seed); err != nil {
			log.Print(err)
		}
	})
	return slices.Concat(all...), nil
}

// match matches a pair, and tells what is known of each match; nothing where it is matched in another way.
func match(solver *rgm.Solver, k kind, number int, seed uint64) (rows []row, err error) {
	rng := reliability.Random(seed, k.name, number)
	g1, g2, truth := k.draw(rng)
	ctx := context.Background()
	p, err := solver.PrepareMatch(ctx, g1, g2, rgm.Options{Seed: uint64(number), Unlogged: true})
	if err != nil {
		return nil, fmt.Errorf("%s, %d: %w", k.name, number, err)
	}
	if p.Nodes == nil {
		return nil, nil
	}
	m := p.Nodes.Match(ctx, false)
	evidence, told := p.Nodes.Evidence(ctx, m), p.Nodes.Confidence(ctx, m)
	for i, x := range evidence {
		if m[i] == qap.Unmatched {
			continue
		}
		one := row{kind: k.name, pair: number, x: x, told: told[i], right: m[i] == truth[i]}
		var places *compare.Places
		if places, one.places = p.Nodes.(*compare.Places); one.places {
			one.rivalled = places.Agreeing(i, m[i]) < 1
		}
		rows = append(rows, one)
	}
	return rows, nil
}

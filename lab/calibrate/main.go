// Command calibrate fits the maps of package confidence on generated pairs whose truth is known, and measures on kinds
// of pairs that neither the fit nor any choice saw whether they are kept: of matches told with .9, nine of ten are right.
//
//	go -C lab run ./calibrate            # the table of docs/MATCHING.md, on the kinds held out
//	go -C lab run ./calibrate -fit       # the coefficients of qap/confidence anew; -of alignments, theirs alone
//	go -C lab run ./calibrate -cores     # what is left out of graphs with nodes of their own, and without
//	go -C lab run ./calibrate -cross     # how well maps do on kinds of the fit that they were not fitted on
package main

import (
	"context"
	"encoding/gob"
	"flag"
	"log"
	"os"
	"slices"
	"sync"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/compare"
	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/lab/calibrate/reliability"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/models/propagation"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
	"github.com/rgm-go/rgm/qap/confidence"
)

func main() {
	log.SetFlags(0)
	fitting := flag.Bool("fit", false, "fit the maps, and write them to ../qap/confidence")
	crossing := flag.Bool("cross", false, "fit them on most kinds, and measure on the others, in turns")
	coring := flag.Bool("cores", false, "measure what is left out of graphs with nodes of their own, and without")
	count := flag.Int("pairs", 60, "of each kind")
	seed := flag.Uint64("seed", 1, "of the pairs")
	of := flag.String("of", "", "affinities, learned or alignments: these alone")
	keep := flag.String("keep", "", "file of the matches, which are found anew where it is not there")
	flag.Parse()
	kinds := slices.DeleteFunc(all(), func(k kind) bool { return k.held == (*fitting || *crossing) })
	if *of != "" {
		kinds = slices.DeleteFunc(kinds, func(k kind) bool { return sources[k.of] != *of })
	}
	if *coring {
		kinds = cores()
	}
	rows, err := found(*keep, kinds, *count, *seed)
	switch {
	case err != nil:
	case *coring:
		tableOfCores(rows)
	case *crossing:
		cross(rows)
	case *fitting:
		err = fit(rows, "../qap/confidence")
	default:
		table(rows)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// found returns the matches of pairs of some kinds, those of a file where it has them; it is written then.
func found(file string, kinds []kind, count int, seed uint64) (rows []row, err error) {
	var kept []row
	if f, err := os.Open(file); err == nil {
		defer f.Close()
		if err := gob.NewDecoder(f).Decode(&kept); err != nil {
			return nil, err
		}
	}
	of := map[string][]row{}
	for _, r := range kept {
		of[r.Kind] = append(of[r.Kind], r)
	}
	fresh, err := find(slices.DeleteFunc(slices.Clone(kinds), func(k kind) bool { return of[k.name] != nil }), count, seed)
	if err != nil {
		return nil, err
	}
	for _, r := range fresh {
		of[r.Kind] = append(of[r.Kind], r)
	}
	for _, k := range kinds {
		rows = append(rows, of[k.name]...)
	}
	if file == "" || len(fresh) == 0 {
		return rows, nil
	}
	f, err := os.Create(file)
	if err != nil {
		return rows, err
	}
	defer f.Close()
	return rows, gob.NewEncoder(f).Encode(rows)
}

// row is a match.
type row struct {
	Kind  string
	Model string
	Of    source
	Pair  int
	X     []float64
	Brief []float64 // what is known of an alignment without a walk
	Told  confidence.Told
	Is    is
	Out   bool // it is left out
	True  int  // pairs of nodes that match
}

// is says what is true of a match: it is right, or wrong, or a node of it has no partner.
type is int

const (
	wrong is = iota
	right
	alone
)

// find matches pairs of kinds, in an order that does not depend on how many processors there are.
func find(kinds []kind, count int, seed uint64) ([]row, error) {
	solver, err := rgm.Open(rgm.Config{})
	if err != nil {
		return nil, err
	}
	defer solver.Close()
	all := make([][]row, len(kinds)*count)
	parallel.For(len(all), func(j int) {
		k := kinds[j/count]
		if j%count == 0 {
			log.Print(k.name)
		}
		var err error
		if all[j], err = match(solver, k, j%count, seed); err != nil {
			log.Printf("%s: %v", k.name, err)
		}
	})
	return slices.Concat(all...), nil
}

// match matches a pair, and tells what is known of each match. Steps bound searches, so that a busy machine finds the same.
func match(solver *rgm.Solver, k kind, number int, seed uint64) (rows []row, err error) {
	rng := reliability.Random(seed, k.name, number)
	s, err := k.draw(rng)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	o := rgm.Options{Method: rgm.MethodRegrow, MaxSteps: int(statistics.LogBetween(100, 1000, rng)), Threads: 1, Seed: uint64(number), Unlogged: true}
	switch {
	case k.of == learned:
		o.Affinity = rgm.AffinityLearned
	case k.of == aligned:
		o.MaxSteps, o.Method = int(statistics.LogBetween(10_000, 200_000, rng)), rgm.MethodAlign
	}
	in := s.instance
	var alignment *compare.Alignment
	if in == nil {
		p, err := solver.PrepareMatch(ctx, &s.g1, &s.g2, o)
		if err != nil {
			return nil, err
		}
		in, alignment = p.Instance, p.Alignment
	}
	var m qap.Matching
	var xs, brief [][]float64
	told := make([]confidence.Told, len(s.truth))
	if alignment != nil {
		network, err := propagated()
		if err != nil {
			return nil, err
		}
		how := align.Options{Limits: qap.Limits{MaxSteps: o.MaxSteps}, Seed: o.Seed, Starts: []align.Start{network.Start()}}
		r, err := align.Solve(ctx, &alignment.Problem, how)
		if err != nil {
			return nil, err
		}
		m = r.Matching
		a := align.Assess(ctx, &alignment.Problem, m)
		xs, brief = a.Inputs(true), a.Inputs(false)
		for i, m := range a.Matches {
			told[i] = m.Told
		}
	} else {
		r, err := solver.Solve(ctx, in, o)
		if err != nil {
			return nil, err
		}
		m = r.Matching
		xs = confidence.Evidence(ctx, in, m)
		if look := confidence.Of(ctx, in, m, k.of == learned); look != nil {
			told = look.Told
		}
	}
	taken := slices.Clone(s.truth)
	slices.Sort(taken)
	for i, x := range xs {
		if x == nil {
			continue
		}
		one := row{Kind: k.name, Model: k.model, Of: k.of, Pair: number, X: x, Told: told[i], True: s.truth.Size()}
		if brief != nil {
			one.Brief = brief[i]
		}
		_, partner := slices.BinarySearch(taken, m[i])
		switch {
		case m[i] == s.truth[i]:
			one.Is = right
		case s.truth[i] == qap.Unmatched || !partner:
			one.Is = alone
		}
		rows = append(rows, one)
	}
	return rows, nil
}

// propagated is the pretrained belief propagation, which alignments have.
var propagated = sync.OnceValues(func() (*propagation.Network, error) {
	data, err := pretrained.Model(pretrained.Align)
	if err != nil {
		return nil, err
	}
	return propagation.Load(data)
})

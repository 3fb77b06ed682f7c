// Command calibrate fits the maps of package confidence on generated pairs whose truth is known, and measures on kinds
// of pairs that neither the fit nor any choice saw whether they are kept: of matches told with .9, nine of ten are right.
//
//	go -C lab run ./calibrate            # the table of docs/MATCHING.md, on the kinds held out
//	go -C lab run ./calibrate -fit       # qap/confidence/coefficients.go anew, and how well the fit does on fresh pairs
package main

import (
	"context"
	"encoding/gob"
	"flag"
	"log"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/qap/align"
	"github.com/rgm-go/rgm/qap/confidence"
)

func main() {
	log.SetFlags(0)
	fitting := flag.Bool("fit", false, "fit the maps, and write them")
	count := flag.Int("pairs", 60, "of each kind, times its share where maps are fitted")
	seed := flag.Uint64("seed", 1, "of the pairs")
	keep := flag.String("keep", "", "file of what was found, to be used again")
	only := flag.String("only", "", "kinds alone, with commas between; their pairs come to those that are kept")
	out := flag.String("out", "../qap/confidence/coefficients.go", "file of the maps")
	flag.Parse()
	kinds := all()
	var rows []row
	if f, err := os.Open(*keep); err == nil {
		if err := gob.NewDecoder(f).Decode(&rows); err != nil {
			log.Fatal(err)
		}
	}
	if rows == nil || *only != "" {
		var chosen []kind
		for _, k := range kinds {
			if *only != "" && !slices.Contains(strings.Split(*only, ","), k.name) || *only == "" && k.held == *fitting {
				continue
			}
			chosen = append(chosen, k)
		}
		rows = append(rows, find(chosen, *count, *seed, *fitting)...)
		if *keep != "" {
			f, err := os.Create(*keep)
			if err == nil {
				err = gob.NewEncoder(f).Encode(rows)
			}
			if err != nil {
				log.Fatal(err)
			}
			f.Close()
		}
	}
	if *fitting && (*only == "" || *keep == "") {
		if err := fit(rows, *out); err != nil {
			log.Fatal(err)
		}
		return
	}
	table(rows)
}

// row is a match.
type row struct {
	Kind    string
	Pair    int
	Aligned bool
	X       []float64
	Told    float64 // by the maps as they are
	Sure    bool
	Right   bool
}

// steps bounds searches, so that a busy machine finds the same.
const stepsOfAlignment, stepsOfAffinities = 50_000, 400

// find matches pairs.
func find(kinds []kind, count int, seed uint64, shares bool) (rows []row) {
	type job struct{ kind, pair int }
	jobs := make(chan job)
	var mutex sync.Mutex
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for j := range jobs {
				found, err := match(kinds[j.kind], j.pair, seed)
				if err != nil {
					log.Printf("%s: %v", kinds[j.kind].name, err)
					continue
				}
				mutex.Lock()
				rows = append(rows, found...)
				mutex.Unlock()
			}
		})
	}
	for k := range kinds {
		n := count
		if shares {
			n = int(float64(count) * kinds[k].share)
		}
		began := time.Now()
		for p := range n {
			jobs <- job{k, p}
		}
		log.Printf("%s: %d pairs, %.1f s", kinds[k].name, n, time.Since(began).Seconds())
	}
	close(jobs)
	wait.Wait()
	return rows
}

// match matches a pair, and tells what is known of each match.
func match(k kind, number int, seed uint64) (rows []row, err error) {
	rng := rand.New(rand.NewPCG(seed, uint64(number)<<16+hash(k.name)))
	s, err := k.draw(rng)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	solver, err := rgm.Open(rgm.Config{})
	if err != nil {
		return nil, err
	}
	defer solver.Close()
	o := rgm.Options{Method: rgm.MethodRegrow, MaxSteps: stepsOfAffinities, Threads: 1, Seed: uint64(number)}
	var p *rgm.Problem
	if s.instance != nil {
		p, err = solver.Prepare(s.instance, o)
	} else {
		if s.g1.Edges != nil && s.g1.Features == nil {
			o.MaxSteps, o.Method = stepsOfAlignment, ""
		}
		p, err = solver.PrepareMatch(ctx, &s.g1, &s.g2, o)
	}
	if err != nil {
		return nil, err
	}
	r, err := p.Search(ctx)
	if err != nil {
		return nil, err
	}
	var xs [][]float64
	var sure []bool
	told := make([]float64, r.N1)
	if p.Alignment != nil {
		a := align.Assess(ctx, &p.Alignment.Problem, r.Matching)
		xs = a.Inputs()
		for i, m := range a.Matches {
			sure = append(sure, m.Sure)
			told[i] = m.Confidence
		}
	} else {
		xs = confidence.Evidence(ctx, p.Instance, r.Matching)
		told = confidence.Of(ctx, p.Instance, r.Matching)
	}
	for i, x := range xs {
		if x == nil {
			continue
		}
		one := row{Kind: k.name, Pair: number, Aligned: p.Alignment != nil, X: x, Told: told[i], Right: r.Matching[i] == s.truth[i]}
		one.Sure = sure != nil && sure[i]
		rows = append(rows, one)
	}
	return rows, nil
}

func hash(text string) (h uint64) {
	for _, c := range text {
		h = h*31 + uint64(c)
	}
	return h % (1 << 16)
}

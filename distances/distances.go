// Package distances computes edit distances between many graphs: all pairs, or those nearest to one of them. Bounds by one
// assignment come first, so that of the pairs that cannot matter none is searched; pairs are shared out among processors,
// each of which has one edit.Solver. A result for each pair has a cost that edits reach and a lower bound, whatever the
// limits.
package distances

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rgm-go/rgm/datasets/costs"
	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/edit"
)

// Options are how long to search, and for what. The zero value proves every distance.
type Options struct {
	TimeLimit time.Duration // of each pair; 0 is none
	MaxSteps  int           // of each pair; 0 is none
	Seed      uint64
	Threads   int // processors (all); without a TimeLimit results are the same on any number

	// Within, if not nil, is the distance that matters: of pairs that are farther apart this alone is found.
	Within *float64
}

// Pair is what is known of the distance of two graphs of a collection.
type Pair struct {
	I, J   int
	Cost   float64 // of edits that were found
	Lower  float64 // no edits cost less
	Status qap.Status
	Steps  int
}

// Proved reports whether the distance is known.
func (p *Pair) Proved() bool { return p.Status == qap.Optimal }

// search finds one distance.
func (o *Options) search(ctx context.Context, s *edit.Solver, problem func(i, j int) (*costs.Problem, error), i, j int) (Pair, error) {
	p, err := problem(i, j)
	if err != nil {
		return Pair{}, err
	}
	options := edit.Options{TimeLimit: o.TimeLimit, MaxSteps: o.MaxSteps, Seed: o.Seed}
	if o.Within != nil {
		options.HasWithin, options.Within = true, p.Units(*o.Within)
	}
	r, err := s.Solve(ctx, &p.Problem, options)
	return Pair{I: i, J: j, Cost: p.Of(r.Cost), Lower: p.Lower(r.Lower), Status: r.Status, Steps: r.Steps}, err
}

func (o *Options) threads() int { return cmp.Or(o.Threads, runtime.GOMAXPROCS(0)) }

// blockPairs are worked on by one processor at a time, fewer where there are few.
const blockPairs = 64

// All finds the distances of all pairs but those that are known by their numbers (see Place), and tells report of them: one
// call at a time, in no order, from any goroutine. Where ctx ends, or report returns an error, it returns that error; what
// was not reported was not found.
func All(ctx context.Context, c *costs.Collection, known func(number int) bool, o Options, report func([]Pair) error) error {
	return each(ctx, c, Pairs(c.Len()), Place, known, o, report)
}

// Between finds the distances of the first graphs of a collection, so many, to all the others, and tells report of them as All.
func Between(ctx context.Context, c *costs.Collection, first int, o Options, report func([]Pair) error) error {
	others := c.Len() - first
	place := func(number int) (i, j int) { return number / others, first + number%others }
	return each(ctx, c, first*others, place, nil, o, report)
}

// each finds the distances of so many pairs.
func each(ctx context.Context, c *costs.Collection, end int, place func(int) (i, j int), known func(int) bool, o Options, report func([]Pair) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	block := max(1, min(blockPairs, end/(8*o.threads())))
	var next atomic.Int64
	var telling sync.Mutex
	var workers parallel.Group
	for range o.threads() {
		workers.Go(func() {
			var s edit.Solver
			found := make([]Pair, 0, block)
			for ctx.Err() == nil {
				from := int(next.Add(int64(block))) - block
				if from >= end {
					return
				}
				found = found[:0]
				for k := from; k < min(from+block, end); k++ {
					if known != nil && known(k) {
						continue
					}
					i, j := place(k)
					p, err := o.search(ctx, &s, c.Problem, i, j)
					if err != nil {
						cancel(err)
						return
					}
					if p.Status.Interrupted() {
						break
					}
					found = append(found, p)
				}
				telling.Lock()
				err := report(found)
				telling.Unlock()
				if err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}

// Pairs returns how many pairs n graphs have.
func Pairs(n int) int { return n * (n - 1) / 2 }

// Number returns the number of the pair i, j, where j < i: 0 for 1, 0; then 2, 0; 2, 1; 3, 0; …
func Number(i, j int) int { return Pairs(i) + j }

// Place returns the pair of a number, i > j.
func Place(number int) (i, j int) {
	i = int((1 + math.Sqrt(1+8*float64(number))) / 2)
	for Pairs(i) > number {
		i--
	}
	for Pairs(i+1) <= number {
		i++
	}
	return i, number - Pairs(i)
}

// Neighbours are the graphs of a collection that are nearest to one of it.
type Neighbours struct {
	Pairs    []Pair // I is the one; by cost, then by number
	Searched int    // graphs that one assignment did not rule out
	// Certified tells that no other graph is nearer than any of these, and that these are in order.
	Certified bool
}

// Nearest finds the count graphs nearest to one. Where ctx ends, the best that are known come back, not certified.
func Nearest(ctx context.Context, c *costs.Collection, to, count int, o Options) (Neighbours, error) {
	if count < 1 {
		return Neighbours{}, errors.New("no neighbours are wanted: want one at least")
	}
	all, err := bounds(ctx, c, to, &o)
	if err != nil {
		return Neighbours{}, err
	}
	slices.SortFunc(all, func(p, q Pair) int {
		return cmp.Or(cmp.Compare(p.Lower, q.Lower), cmp.Compare(p.Cost, q.Cost), cmp.Compare(p.J, q.J))
	})
	count = min(count, len(all))
	n := nearest{count: count}
	var s = make([]edit.Solver, o.threads())
	for begin := 0; begin < len(all) && ctx.Err() == nil; begin += len(s) {
		block := all[begin:min(begin+len(s), len(all))]
		if block[0].Lower > n.limit() { // and all after it
			break
		}
		errs := make([]error, len(block))
		limit := n.limit()
		parallel.For(len(block), func(k int) {
			if block[k].Proved() || block[k].Lower > limit {
				return
			}
			of := o
			if !math.IsInf(limit, 1) && (of.Within == nil || limit < *of.Within) {
				of.Within = &limit
			}
			var p Pair
			p, errs[k] = of.search(ctx, &s[k], c.Problem, to, block[k].J)
			if errs[k] == nil && p.Status == qap.Target && p.Cost <= limit && p.Lower < p.Cost { // near enough to be told exactly
				of = o
				p, errs[k] = of.search(ctx, &s[k], c.Problem, to, block[k].J)
			}
			block[k] = p
		})
		if err := errors.Join(errs...); err != nil {
			return Neighbours{}, err
		}
		n.searched += len(block)
		for _, p := range block {
			n.add(p)
		}
	}
	return n.result(ctx, all), nil
}

// bounds returns what one assignment tells of the distances to one graph.
func bounds(ctx context.Context, c *costs.Collection, to int, o *Options) ([]Pair, error) {
	all := make([]Pair, c.Len())
	threads := o.threads()
	errs := make([]error, threads)
	parallel.For(threads, func(t int) {
		var s edit.Solver
		for j := t; j < len(all) && ctx.Err() == nil && errs[t] == nil; j += threads {
			if j == to {
				continue
			}
			p, err := c.Problem(to, j)
			if err != nil {
				errs[t] = err
				return
			}
			lower, cost, err := s.Bound(&p.Problem)
			errs[t] = err
			all[j] = Pair{I: to, J: j, Cost: p.Of(cost), Lower: p.Lower(lower)}
			if lower == cost {
				all[j].Status = qap.Optimal
			}
		}
	})
	if err := errors.Join(append(errs, ctx.Err())...); err != nil {
		return nil, err
	}
	return slices.Delete(all, to, to+1), nil
}

// nearest are the best so far.
type nearest struct {
	count    int
	searched int
	pairs    []Pair // by cost
}

// limit returns what a graph must be nearer than, or as near as.
func (n *nearest) limit() float64 {
	if len(n.pairs) < n.count {
		return math.Inf(1)
	}
	return n.pairs[n.count-1].Cost
}

func (n *nearest) add(p Pair) {
	at, _ := slices.BinarySearchFunc(n.pairs, p, func(p, q Pair) int {
		return cmp.Or(cmp.Compare(p.Cost, q.Cost), cmp.Compare(p.J, q.J))
	})
	n.pairs = slices.Insert(n.pairs, at, p)
}

func (n *nearest) result(ctx context.Context, all []Pair) Neighbours {
	r := Neighbours{Pairs: n.pairs[:min(n.count, len(n.pairs))], Searched: n.searched, Certified: ctx.Err() == nil && len(n.pairs) >= n.count}
	chosen := map[int]bool{}
	for _, p := range r.Pairs {
		r.Certified = r.Certified && p.Proved()
		chosen[p.J] = true
	}
	for _, p := range all {
		r.Certified = r.Certified && (chosen[p.J] || p.Lower >= n.limit())
	}
	return r
}

package quality

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/compare"
	"github.com/rgm-go/rgm/datasets/graphs"
	models "github.com/rgm-go/rgm/datasets/networks"
	"github.com/rgm-go/rgm/internal/cputime"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
	"github.com/rgm-go/rgm/qap/auto"
)

// sharesOfTime are the parts of the limit at which TestThreads compares.
var sharesOfTime = []float64{0.25, 0.5, 1}

// TestThreads prints how much sooner two threads have the mean cost that one has: the time of one over that of two, at
// parts of the limit and in their geometric mean, and after them those costs in % above the best of all runs.
// RGM_TEST_THREADS lists instances as RGM_TEST_SEARCHES does, and alignments with copies that lose edges:
// align:FILE:share or align:geometric,nodes,degree:share, with :draws behind for so many graphs, one a seed. …_TIME is the limit and …_SEEDS how many runs;
// …_CLOCK=wall measures by the clock on the wall, which wants a quiet machine, not by the processor time of each
// thread. …_NUMBER is how many threads, 2.
func TestThreads(t *testing.T) {
	names := os.Getenv("RGM_TEST_THREADS")
	if names == "" {
		t.Skip("it takes minutes: RGM_TEST_THREADS names the instances")
	}
	limit := must.Get(time.ParseDuration(os.Getenv("RGM_TEST_THREADS_TIME")))(t)
	seeds := must.Get(strconv.Atoi(os.Getenv("RGM_TEST_THREADS_SEEDS")))(t)
	number := 2
	if text := os.Getenv("RGM_TEST_THREADS_NUMBER"); text != "" {
		number = must.Get(strconv.Atoi(text))(t)
	}
	for name := range strings.SplitSeq(names, " ") {
		name, run := searchOf(t, name)
		var curves [2][]curve // by one thread and by several
		best := math.Inf(1)
		for seed := range seeds {
			for side, threads := range []int{1, number} {
				c := record(t, run, threads, limit, uint64(seed))
				curves[side], best = append(curves[side], c), min(best, c.last())
			}
		}
		fmt.Println(rowOf(name, curves, limit, best))
	}
}

// searchOf returns what a name in TestThreads stands for.
func searchOf(t *testing.T, name string) (string, sharedRun) {
	if of, ok := strings.CutPrefix(name, "align:"); ok {
		return filepath.Base(name), alignment(t, of)
	}
	in := must.Get(instancesOf(name))(t)[0]
	return in.Name, func(ctx context.Context, threads int, o qap.Options) (float64, error) {
		r, err := auto.Solver{Threads: threads}.Solve(ctx, in, o)
		return r.Score, err
	}
}

// sharedRun runs a search by a number of threads, and returns its score.
type sharedRun func(ctx context.Context, threads int, o qap.Options) (float64, error)

// alignment returns the search that aligns a graph with a copy that loses edges, of draw after draw of a generated graph for
// seed after seed. Scores are shares of their bounds.
func alignment(t *testing.T, name string) sharedRun {
	of, text, _ := strings.Cut(name, ":")
	text, count, _ := strings.Cut(text, ":")
	removed := must.Get(strconv.ParseFloat(text, 64))(t)
	draws := 1
	if count != "" {
		draws = must.Get(strconv.Atoi(count))(t)
	}
	var all []*align.Problem
	for draw := range uint64(draws) {
		g := graphOf(t, of, draw+1)
		copied, _ := models.Noise{Removed: removed, Seed: draw + 1}.Copy(g)
		all = append(all, &align.Problem{A: must.Get(compare.Structure(&g))(t), B: must.Get(compare.Structure(&copied))(t)})
	}
	return func(ctx context.Context, threads int, o qap.Options) (float64, error) {
		p := all[o.Seed%uint64(draws)]
		bound, tell := float64(p.Bound()), o.OnBest
		r, err := align.Solve(ctx, p, align.Options{Limits: o.Limits, Seed: o.Seed, Threads: threads, OnBest: func(b qap.Incumbent) {
			b.Score /= bound
			tell(b)
		}})
		return r.Objective / bound, err
	}
}

// graphOf returns the graph of a file, or a draw of a generated one.
func graphOf(t *testing.T, name string, draw uint64) graphs.Graph {
	kind, rest, generated := strings.Cut(name, ",")
	if !generated {
		return must.Get(graphs.Open(name))(t)
	}
	var nodes int
	var degree float64
	must.Get(fmt.Sscanf(rest, "%d,%g", &nodes, &degree))(t)
	return must.Get(models.Generate(kind, nodes, degree, draw))(t)
}

// rowOf returns a row of the table of TestThreads.
func rowOf(name string, curves [2][]curve, limit time.Duration, best float64) string {
	row, mean, gaps := fmt.Sprintf("| %s | %v |", name, limit), 1.0, ""
	for _, share := range sharesOfTime {
		at := time.Duration(share * float64(limit))
		cost := meanAt(curves[0], at)
		ratio := float64(at) / float64(timeTo(func(t time.Duration) float64 { return meanAt(curves[1], t) }, cost, 4*limit))
		mean *= math.Pow(ratio, 1/float64(len(sharesOfTime)))
		row += fmt.Sprintf(" %.2f |", ratio)
		gaps += fmt.Sprintf(" %.3f %.3f |", 100*(cost-best)/math.Abs(best), 100*(meanAt(curves[1], at)-best)/math.Abs(best))
	}
	return row + fmt.Sprintf(" %.2f |", mean) + gaps
}

// curve is the costs that a run found, and when.
type curve []found

type found struct {
	at   time.Duration
	cost float64
}

func (c curve) last() float64 { return c[len(c)-1].cost }

// at returns the best cost by a time, of the first one before there was any.
func (c curve) at(t time.Duration) float64 {
	cost := c[0].cost
	for _, f := range c {
		if f.at > t {
			break
		}
		cost = f.cost
	}
	return cost
}

func meanAt(all []curve, t time.Duration) float64 {
	sum := 0.0
	for _, c := range all {
		sum += c.at(t)
	}
	return sum / float64(len(all))
}

// timeTo returns when a curve comes to a cost, at the latest some time.
func timeTo(at func(time.Duration) float64, cost float64, latest time.Duration) time.Duration {
	least, most := time.Microsecond, latest
	for most > least*101/100 {
		if middle := time.Duration(math.Sqrt(float64(least) * float64(most))); at(middle) <= cost {
			most = middle
		} else {
			least = middle
		}
	}
	return most
}

// record runs a search and returns its curve.
func record(t *testing.T, run sharedRun, threads int, limit time.Duration, seed uint64) curve {
	t.Helper()
	now := func() time.Time { return time.Unix(0, cputime.Clock().UnixNano()/int64(threads)) }
	if os.Getenv("RGM_TEST_THREADS_CLOCK") == "wall" {
		now = time.Now
	}
	var c curve
	begin := now()
	o := qap.Options{Seed: seed, Limits: qap.Limits{TimeLimit: limit * 5 / 4}, OnBest: func(best qap.Incumbent) {
		c = append(c, found{now().Sub(begin), -best.Score})
	}}
	score, err := run(qap.WithClock(context.Background(), now), threads, o)
	if err != nil {
		t.Fatal(err)
	}
	return append(c, found{now().Sub(begin), -score})
}

// TestManyThreads prints how much sooner 2, 4, … independent searches would have, in the best of them, the mean cost
// of one: from the curves of …_SEEDS runs of one thread each, at the whole limit. It takes the variables of TestThreads, with
// RGM_TEST_MANY_THREADS for the instances.
func TestManyThreads(t *testing.T) {
	names := os.Getenv("RGM_TEST_MANY_THREADS")
	if names == "" {
		t.Skip("it takes minutes: RGM_TEST_MANY_THREADS names the instances")
	}
	limit := must.Get(time.ParseDuration(os.Getenv("RGM_TEST_THREADS_TIME")))(t)
	seeds := must.Get(strconv.Atoi(os.Getenv("RGM_TEST_THREADS_SEEDS")))(t)
	for name := range strings.SplitSeq(names, " ") {
		name, run := searchOf(t, name)
		var all []curve
		for seed := range seeds {
			all = append(all, record(t, run, 1, limit, uint64(seed)))
		}
		row := fmt.Sprintf("| %s | %v |", name, limit)
		for threads := 2; threads <= seeds; threads *= 2 {
			later := timeTo(func(t time.Duration) float64 { return leastOf(all, threads, t) }, meanAt(all, limit), limit)
			row += fmt.Sprintf(" %.1f |", float64(limit)/float64(later))
		}
		fmt.Println(row)
	}
}

// leastOf returns the mean of the least cost of so many of the curves, over all choices of these.
func leastOf(all []curve, count int, t time.Duration) float64 {
	var costs []float64
	for _, c := range all {
		costs = append(costs, c.at(t))
	}
	slices.Sort(costs)
	mean, left := 0.0, 1.0 // the chance that none of those before is chosen
	for k, cost := range costs {
		chosen := min(1, float64(count)/float64(len(costs)-k)) // if none before is
		mean += left * chosen * cost
		left *= 1 - chosen
	}
	return mean
}

package quality

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/internal/cputime"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/anneal"
	"github.com/rgm-go/rgm/qap/auto"
	"github.com/rgm-go/rgm/qap/classic"
	"github.com/rgm-go/rgm/qap/population"
	"github.com/rgm-go/rgm/qap/tabu"
)

// contestants are the searches that TestSearches compares.
var contestants = map[string]qap.Solver{
	"tabu": tabu.Solver{}, "anneal": anneal.Solver{}, "auto": auto.Solver{},
	"auto on two threads": shared{auto.Solver{Threads: 2}, 2}, "population": population.Solver{},
	"population long": population.Solver{Settings: population.Long()}, "population blocks": population.Solver{Settings: population.Blocks()},
	"population grown": population.Solver{Settings: population.Grown()}, "faq": classic.FAQ{},
}

// shared is a solver on several threads, each of which has the time limit of processor time.
type shared struct {
	qap.Solver
	threads int
}

func (s shared) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	o.TimeLimit *= time.Duration(s.threads)
	return s.Solver.Solve(ctx, in, o)
}

// table is what TestSearches compares, from the environment.
type table struct {
	methods []string
	times   []time.Duration
	seeds   int
	best    *results      // nil: none
	longer  time.Duration // of one more run of anneal, whose result counts as a best; 0: none
}

// TestSearches prints tables of lab/notes/BENCHMARKS.md: the gap in percent, mean over seeds, and
// how many runs had none, by instance and limit of processor time. RGM_TEST_SEARCHES lists
// generated instances, such as mapping:343 or grid:512:2 (the second one drawn), those of the
// kinds that judge, such as torus:144, names of QAPLIB and patterns of files; …_TIMES, …_METHODS and …_SEEDS are what their names say;
// …_BEST is the time of a further run of anneal, or a file of the best results ever found, JSON
// lines of instance, objective and matching: gaps are then to the best of these and of all runs,
// and where a run is better than the file, its result is written there. A search ends early only
// at a value that QAPLIB lists.
func TestSearches(t *testing.T) {
	if os.Getenv("RGM_TEST_SEARCHES") == "" {
		t.Skip("it takes minutes: RGM_TEST_SEARCHES names the instances")
	}
	s := must.Get(tableOf(os.Getenv))(t)
	for name := range strings.SplitSeq(os.Getenv("RGM_TEST_SEARCHES"), ",") {
		instances := must.Get(instancesOf(name))(t)
		for _, in := range instances {
			s.compare(t, in)
		}
	}
}

func tableOf(env func(string) string) (s table, err error) {
	s = table{methods: strings.Split(env("RGM_TEST_SEARCHES_METHODS"), ","), seeds: 1}
	if text := env("RGM_TEST_SEARCHES_SEEDS"); text != "" {
		if s.seeds, err = strconv.Atoi(text); err != nil {
			return s, err
		}
	}
	for text := range strings.SplitSeq(env("RGM_TEST_SEARCHES_TIMES"), ",") {
		limit, err := time.ParseDuration(text)
		if err != nil {
			return s, err
		}
		s.times = append(s.times, limit)
	}
	best := env("RGM_TEST_SEARCHES_BEST")
	if filepath.Ext(best) == ".jsonl" {
		s.best, err = readResults(best)
		return s, err
	}
	if best != "" {
		s.longer, err = time.ParseDuration(best)
	}
	return s, err
}

// instancesOf returns what a name of RGM_TEST_SEARCHES stands for.
func instancesOf(name string) (all []*qap.Instance, err error) {
	if family, rest, generated := strings.Cut(name, ":"); generated {
		size, seed, drawn := strings.Cut(rest, ":")
		if !drawn {
			seed = "1"
		}
		n, err := strconv.Atoi(size)
		if err != nil {
			return nil, err
		}
		draw, err := strconv.ParseUint(seed, 10, 64)
		if err != nil {
			return nil, err
		}
		if _, judges := kinds[family]; judges {
			in, err := judging(family, n, draw)
			return []*qap.Instance{in}, err
		}
		in, err := datasets.Generate(family, n, rand.New(rand.NewPCG(uint64(n), draw)))
		return []*qap.Instance{in}, err
	}
	if !strings.Contains(name, ".") {
		in, err := qaplib.Open(name)
		return []*qap.Instance{in}, err
	}
	files, err := filepath.Glob(name)
	for _, file := range files {
		for in, err := range datasets.Open(file, datasets.Options{}) {
			if err != nil {
				return nil, err
			}
			all = append(all, in)
		}
	}
	if len(all) == 0 && err == nil {
		err = fmt.Errorf("%s: no such file", name)
	}
	return all, err
}

// compare prints the rows of an instance.
func (s *table) compare(t *testing.T, in *qap.Instance) {
	listed, known := qaplib.BestKnown(in.Name)
	run := func(method string, limit time.Duration, seed int) float64 {
		o := qap.Options{Seed: uint64(seed), Limits: qap.Limits{TimeLimit: limit, Target: listed.Value, HasTarget: known}}
		r, err := contestants[method].Solve(qap.WithClock(context.Background(), cputime.Clock), in, o)
		if err == nil {
			err = s.best.add(in, r)
		}
		if err != nil {
			t.Fatal(err)
		}
		return -r.Score
	}
	costs := map[string][]float64{} // by method and time
	for _, limit := range s.times {
		for seed := range s.seeds {
			for _, method := range s.methods {
				key := method + limit.String()
				costs[key] = append(costs[key], run(method, limit, seed))
			}
		}
	}
	all := slices.Concat(slices.Collect(maps.Values(costs))...)
	if s.longer > 0 {
		all = append(all, run("anneal", s.longer, s.seeds))
	}
	best := slices.Min(all)
	if known {
		best = listed.Value
	} else if r, found := s.best.of(in.Name); found {
		best = min(best, r.Objective)
	}
	for _, limit := range s.times {
		row := fmt.Sprintf("| %s | %v |", in.Name, limit)
		for _, method := range s.methods {
			gap, solved, of := 0.0, 0, costs[method+limit.String()]
			for _, c := range of {
				gap += 100 * (c - best) / math.Abs(best) / float64(len(of))
				if c <= best {
					solved++
				}
			}
			row += fmt.Sprintf(" %.4f (%d/%d) |", gap, solved, len(of))
		}
		fmt.Println(row, best)
	}
}

// result is the best that was ever found of an instance, which is minimised. rgm verify checks
// a file of them.
type result struct {
	Instance  string       `json:"instance"`
	Objective float64      `json:"objective"`
	Matching  qap.Matching `json:"matching"`
}

// results are a file of them, in the order of their names.
type results struct {
	file string
	all  []result
}

func readResults(file string) (*results, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r := &results{file: file}
	for line := range strings.Lines(string(data)) {
		var one result
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		r.all = append(r.all, one)
	}
	return r, nil
}

func (r *results) of(name string) (result, bool) {
	if r == nil {
		return result{}, false
	}
	k := slices.IndexFunc(r.all, func(x result) bool { return x.Instance == name })
	if k < 0 {
		return result{}, false
	}
	return r.all[k], true
}

// add keeps what was found, and writes the file, if there is none as good.
func (r *results) add(in *qap.Instance, found qap.Result) error {
	if old, known := r.of(in.Name); r == nil || known && old.Objective <= found.Objective {
		return nil
	}
	r.all = slices.DeleteFunc(r.all, func(x result) bool { return x.Instance == in.Name })
	r.all = append(r.all, result{in.Name, found.Objective, found.Matching})
	slices.SortFunc(r.all, func(x, y result) int { return strings.Compare(x.Instance, y.Instance) })
	var text bytes.Buffer
	for _, one := range r.all {
		line, err := json.Marshal(one)
		if err != nil {
			return err
		}
		text.Write(append(line, '\n'))
	}
	return atomicfile.Write(r.file, func(w io.Writer) error {
		_, err := text.WriteTo(w)
		return err
	})
}

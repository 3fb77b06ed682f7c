package bench

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/statistics"
)

// pagePlan says how a table of the page is measured.
type pagePlan struct {
	name, about string   // about heads the first column
	commands    []string // DATA is the folder of published pairs, WORK one for files
	reduce      func(command string, output []byte) ([]PageRow, error)
	published   []PageRow
}

// The peers of QAPLIB's tables.
const scipyPeers = ` --peer "SciPy FAQ=python3 lab/peers/qap.py faq" --peer "SciPy 2opt=python3 lab/peers/qap.py 2opt"` +
	` --peer "SciPy FAQ then 2opt=python3 lab/peers/qap.py faq-2opt" --peer "SciPy FAQ best of 30=python3 lab/peers/qap.py faq-best"`

var pagePlans = []pagePlan{
	{
		name: "qaplib", about: "gap in %", reduce: reduceQAPLIB,
		commands: []string{`rgm-lab bench qaplib --clock cpu --seeds 8 --time-limits 10ms,100ms --methods auto,population,tabu` + scipyPeers},
	},
	{
		name: "policy", about: "gap in %, one search", reduce: reducePolicy,
		commands: []string{`rgm-lab bench qaplib --rollouts 1 --seeds 4 --methods rgm,greedy-ages,greedy-tabu,greedy`},
	},
	{
		name: "taillard", about: "gap in %", reduce: reduceInstances,
		commands: []string{
			`rgm-lab bench qaplib --classes tai --max-n 256 --clock cpu --seeds 3 --time-limits 1s --methods auto,tabu`,
			`rgm-lab bench qaplib --classes tai --max-n 256 --clock cpu --time-limits 10s --methods auto,tabu`,
			`rgm-lab bench qaplib --classes tai --min-n 40 --max-n 256 --clock cpu --time-limits 60s --methods auto`,
		},
		published: []PageRow{{Row: "Hexaly, as published", Column: "60 s", Mean: 1.1, Digits: 1}},
	},
	{
		name: "keypoints", about: "F1 in %", reduce: reduceMatching,
		commands: []string{
			`rgm-lab bench matching --set willow-outliers --data DATA --pairs 40 --methods profile,rrwm,ipfp,faq --affinities given,learned`,
			`rgm-lab bench matching --set willow-outliers --data DATA --pairs 40 --methods profile --regularize mean:.5,mean,mean:1.6`,
		},
	},
	{
		name: "points", about: "F1 in %", reduce: reduceMatching,
		commands: []string{
			`rgm-lab bench matching --set synthetic --pairs 40 --methods profile,rrwm,ipfp,faq --affinities given,learned`,
			`rgm-lab bench matching --set synthetic --pairs 40 --methods profile --regularize mean:.5,mean,mean:1.6`,
		},
	},
	{
		name: "road", about: "euroroad, 25 % removed", reduce: reduceAlign,
		commands: []string{`rgm-lab bench align --clock cpu --time-limit 1s --removed 0.25 --seed 11 --seeds 5 --methods align,tabu,population,anneal,faq --peer "SciPy FAQ=python3 lab/peers/faq.py" DATA/networks/euroroad.edges`},
	},
	{
		name: "random", about: "random graphs, 30 % changed", reduce: reduceAlign,
		commands: []string{`rgm-lab bench align --generate erdos-renyi --nodes 500 --degree 4 --removed 0.3 --replaced --seed 101 --seeds 12 --starts learned,bp,none --clock cpu --time-limit 10s --peer "SciPy FAQ=python3 lab/peers/faq.py"`},
	},
	{
		name: "isomorphism", about: "isomorphic graphs", reduce: reduceIsomorphism,
		commands: []string{
			`rgm-lab bench align --clock cpu --generate barabasi-albert --nodes 200 --degree 6 --removed 0 --seeds 5 --peer "networkx VF2=python3 lab/peers/vf2.py"`,
			`rgm-lab bench align --clock cpu --generate watts-strogatz --nodes 200 --degree 6 --removed 0 --seeds 5 --peer "networkx VF2=python3 lab/peers/vf2.py"`,
			`rgm-lab bench align --clock cpu --generate erdos-renyi --nodes 200 --degree 6 --removed 0 --seeds 5 --peer "networkx VF2=python3 lab/peers/vf2.py"`,
		},
	},
	{
		name: "distance", about: "edit distance, 1 s a pair", reduce: reduceDistance,
		commands: []string{
			`rgm-lab datasets generate --force --family edits --kinds molecules --nodes 8,16,32 --edits 5 --pairs 10 --seed 26 --name page WORK`,
			`rgm-lab bench distance --clock cpu --time-limits 1s --peer "networkx=python3 lab/peers/distances.py networkx" --peer "SciPy assignment=python3 lab/peers/distances.py assignment" WORK/page_pairs.jsonl`,
		},
	},
}

// decoded calls visit with each line of JSON.
func decoded[Line any](output []byte, visit func(Line)) error {
	lines := json.NewDecoder(bytes.NewReader(output))
	for {
		var line Line
		err := lines.Decode(&line)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		visit(line)
	}
}

// pageNames are the methods in the page's words.
var pageNames = map[string]string{
	"auto": "rgm, the default", "align": "rgm, the default", "rgm": "rgm, the learned policy", "population": "population search alone",
	"tabu": "robust tabu search alone", "anneal": "simulated annealing", "faq": "FAQ", "greedy": "the best step",
	"greedy-tabu": "a tabu list in the network's place", "greedy-ages": "ages in the network's place", "rrwm": "RRWM", "ipfp": "IPFP",
	"profile": "rgm, best of every size",
}

// spread is an error to be shown: none of one value, or of values that all agree.
func spread(v float64) *float64 {
	if v == 0 {
		return nil
	}
	return known(v)
}

func pageName(method string) string {
	if name, ok := pageNames[method]; ok {
		return name
	}
	return method
}

// limitOf is the column of a row of QAPLIB.
func limitOf(r *QAPLIBRow) string {
	if r.TimeLimit == nil {
		return "without a limit"
	}
	limit := time.Duration(*r.TimeLimit * float64(time.Second))
	if limit < time.Second {
		return fmt.Sprintf("%d ms", limit.Milliseconds())
	}
	return fmt.Sprintf("%g s", limit.Seconds())
}

// reduceQAPLIB shows the average over classes, ± over seeds; of peers, which have no limit, in the column "without a limit",
// with their time.
func reduceQAPLIB(_ string, output []byte) ([]PageRow, error) {
	var rows []PageRow
	err := decoded(output, func(r QAPLIBRow) {
		if r.Source != sourceMeasured {
			return
		}
		rows = append(rows, PageRow{Row: pageName(r.Method), Column: limitOf(&r), Mean: r.Average, Error: spread(*cmp.Or(r.AverageSD, new(float64))), Digits: 3})
		if r.TimeLimit == nil {
			rows = append(rows, PageRow{Row: pageName(r.Method), Column: "ms an instance", Mean: 1000 * *r.CPUSecondsPerInstance, Digits: 1})
		}
	})
	return rows, err
}

// reducePolicy shows the average over classes, and over those but chr.
func reducePolicy(_ string, output []byte) ([]PageRow, error) {
	var rows []PageRow
	err := decoded(output, func(r QAPLIBRow) {
		if r.Source != sourceMeasured {
			return
		}
		var without []float64
		for class, gap := range r.Classes {
			if class != "chr" {
				without = append(without, gap)
			}
		}
		name := pageName(r.Method)
		rows = append(rows,
			PageRow{Row: name, Column: "all classes", Mean: r.Average, Error: spread(*cmp.Or(r.AverageSD, new(float64))), Digits: 2},
			PageRow{Row: name, Column: "without `chr`", Mean: statistics.Mean(without), Digits: 2},
			PageRow{Row: name, Column: "ms an instance", Mean: 1000 * *r.CPUSecondsPerInstance, Digits: 1})
	})
	return rows, err
}

// reduceInstances shows the mean over the class tai, ± over seeds where there are several. Instances that a command leaves
// out are at their best known values: the one before reached these in less time.
func reduceInstances(_ string, output []byte) ([]PageRow, error) {
	type cell struct{ row, column string }
	gaps := map[cell][][]float64{} // by seed
	best := map[cell]int{}
	var order []cell
	err := decoded(output, func(r QAPLIBRow) {
		if r.Source != sourceMeasured {
			return
		}
		c := cell{pageName(r.Method), limitOf(&r)}
		if gaps[c] == nil {
			order, gaps[c] = append(order, c), make([][]float64, r.Seeds)
		}
		for _, name := range qaplib.PaperSet(12, 256) {
			if qaplib.Class(name) == "tai" && !slices.ContainsFunc(r.Instances, func(in QAPLIBInstance) bool { return in.Instance == name }) {
				gaps[c][0] = append(gaps[c][0], 0)
				best[c]++
			}
		}
		for _, in := range r.Instances {
			for seed, objective := range in.Objectives {
				gap := 100 * (objective - in.BestKnown) / in.BestKnown
				gaps[c][seed] = append(gaps[c][seed], gap)
				if gap <= 0 && seed == 0 {
					best[c]++
				}
			}
		}
	})
	var rows []PageRow
	for _, c := range order {
		var means []float64
		for _, of := range gaps[c] {
			means = append(means, statistics.Mean(of))
		}
		rows = append(rows, PageRow{Row: c.row, Column: c.column, Mean: statistics.Mean(means), Error: spread(statistics.Deviation(means)), Digits: 3})
	}
	for _, c := range order {
		rows = append(rows, PageRow{Row: c.row, Column: "best known after " + c.column, Mean: float64(best[c])})
	}
	return rows, err
}

// reduceMatching shows F1, ± a standard error over pairs.
func reduceMatching(_ string, output []byte) ([]PageRow, error) {
	var rows []PageRow
	err := decoded(output, func(r MatchingRow) {
		if r.Source != sourceMeasured || r.Average.F1 == nil {
			return
		}
		name, column := pageName(r.Method), "given affinities"
		if r.Affinity != "" {
			column = "learned affinities"
		}
		if r.Regularize != "" {
			name = "regularizer `" + r.Regularize + "`"
		}
		rows = append(rows, PageRow{Row: name, Column: column, Mean: *r.Average.F1, Error: r.Average.F1Error, Digits: 1})
	})
	return rows, err
}

// alignRow sums pairs up.
type alignRow struct {
	name                   string
	shared, right, seconds []float64
}

// alignRows returns the rows of pairs, by method.
func alignRows(output []byte) ([]*alignRow, error) {
	var rows []*alignRow
	err := decoded(output, func(r AlignRow) {
		name := pageName(r.Method)
		switch r.Start {
		case StartLearned:
			name += ", learned start"
		case StartBP:
			name = "belief propagation by hand"
		case StartNone:
			if r.Method == "align" && strings.Contains(string(output), `"start":"`+StartBP) {
				name = "the search alone"
			}
		}
		k := slices.IndexFunc(rows, func(row *alignRow) bool { return row.name == name })
		if k < 0 {
			k, rows = len(rows), append(rows, &alignRow{name: name})
		}
		row := rows[k]
		row.shared = append(row.shared, 100*float64(r.Shared)/float64(r.Truth))
		row.right = append(row.right, 100*r.Right)
		row.seconds = append(row.seconds, r.Seconds)
	})
	return rows, err
}

func reduceAlign(_ string, output []byte) ([]PageRow, error) {
	all, err := alignRows(output)
	var rows []PageRow
	for _, r := range all {
		rows = append(rows,
			PageRow{Row: r.name, Column: "edges shared in %", Mean: statistics.Mean(r.shared), Error: spread(statistics.ErrorOfMean(r.shared)), Digits: 1},
			PageRow{Row: r.name, Column: "nodes right in %", Mean: statistics.Mean(r.right), Error: spread(statistics.ErrorOfMean(r.right)), Digits: 1},
			PageRow{Row: r.name, Column: "s", Mean: statistics.Mean(r.seconds), Digits: 1})
	}
	return rows, err
}

func reduceIsomorphism(command string, output []byte) ([]PageRow, error) {
	all, err := alignRows(output)
	_, kind, _ := strings.Cut(command, "--generate ")
	kind, _, _ = strings.Cut(kind, " ")
	var rows []PageRow
	for _, r := range all {
		rows = append(rows, PageRow{Row: r.name, Column: kind + ", ms", Mean: 1000 * statistics.Mean(r.seconds), Error: spread(1000 * statistics.ErrorOfMean(r.seconds)), Digits: 1})
	}
	return rows, err
}

// reduceDistance shows how often the best edits are found and proved, and by how much they are missed.
func reduceDistance(command string, output []byte) ([]PageRow, error) {
	type sums struct{ best, proved, excess, seconds []float64 }
	of := map[string]*sums{}
	var names []string
	least := map[string]float64{}
	if err := decoded(output, func(c DistanceClaim) {
		if cost, ok := least[c.ID]; !ok || c.Cost < cost {
			least[c.ID] = c.Cost
		}
	}); err != nil || !strings.Contains(command, "bench distance") {
		return nil, err
	}
	share := func(is bool) float64 {
		if is {
			return 100
		}
		return 0
	}
	err := decoded(output, func(c DistanceClaim) {
		name := c.Method // rgm is no network here
		if of[name] == nil {
			names, of[name] = append(names, name), &sums{}
		}
		s := of[name]
		s.best = append(s.best, share(c.Cost <= least[c.ID] || same(c.Cost, least[c.ID])))
		s.proved = append(s.proved, share(c.Proved))
		s.excess = append(s.excess, c.Cost-least[c.ID])
		s.seconds = append(s.seconds, c.Seconds)
	})
	var rows []PageRow
	for _, name := range names {
		s := of[name]
		rows = append(rows,
			PageRow{Row: name, Column: "best edits found, %", Mean: statistics.Mean(s.best), Digits: 0},
			PageRow{Row: name, Column: "edits too many", Mean: statistics.Mean(s.excess), Error: spread(statistics.ErrorOfMean(s.excess)), Digits: 2},
			PageRow{Row: name, Column: "proved, %", Mean: statistics.Mean(s.proved), Digits: 0},
			PageRow{Row: name, Column: "ms a pair", Mean: 1000 * statistics.Mean(s.seconds), Digits: int(math.Max(0, 2-math.Floor(math.Log10(1000*statistics.Mean(s.seconds)))))})
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s printed nothing", command)
	}
	return rows, err
}

package qaplib

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/rgm-go/rgm/qap"
)

// Best is the best known solution of a QAPLIB instance.
type Best struct {
	Value    float64      // cost Σ A[i,j]·B[m(i),m(j)], the smallest known
	Optimal  bool         // whether Value is proved to be the smallest
	Matching qap.Matching // costs Value; nil where none is at hand
	Source   string       // of the matching (see qaplib/README.md)
}

// BestKnown returns the best known solution of the QAPLIB instance of that name,
// and whether there is one. Proofs of optimality are followed up to December 2021.
func BestKnown(name string) (Best, bool) {
	best, ok := bestKnown()[name]
	best.Matching = best.Matching.Clone()
	return best, ok
}

// Gap returns how far an objective is from the best known one, in percent:
// 100·(objective − best)/|best|. It is undefined, and ok is false, where the best
// is 0.
func Gap(objective, best float64) (percent float64, ok bool) {
	if best == 0 {
		return 0, false
	}
	return 100 * (objective - best) / math.Abs(best), true
}

//go:embed best_known.csv
var bestKnownCSV string

var bestKnown = sync.OnceValue(func() map[string]Best {
	table, err := parseBestKnown(bestKnownCSV)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return table
})

// parseBestKnown reads lines of name, value, optimal, source, matching, below a
// line of headings.
func parseBestKnown(text string) (map[string]Best, error) {
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("datasets: best_known.csv: %w", err)
	}
	table := make(map[string]Best, len(lines))
	for _, fields := range lines[1:] {
		best := Best{Source: fields[3]}
		if best.Value, err = strconv.ParseFloat(fields[1], 64); err != nil {
			return nil, fmt.Errorf("datasets: best_known.csv: %s: %w", fields[0], err)
		}
		if best.Optimal, err = strconv.ParseBool(fields[2]); err != nil {
			return nil, fmt.Errorf("datasets: best_known.csv: %s: %w", fields[0], err)
		}
		for _, word := range strings.Fields(fields[4]) {
			a, err := strconv.Atoi(word)
			if err != nil {
				return nil, fmt.Errorf("datasets: best_known.csv: %s: %w", fields[0], err)
			}
			best.Matching = append(best.Matching, a)
		}
		table[fields[0]] = best
	}
	return table, nil
}

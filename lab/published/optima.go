package published

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/qap"
)

// profile holds the matchings of greatest score by their number of matches.
type profile map[int]bestMatching

// bestMatching is [score, [node of graph 2 of each node, or −1]] in JSON. The score,
// which is rounded there, is computed anew.
type bestMatching struct{ qap.Matching }

// UnmarshalJSON reads the matching.
func (b *bestMatching) UnmarshalJSON(data []byte) error {
	var score float64
	return json.Unmarshal(data, &[]any{&score, &b.Matching})
}

// readOptima reads best_per_cardinality of a file, one profile a pair, none
// where there is no file.
func readOptima(path string) ([]profile, error) {
	var file struct {
		Profiles []profile `json:"best_per_cardinality"`
	}
	err := readOptionalJSON(path, &file)
	return file.Profiles, err
}

// published is an optimum as it is printed: the objective, and how far it can be from
// it by rounding.
type published struct{ value, rounding float64 }

// PublishedOptimum returns the name of the file with the published optimum of a
// problem file (see Problems).
func PublishedOptimum(file string) string {
	return strings.TrimSuffix(file, filepath.Ext(file)) + "_gmbench_baselines.json"
}

// readPublished reads the optimum of a name, nil where there is none.
func readPublished(path, name string) (*published, error) {
	var file map[string]struct {
		Optimum json.Number `json:"optimum"`
	}
	if err := readOptionalJSON(path, &file); err != nil || file[name].Optimum == "" {
		return nil, err
	}
	text := file[name].Optimum.String()
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, fmt.Errorf("%s: optimum of %s: %w", path, name, err)
	}
	_, decimals, _ := strings.Cut(text, ".")
	return &published{value, 0.5 * math.Pow10(-len(decimals))}, nil
}

// setOptimum sets the optimum of a pair to the greatest score among the solutions of
// a profile. A profile without a solution leaves it unknown.
func setOptimum(p *pairs.Pair, best profile) error {
	for size, b := range best {
		if err := p.Instance.CheckMatching(b.Matching); err != nil {
			return fmt.Errorf("%s: best_per_cardinality of %d matches: %w", p.Instance.Name, size, err)
		}
		if !p.Instance.IsSolution(b.Matching) {
			continue
		}
		if score := p.Instance.Score(b.Matching); !p.HasOptimum || score > p.Optimum {
			p.Optimum, p.HasOptimum = score, true
		}
	}
	if !p.Instance.Complete && p.HasOptimum {
		p.Optimum = max(p.Optimum, 0) // of the empty matching
	}
	return nil
}

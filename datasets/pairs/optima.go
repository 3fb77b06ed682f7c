package pairs

import (
	"encoding/json"
	"fmt"

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

// setOptimum sets the optimum of a pair to the greatest score among the solutions of
// a profile. A profile without a solution leaves it unknown.
func (p *Pair) setOptimum(best profile) error {
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

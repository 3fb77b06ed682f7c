package pairs

import (
	"encoding/json"
	"math"

	"github.com/rgm-go/rgm/qap"
)

// best is the matching of greatest score with some number of matches. In JSON it
// is [score, [node of graph 2 of each node, or −1]].
type best struct {
	score    float64 // rounded
	matching qap.Matching
}

func (b *best) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&b.score, &b.matching})
}

// profile holds the best matchings by their number of matches.
type profile map[int]best

// readOptima reads best_per_cardinality of a file, one profile a pair, none
// where there is no file.
func readOptima(path string) ([]profile, error) {
	var file struct {
		Profiles []profile `json:"best_per_cardinality"`
	}
	err := readOptionalJSON(path, &file)
	return file.Profiles, err
}

// complete returns the greatest score of a matching of min(n1, n2) nodes,
// recomputed from the instance.
func (p profile) complete(in *qap.Instance) (score float64, known bool) {
	b, known := p[min(in.Size())]
	if !known || in.CheckMatching(b.matching) != nil {
		return 0, false
	}
	return in.Score(b.matching), true
}

// anySize returns the greatest score of a matching of any size, recomputed from the
// instance.
func (p profile) anySize(in *qap.Instance) (score float64, known bool) {
	score = math.Inf(-1)
	for _, b := range p {
		if in.CheckMatching(b.matching) == nil {
			score, known = max(score, in.Score(b.matching)), true
		}
	}
	return max(score, 0), known // the empty matching scores 0
}

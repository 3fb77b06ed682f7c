package bench

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/qap"
)

// bestKnown returns the objectives that are known to be possible: those of a JSON file of
// numbers by the names of instances, if one is given, and those of QAPLIB.
func bestKnown(path string) (func(*qap.Instance) (float64, bool), error) {
	given := map[string]float64{}
	if path != "" {
		text, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(text, &given)
		}
		if err != nil {
			return nil, settings.Usage(fmt.Errorf("--best-known %s: want an object of numbers by name: %w", path, err))
		}
	}
	return func(in *qap.Instance) (float64, bool) {
		if v, ok := given[in.Name]; ok {
			return v, true
		}
		best, ok := qaplib.BestKnownOf(in)
		return best.Value, ok
	}, nil
}

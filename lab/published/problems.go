package published

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/pairs"
)

// Problems reads files that datasets.Open knows, whose true matchings are not known:
// a file may hold several problems. Beside FILE.txt, FILE_optima.json may tell
// best_per_cardinality (see Affinities), and beside the one problem of FILE.dd
// FILE_gmbench_baselines.json its published optimum, {FILE: {"optimum": …}}, rounded
// to the digits there; a matching of any size is a solution.
func Problems(files ...string) pairs.Set {
	return pairs.Set{
		Name: "problems", About: "problems from files; matchings of any size; no true matching is known",
		Pairs: func(yield func(pairs.Pair, error) bool) {
			for _, file := range files {
				if !problems(file, yield) {
					return
				}
			}
		},
	}
}

func problems(file string, yield func(pairs.Pair, error) bool) bool {
	stem := strings.TrimSuffix(file, filepath.Ext(file))
	optima, err := readOptima(stem + "_optima.json")
	published, publishedErr := readPublished(PublishedOptimum(file), filepath.Base(stem))
	if err := errors.Join(err, publishedErr); err != nil {
		return yield(pairs.Pair{}, err)
	}
	k := 0
	for in, err := range datasets.Open(file, datasets.Options{}) {
		if err != nil {
			yield(pairs.Pair{}, err)
			return false
		}
		p := pairs.Pair{Name: in.Name, Class: filepath.Base(stem), Instance: in}
		if k < len(optima) {
			err = setOptimum(&p, optima[k])
		} else if published != nil && k == 0 {
			p.Optimum, p.HasOptimum = in.ScoreOf(published.value)-published.rounding, true
		}
		if !yield(p, err) || err != nil {
			return false
		}
		k++
	}
	return true
}

package results

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/rgm-go/rgm/datasets/edited"
)

// splitPairs returns the files of pairs of graphs, and the others.
func splitPairs(args []string) (pairs, others []string) {
	for _, arg := range args {
		if filepath.Ext(arg) == ".jsonl" {
			pairs = append(pairs, arg)
		} else {
			others = append(others, arg)
		}
	}
	return pairs, others
}

// judgePairs recomputes what edits cost, of results that are called as a pair of the files.
func judgePairs(byName map[string][]*Verdict, files []string) (unreadable, err error) {
	for _, path := range files {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		all, err := edited.Read(file)
		if err = errors.Join(err, file.Close()); err != nil {
			unreadable = errors.Join(unreadable, fmt.Errorf("%s: %w", path, err))
			continue
		}
		for k := range all {
			for _, v := range byName[all[k].ID] {
				v.checkPair(&all[k])
			}
		}
	}
	return unreadable, nil
}

// checkPair compares a result with the cost of its edits.
func (v *Verdict) checkPair(p *edited.Pair) {
	const tolerance = 1e-6 // costs are multiples of less than a thousandth, and their sums are rounded
	cost, err := p.Cost(v.answer.Matching)
	if err != nil {
		v.Reason = err.Error()
		return
	}
	v.Recomputed, v.Reason = &cost, ""
	if v.Right = math.Abs(cost-v.Objective) <= tolerance*max(1, cost); !v.Right {
		v.Reason = fmt.Sprintf("its edits cost %v, not %v", cost, v.Objective)
	}
}

package published

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/qap"
)

// Affinities reads a folder of {Class}_A.npy, affinity matrices (k, n1·n2, n1·n2),
// and {Class}_X.npy, true matchings as 0/1 matrices (k, n1, n2). The solutions
// match min(n1, n2) nodes.
//
// {Class}_meta.json may tell diag_shift, a number for each pair to add to the
// diagonal of its matrix, as the paper's code does so that no node affinity is
// negative; and best_per_cardinality: for each pair, by the number of matches, the
// greatest score and who has it, without the shift.
func Affinities(folder string) pairs.Set {
	set := pairs.Set{
		Name:  filepath.Base(folder),
		About: "affinities from files, their diagonals shifted as the paper's code does; every node is matched",
	}
	set.Pairs = byClass(folder, "_A.npy", func(class string, yield func(pairs.Pair, error) bool) bool {
		return affinityPairs(folder, class, yield)
	})
	return set
}

// affinityFile is what {Class}_meta.json may tell.
type affinityFile struct {
	Shifts   []float64 `json:"diag_shift"`
	Profiles []profile `json:"best_per_cardinality"`
}

func affinityPairs(folder, class string, yield func(pairs.Pair, error) bool) bool {
	path := filepath.Join(folder, class)
	truths, err := pairs.ReadMatchings(path + "_X.npy")
	var meta affinityFile
	if err := errors.Join(err, readOptionalJSON(path+"_meta.json", &meta)); err != nil {
		return yield(pairs.Pair{}, err)
	}
	k := 0
	for in, err := range datasets.Open(path+"_A.npy", datasets.Options{N1: len(truths[0]), Complete: true}) {
		if err == nil && k >= len(truths) {
			err = fmt.Errorf("published: %s: more affinity matrices than true matchings, %d", path, len(truths))
		}
		if err != nil {
			return yield(pairs.Pair{}, err)
		}
		p, err := meta.pair(k, in)
		p.Name, p.Class, p.Truth = fmt.Sprintf("%s#%d", class, k), class, truths[k]
		if err == nil {
			p.Instance.Name = p.Name
			err = p.Instance.CheckMatching(p.Truth)
		}
		if !yield(p, err) || err != nil {
			return false
		}
		k++
	}
	return true
}

// pair returns the k-th pair of a file, whose matrix is that of in.
func (f *affinityFile) pair(k int, in *qap.Instance) (p pairs.Pair, err error) {
	p.Instance = in
	if k < len(f.Shifts) {
		if p.Instance, err = shifted(in, f.Shifts[k]); err != nil {
			return p, err
		}
	}
	if k < len(f.Profiles) {
		err = setOptimum(&p, f.Profiles[k])
	}
	return p, err
}

// shifted returns a dense instance with a number added to the diagonal of K.
func shifted(in *qap.Instance, shift float64) (*qap.Instance, error) {
	n1, n2 := in.Size()
	now, err := qap.DenseByRows(context.Background(), n1, n2, func(p int, row []float64) {
		in.Affinity.Row(row, p)
		row[p] += shift
	})
	if err == nil {
		now.Complete = in.Complete
	}
	return now, err
}

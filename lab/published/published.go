// Package published reads the pairs of graphs that papers have published: images with keypoints,
// films with landmarks, affinity matrices, and problems with known optima
// (lab/notes/MATCHING_RESULTS.md describes them).
package published

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/qap"
)

// Points reads a folder of {Class}_P1.npy and {Class}_P2.npy, points (k, n1, 2) and
// (k, n2, 2) of k pairs, and {Class}_X.npy, their true matchings as 0/1 matrices
// (k, n1, n2). {Class}_meta.json may list the images, image_id1 and image_id2.
func Points(folder string, affinity affinities.Geometric) pairs.Set {
	set := pairs.Set{Name: filepath.Base(folder), About: affinity.String()}
	set.Pairs = byClass(folder, "_P1.npy", func(class string, yield func(pairs.Pair, error) bool) bool {
		return pointPairs(folder, class, affinity, yield)
	})
	return set
}

// byClass yields the pairs of all classes: the files of a folder with an ending.
// read reports whether to go on.
func byClass(folder, ending string, read func(class string, yield func(pairs.Pair, error) bool) bool) func(func(pairs.Pair, error) bool) {
	return func(yield func(pairs.Pair, error) bool) {
		files, err := filesOf(folder, ending)
		if err == nil && len(files) == 0 {
			err = fmt.Errorf("published: no file *%s in %s", ending, folder)
		}
		if err != nil {
			yield(pairs.Pair{}, err)
			return
		}
		for _, file := range files {
			if !read(strings.TrimSuffix(filepath.Base(file), ending), yield) {
				return
			}
		}
	}
}

func pointPairs(folder, class string, affinity affinities.Geometric, yield func(pairs.Pair, error) bool) bool {
	path := filepath.Join(folder, class)
	points1, err1 := pairs.ReadPoints(path + "_P1.npy")
	points2, err2 := pairs.ReadPoints(path + "_P2.npy")
	truths, err3 := pairs.ReadMatchings(path + "_X.npy")
	var images struct {
		First  []int `json:"image_id1"`
		Second []int `json:"image_id2"`
	}
	err4 := readOptionalJSON(path+"_meta.json", &images)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return yield(pairs.Pair{}, err)
	}
	if len(points1) != len(points2) || len(points1) != len(truths) {
		return yield(pairs.Pair{}, fmt.Errorf("published: %s: points of %d and of %d graphs, %d true matchings", path, len(points1), len(points2), len(truths)))
	}
	for k := range truths {
		p := pairs.Pair{Name: fmt.Sprintf("%s#%d", class, k), Class: class, Truth: truths[k], Points1: points1[k], Points2: points2[k]}
		if k < len(images.First) && k < len(images.Second) {
			p.Groups = []string{pairs.ImageName(class, images.First[k]), pairs.ImageName(class, images.Second[k])}
		}
		p, err := p.WithAffinity(affinity)
		if err == nil {
			err = p.Instance.CheckMatching(p.Truth)
		}
		if !yield(p, err) || err != nil {
			return false
		}
	}
	return true
}

// filesOf returns the paths of the files of a folder with an ending, sorted.
func filesOf(folder, ending string) (files []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("published: %w", err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ending) {
			files = append(files, filepath.Join(folder, e.Name()))
		}
	}
	return files, nil
}

// failed is a set that cannot be read.
func failed(err error) iter.Seq2[pairs.Pair, error] {
	return func(yield func(pairs.Pair, error) bool) { yield(pairs.Pair{}, err) }
}

// everyNode is the truth of n nodes that all correspond, each to that of the same number.
func everyNode(n int) qap.Matching {
	m := qap.NewMatching(n)
	for i := range m {
		m[i] = i
	}
	return m
}

// noNumber are words that Python writes for numbers into JSON, which has none of them.
var noNumber = regexp.MustCompile(`-?\b(Infinity|NaN)\b`)

// readOptionalJSON reads a file into value, if there is one; Infinity and NaN are
// taken for null.
func readOptionalJSON(path string, value any) error {
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	if err := json.Unmarshal(noNumber.ReplaceAll(data, []byte("null")), value); err != nil {
		return fmt.Errorf("published: %s: %w", path, err)
	}
	return nil
}

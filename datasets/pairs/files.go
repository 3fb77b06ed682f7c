package pairs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// Points reads a folder of {Class}_P1.npy and {Class}_P2.npy, points (k, n1, 2) and
// (k, n2, 2) of k pairs, and {Class}_X.npy, their true matchings as 0/1 matrices
// (k, n1, n2). {Class}_meta.json may list the images, image_id1 and image_id2.
func Points(folder string, affinity graphs.Geometric) Set {
	set := Set{Name: filepath.Base(folder), About: affinity.String()}
	set.Pairs = byClass(folder, "_P1.npy", func(class string, yield func(Pair, error) bool) bool {
		return pointPairs(folder, class, affinity, yield)
	})
	return set
}

// byClass yields the pairs of all classes: the files of a folder with an ending.
// read reports whether to go on.
func byClass(folder, ending string, read func(class string, yield func(Pair, error) bool) bool) func(func(Pair, error) bool) {
	return func(yield func(Pair, error) bool) {
		files, err := filepath.Glob(filepath.Join(escapeGlob(folder), "*"+ending))
		if err == nil && len(files) == 0 {
			err = fmt.Errorf("pairs: no file *%s in %s", ending, folder)
		}
		if err != nil {
			yield(Pair{}, err)
			return
		}
		for _, file := range files { // Glob sorts them
			if !read(strings.TrimSuffix(filepath.Base(file), ending), yield) {
				return
			}
		}
	}
}

func pointPairs(folder, class string, affinity graphs.Geometric, yield func(Pair, error) bool) bool {
	path := filepath.Join(folder, class)
	points1, err1 := ReadPoints(path + "_P1.npy")
	points2, err2 := ReadPoints(path + "_P2.npy")
	truths, err3 := ReadMatchings(path + "_X.npy")
	var images struct {
		First  []int `json:"image_id1"`
		Second []int `json:"image_id2"`
	}
	err4 := readOptionalJSON(path+"_meta.json", &images)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return yield(Pair{}, err)
	}
	if len(points1) != len(points2) || len(points1) != len(truths) {
		return yield(Pair{}, fmt.Errorf("pairs: %s: points of %d and of %d graphs, %d true matchings", path, len(points1), len(points2), len(truths)))
	}
	for k := range truths {
		p := Pair{Name: fmt.Sprintf("%s#%d", class, k), Class: class, Truth: truths[k], Points1: points1[k], Points2: points2[k]}
		if k < len(images.First) && k < len(images.Second) {
			p.Groups = []string{imageName(class, images.First[k]), imageName(class, images.Second[k])}
		}
		p, err := p.withAffinity(affinity)
		if err == nil {
			err = p.Instance.CheckMatching(p.Truth)
		}
		if !yield(p, err) || err != nil {
			return false
		}
	}
	return true
}

// imageName names an image of a class as a group.
func imageName(class string, image int) string { return fmt.Sprintf("%s image %d", class, image) }

// ReadPoints reads a .npy file of the points of one graph (n, 2) or of several
// (k, n, 2).
func ReadPoints(path string) ([][]graphs.Point, error) {
	array, err := datasets.OpenNPY(path)
	if err != nil {
		return nil, err
	}
	if len(array.Shape) == 2 {
		array.Shape = append([]int{1}, array.Shape...)
	}
	if len(array.Shape) != 3 || array.Shape[2] != 2 || len(array.Data) == 0 {
		return nil, fmt.Errorf("pairs: %s has shape %v: want (n, 2) or (k, n, 2), no dimension 0", path, array.Shape)
	}
	k, n := array.Shape[0], array.Shape[1]
	all := make([][]graphs.Point, k)
	for g := range all {
		for i := g * n; i < (g+1)*n; i++ {
			all[g] = append(all[g], graphs.Point{X: array.Data[2*i], Y: array.Data[2*i+1]})
		}
	}
	return all, nil
}

// ReadMatchings reads a .npy file of matchings as 0/1 matrices (k, n1, n2), or of one
// as datasets.ReadMatching does.
func ReadMatchings(path string) ([]qap.Matching, error) {
	array, err := datasets.OpenNPY(path)
	if err != nil {
		return nil, err
	}
	if len(array.Shape) == 1 {
		m, err := datasets.ReadMatching(path)
		return []qap.Matching{m}, err
	}
	if len(array.Shape) != 3 || len(array.Data) == 0 {
		return nil, fmt.Errorf("pairs: %s has shape %v: want (k, n1, n2), none of them 0", path, array.Shape)
	}
	k, n1, n2 := array.Shape[0], array.Shape[1], array.Shape[2]
	all := make([]qap.Matching, k)
	for g := range all {
		all[g] = qap.NewMatching(n1)
	}
	for at, v := range array.Data {
		m, i, a := all[at/(n1*n2)], at/n2%n1, at%n2
		switch {
		case v == 1 && m[i] == qap.Unmatched:
			m[i] = a
		case v != 0:
			return nil, fmt.Errorf("pairs: %s: row %d of matrix %d is no row of a 0/1 matching", path, i, at/(n1*n2))
		}
	}
	return all, nil
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
		return fmt.Errorf("pairs: %s: %w", path, err)
	}
	return nil
}

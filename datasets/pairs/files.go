package pairs

import (
	"fmt"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

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

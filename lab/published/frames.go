package published

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/pairs"
)

// Frames reads pairs of frames of a film whose landmarks correspond: landmarks
// {name}_xy.npy (frames, n, 2), and a list of pairs, {name}_sparse_pairs.json or
// {name}_pairs.json: [{"frame1": 0, "frame2": 10, "name": …, "optimum": …}]; the last
// two may be left out.
func Frames(folder, name string, affinity affinities.Geometric) pairs.Set {
	set := pairs.Set{Name: name, About: affinity.String()}
	frames, list, err := readFrames(filepath.Join(folder, name))
	if err != nil {
		set.Pairs = failed(err)
		return set
	}
	set.Pairs = func(yield func(pairs.Pair, error) bool) {
		for _, f := range list {
			p, err := f.pair(name, frames, affinity)
			if !yield(p, err) || err != nil {
				return
			}
		}
	}
	return set
}

// framePair is an entry of the list.
type framePair struct {
	Name    string   `json:"name"`
	First   int      `json:"frame1"`
	Second  int      `json:"frame2"`
	Optimum *float64 `json:"optimum"`
}

// readFrames reads the files that begin with path.
func readFrames(path string) ([][]graphs.Point, []framePair, error) {
	frames, err := pairs.ReadPoints(path + "_xy.npy")
	var list []framePair
	for _, ending := range []string{"_sparse_pairs.json", "_pairs.json"} {
		if list == nil {
			err = errors.Join(err, readOptionalJSON(path+ending, &list))
		}
	}
	if err == nil && list == nil {
		err = fmt.Errorf("published: neither %s_sparse_pairs.json nor %s_pairs.json", path, path)
	}
	return frames, list, err
}

func (f framePair) pair(film string, frames [][]graphs.Point, affinity affinities.Geometric) (pairs.Pair, error) {
	if min(f.First, f.Second) < 0 || max(f.First, f.Second) >= len(frames) {
		return pairs.Pair{}, fmt.Errorf("published: %s: frames %d and %d: want 0..%d", film, f.First, f.Second, len(frames)-1)
	}
	p := pairs.Pair{
		Name: f.Name, Class: film, Points1: frames[f.First], Points2: frames[f.Second],
		Groups: []string{fmt.Sprintf("%s frame %d", film, f.First), fmt.Sprintf("%s frame %d", film, f.Second)},
	}
	if p.Name == "" {
		p.Name = fmt.Sprintf("%s-%d-%d", film, f.First, f.Second)
	}
	p.Truth = everyNode(len(p.Points1))
	if f.Optimum != nil {
		p.Optimum, p.HasOptimum = *f.Optimum, true
	}
	return p.WithAffinity(affinity)
}

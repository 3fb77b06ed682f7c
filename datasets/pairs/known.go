package pairs

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// The endings of the files of stacks of pairs, as rgm datasets generate writes them.
const (
	EndPoints1    = "_P1.npy"
	EndPoints2    = "_P2.npy"
	EndTruths     = "_X.npy"
	EndAffinities = "_A.npy"
)

// HoldsStacks reports whether a folder holds stacks that ReadKnown reads.
func HoldsStacks(folder string) (bool, error) {
	files, err := filepath.Glob(filepath.Join(escapeGlob(folder), "*"+EndAffinities))
	if err == nil && len(files) == 0 {
		_, err = os.Stat(folder)
	}
	return len(files) > 0, err
}

// ReadKnown reads the pairs of graphs with known matchings of folders: of every NAME the stacks
// NAME_A.npy, affinity matrices (k, n1·n2, n1·n2), and NAME_X.npy, matchings (k, n1, n2) of 0 and 1.
// Where points are beside them, NAME_P1.npy and NAME_P2.npy, those that are matched say of which
// images a pair is: Groups.
func ReadKnown(folders ...string) ([]Pair, error) {
	var all []Pair
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(escapeGlob(folder), "*"+EndAffinities))
		if err == nil && len(files) == 0 {
			_, err = os.Stat(folder)
			err = errors.Join(err, fmt.Errorf("pairs: no file *%s in %s: want stacks NAME%s and NAME%s, as rgm datasets generate writes them", EndAffinities, folder, EndAffinities, EndTruths))
		}
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			read, err := readStack(strings.TrimSuffix(file, EndAffinities))
			if err != nil {
				return nil, err
			}
			all = append(all, read...)
		}
	}
	return all, nil
}

// readStack reads the pairs of a NAME.
func readStack(name string) ([]Pair, error) {
	truths, err := ReadMatchings(name + EndTruths)
	if err != nil {
		return nil, err
	}
	points1, err1 := readOptionalPoints(name+EndPoints1, len(truths))
	points2, err2 := readOptionalPoints(name+EndPoints2, len(truths))
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	var all []Pair
	for in, err := range datasets.Open(name+EndAffinities, datasets.Options{N1: len(truths[0])}) {
		if err != nil {
			return nil, err
		}
		k := len(all)
		if k == len(truths) {
			return nil, fmt.Errorf("pairs: %s holds more affinity matrices than the %d matchings of %s", name+EndAffinities, k, name+EndTruths)
		}
		p := Pair{Name: fmt.Sprintf("%s#%d", filepath.Base(name), k), Class: filepath.Base(name), Instance: in, Truth: truths[k]}
		if err := in.CheckMatching(p.Truth); err != nil {
			return nil, fmt.Errorf("pairs: %s, matching %d: %w", name+EndTruths, k, err)
		}
		p.Groups = []string{p.Name}
		if points1 != nil && points2 != nil {
			p.Points1, p.Points2 = points1[k], points2[k]
			if n1, n2 := in.Size(); len(p.Points1) != n1 || len(p.Points2) != n2 {
				return nil, fmt.Errorf("pairs: %s: %d and %d points for graphs of %d and %d nodes", p.Name, len(p.Points1), len(p.Points2), n1, n2)
			}
			p.Groups = p.images()
		}
		all = append(all, p)
	}
	if len(all) != len(truths) {
		return nil, fmt.Errorf("pairs: %s holds %d affinity matrices, %s %d matchings", name+EndAffinities, len(all), name+EndTruths, len(truths))
	}
	return all, nil
}

// readOptionalPoints reads the points of k graphs, nil where there is no file.
func readOptionalPoints(path string, k int) ([][]graphs.Point, error) {
	points, err := ReadPoints(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && len(points) != k:
		return nil, fmt.Errorf("pairs: %s holds the points of %d graphs, want %d", path, len(points), k)
	}
	return points, err
}

// images names the two images of a pair by the points that are matched in them, in any order.
func (p *Pair) images() []string {
	var x, y []graphs.Point
	for i, a := range p.Truth {
		if a != qap.Unmatched {
			x, y = append(x, p.Points1[i]), append(y, p.Points2[a])
		}
	}
	name := func(points []graphs.Point) string {
		slices.SortFunc(points, func(p, q graphs.Point) int {
			return slices.Compare([]float64{p.X, p.Y}, []float64{q.X, q.Y})
		})
		return fmt.Sprint(points)
	}
	return []string{name(x), name(y)}
}

// HeldOut splits pairs: about a fifth is held out. Where images or other groups are in several pairs, a third
// of these groups is: a pair of which all are is held out, one of which some are is left out.
func HeldOut(all []Pair, seed uint64) (training, held []Pair) {
	const share, shareOfGroups = 0.2, 1.0 / 3
	rng := rand.New(rand.NewPCG(seed, heldOutStream))
	var names []string
	seen := map[string]int{}
	shared := false
	for _, p := range all {
		for _, g := range p.Groups {
			if seen[g]++; seen[g] == 1 {
				names = append(names, g)
			}
			shared = shared || seen[g] > 1
		}
	}
	if !shared {
		order := rng.Perm(len(all))
		for k, p := range all {
			if float64(order[k]) < share*float64(len(all)) {
				held = append(held, p)
			} else {
				training = append(training, p)
			}
		}
		return training, held
	}
	out := map[string]bool{}
	for k, g := range rng.Perm(len(names)) {
		out[names[g]] = float64(k) < shareOfGroups*float64(len(names))
	}
	for _, p := range all {
		count := 0
		for _, g := range p.Groups {
			if out[g] {
				count++
			}
		}
		switch count {
		case 0:
			training = append(training, p)
		case len(p.Groups):
			held = append(held, p)
		}
	}
	return training, held
}

// heldOutStream is the random stream of a seed that HeldOut draws from.
const heldOutStream = 0x68656c64

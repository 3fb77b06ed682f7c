package pairs

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/graphs"
)

// Keypoints makes pairs of two different images of a class, drawn at random, whose
// keypoints correspond, and adds outliers, uniform in the images' frame, to both.
type Keypoints struct {
	Folder   string  // holds {Class}.npy: keypoints (images, n, 2); or one such file
	Frame    float64 // side of the square frame, in the units of the keypoints
	Outliers int
	Count    int // pairs of each class
	Affinity affinities.Geometric
	Seed     uint64
}

// Set returns the pairs. Their class is the number of outliers: "k=3".
func (s Keypoints) Set() Set {
	return Set{
		Name:  filepath.Base(s.Folder),
		About: fmt.Sprintf("pairs of images, k outliers uniform in the frame in both; %v", s.Affinity),
		Pairs: s.pairs(),
	}
}

func (s Keypoints) pairs() iter.Seq2[Pair, error] {
	pattern := escapeGlob(s.Folder)
	if filepath.Ext(s.Folder) != ".npy" {
		pattern = filepath.Join(pattern, "*.npy")
	}
	files, err := filepath.Glob(pattern)
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("pairs: no file *.npy in %s", s.Folder)
	}
	if err != nil {
		return failed(err)
	}
	return func(yield func(Pair, error) bool) {
		rng := rand.New(rand.NewPCG(s.Seed, keypointStream+uint64(s.Outliers)))
		for _, file := range files {
			images, err := ReadPoints(file)
			if err == nil && len(images) < 2 {
				err = fmt.Errorf("pairs: %s has %d images: want two or more", file, len(images))
			}
			if err != nil {
				yield(Pair{}, err)
				return
			}
			class := strings.TrimSuffix(filepath.Base(file), ".npy")
			for k := range s.Count {
				p, err := s.pair(fmt.Sprintf("%s#%d", class, k), class, images, rng)
				if !yield(p, err) || err != nil {
					return
				}
			}
		}
	}
}

// ImageName names an image of a class as a group of pairs.
func ImageName(class string, image int) string { return fmt.Sprintf("%s image %d", class, image) }

// keypointStream is the first random stream of Keypoints under its seed.
const keypointStream = 0x6b657900

func (s Keypoints) pair(name, class string, images [][]graphs.Point, rng *rand.Rand) (Pair, error) {
	x, y := rng.IntN(len(images)), rng.IntN(len(images)-1)
	if y >= x {
		y++
	}
	n := len(images[x])
	p := Pair{
		Name: name, Class: fmt.Sprintf("k=%d", s.Outliers), Truth: FirstMatch(n+s.Outliers, n),
		Points1: append(images[x][:n:n], s.outliers(rng)...), Points2: append(images[y][:n:n], s.outliers(rng)...),
		Groups: []string{ImageName(class, x), ImageName(class, y)},
	}
	return p.WithAffinity(s.Affinity)
}

func (s Keypoints) outliers(rng *rand.Rand) []graphs.Point {
	points := UniformPoints(s.Outliers, rng)
	for i, p := range points {
		points[i] = graphs.Point{X: s.Frame * p.X, Y: s.Frame * p.Y}
	}
	return points
}

// escapeGlob makes a pattern that only the path itself matches.
func escapeGlob(path string) string {
	return strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`).Replace(path)
}

package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/lab/published"
)

// matchingSet is a value of --set.
type matchingSet struct {
	name, about string
	folder      string // of --data; empty where pairs are generated
	edgesFixed  bool   // the affinities do not come from points
	affinity    affinities.Geometric
	open        func(s *MatchingSettings, folder string, affinity affinities.Geometric) ([]pairs.Set, error)
}

// The sets, each as the tables it is compared with have it.
var matchingSets = []matchingSet{
	{name: "synthetic", about: "10 inliers in the unit square, noise 0.1, 1 to 6 outliers", affinity: affinities.PaperSynthetic, open: openSynthetic},
	{name: "synthetic-noise", about: "the same without outliers, noise 0 to 0.5", affinity: affinities.PaperSynthetic, open: openSyntheticNoise},
	{name: sizesSet, about: "Delaunay graphs of 20 to 1000 nodes, a fifth of them outliers, noise 0.05",
		affinity: affinities.Geometric{Edges: graphs.Delaunay, Length: 0.2, Direction: 0.2, Relative: true}, open: openSizes},
	{name: "willow", about: "Willow, affinities of learned features, no outliers", folder: "willow_o0", edgesFixed: true,
		open: func(s *MatchingSettings, folder string, _ affinities.Geometric) ([]pairs.Set, error) {
			return []pairs.Set{firstOfClasses(published.Affinities(folder), s.Pairs)}, nil
		}},
	{name: "willow-outliers", about: "Willow, keypoints with 3 outliers", folder: "willow_points_o3", affinity: affinities.LengthDirection,
		open: func(s *MatchingSettings, folder string, affinity affinities.Geometric) ([]pairs.Set, error) {
			return []pairs.Set{firstOfClasses(published.Points(folder, affinity), s.Pairs)}, nil
		}},
	{name: "willow-keypoints", about: "Willow, keypoints with 1 to 6 random outliers", folder: "willow_keypoints", affinity: affinities.LengthDirection, open: openFewOutliers},
	{name: "willow-keypoints-10", about: "Willow, keypoints with 10 random outliers", folder: "willow_keypoints", affinity: affinities.LengthDirection, open: openManyOutliers},
	{name: "keypoints", about: "images of a category with annotated keypoints (Pascal VOC, SPair-71k)", folder: "keypoint_annotations", affinity: affinities.LengthDirection,
		open: func(s *MatchingSettings, folder string, affinity affinities.Geometric) ([]pairs.Set, error) {
			return []pairs.Set{published.Annotations{Folder: folder, Count: s.Pairs, Affinity: affinity}.Set()}, nil
		}},
	{name: "cmu-house", about: "frames of the film CMU house", folder: "cmu", affinity: affinities.HouseSparse, open: openFrames("house")},
	{name: "cmu-hotel", about: "frames of the film CMU hotel", folder: "cmu", affinity: affinities.HouseSparse, open: openFrames("hotel")},
	{name: "dd", about: "problems in .dd format, several a file, with known optima", folder: "dd", edgesFixed: true, open: openProblems},
	{name: "generality", about: "many kinds of generated pairs, a class each, and the real ones of --data", edgesFixed: true, open: openGenerality},
	{name: "validation", about: "kinds of generated pairs by which learned affinities are chosen, a class each", edgesFixed: true, open: openValidation},
}

// firstOfClasses returns a set of at most so many pairs of each class.
func firstOfClasses(set pairs.Set, most int) pairs.Set {
	given := set.Pairs
	set.Pairs = func(yield func(pairs.Pair, error) bool) {
		seen := map[string]int{}
		for p, err := range given {
			if seen[p.Class]++; err == nil && seen[p.Class] > most {
				continue
			}
			if !yield(p, err) {
				return
			}
		}
	}
	return set
}

func openSynthetic(s *MatchingSettings, _ string, affinity affinities.Geometric) ([]pairs.Set, error) {
	const most = 6
	var sets []pairs.Set
	for k := range most {
		sets = append(sets, paperSynthetic(s, affinity, 0.1, k+1))
	}
	return sets, nil
}

func openSyntheticNoise(s *MatchingSettings, _ string, affinity affinities.Geometric) ([]pairs.Set, error) {
	var sets []pairs.Set
	for _, noise := range []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5} {
		sets = append(sets, paperSynthetic(s, affinity, noise, 0))
	}
	return sets, nil
}

const sizesSet = "sizes"

// openSizes opens a class for each size of graphs, called by it.
func openSizes(s *MatchingSettings, _ string, affinity affinities.Geometric) ([]pairs.Set, error) {
	sizes := []int{20, 50, 100, 200, 500, 1000}
	if len(s.Nodes) > 0 {
		var err error
		if sizes, err = parseCounts("nodes", s.Nodes); err != nil {
			return nil, err
		}
	}
	var sets []pairs.Set
	for _, n := range sizes {
		set := pairs.Synthetic{Inliers: n - n/5, Outliers: n / 5, Noise: 0.05, Count: s.Pairs, Affinity: affinity}.Set()
		class, sized := fmt.Sprint(n), set
		sized.Pairs = func(yield func(pairs.Pair, error) bool) {
			for p, err := range set.Pairs {
				p.Class = class
				if !yield(p, err) {
					return
				}
			}
		}
		sets = append(sets, sized)
	}
	return sets, nil
}

func paperSynthetic(s *MatchingSettings, affinity affinities.Geometric, noise float64, outliers int) pairs.Set {
	return pairs.Synthetic{Inliers: 10, Outliers: outliers, Noise: noise, Count: s.Pairs, Affinity: affinity}.Set()
}

func openFewOutliers(s *MatchingSettings, folder string, affinity affinities.Geometric) ([]pairs.Set, error) {
	const most = 6
	var sets []pairs.Set
	for k := range most {
		sets = append(sets, keypoints(s, folder, affinity, k+1))
	}
	return sets, nil
}

// openManyOutliers opens as many outliers as keypoints.
func openManyOutliers(s *MatchingSettings, folder string, affinity affinities.Geometric) ([]pairs.Set, error) {
	return []pairs.Set{keypoints(s, folder, affinity, 10)}, nil
}

func keypoints(s *MatchingSettings, folder string, affinity affinities.Geometric, outliers int) pairs.Set {
	const frame, classes = 256, 5
	return pairs.Keypoints{
		Folder: folder, Frame: frame, Outliers: outliers, Count: (s.Pairs + classes - 1) / classes, Affinity: affinity,
	}.Set()
}

func openFrames(film string) func(*MatchingSettings, string, affinities.Geometric) ([]pairs.Set, error) {
	return func(_ *MatchingSettings, folder string, affinity affinities.Geometric) ([]pairs.Set, error) {
		return []pairs.Set{published.Frames(folder, film, affinity)}, nil
	}
}

// openProblems opens all files .txt, and those .dd whose optimum is published beside
// them: others would have nothing to be judged by.
func openProblems(_ *MatchingSettings, folder string, _ affinities.Geometric) ([]pairs.Set, error) {
	in := os.DirFS(folder) // whose name is no pattern
	names, err := fs.Glob(in, "*.txt")
	single, singleErr := fs.Glob(in, "*.dd")
	var files []string
	for _, name := range names {
		files = append(files, filepath.Join(folder, name))
	}
	for _, name := range single {
		file := filepath.Join(folder, name)
		if _, err := os.Stat(published.PublishedOptimum(file)); err == nil {
			files = append(files, file)
		}
	}
	if err = errors.Join(err, singleErr); err == nil && len(files) == 0 {
		err = fmt.Errorf("no file *.txt in %s, nor *.dd with its *_gmbench_baselines.json", folder)
	}
	return []pairs.Set{published.Problems(files...)}, err
}

// openMatchingSet returns the set that the settings name, in parts.
func openMatchingSet(s *MatchingSettings) ([]pairs.Set, error) {
	set, _ := findMatchingSet(s.Set)
	if s.Edges != "" {
		var err error
		if set.affinity.Edges, err = graphs.ParseEdgeRule(s.Edges); err != nil {
			return nil, err
		}
	}
	return set.open(s, filepath.Join(s.Data, set.folder), set.affinity)
}

func findMatchingSet(name string) (matchingSet, bool) {
	for _, set := range matchingSets {
		if set.name == name {
			return set, true
		}
	}
	return matchingSet{}, false
}

// MatchingSetNames returns the values of --set.
func MatchingSetNames() []string {
	var names []string
	for _, set := range matchingSets {
		names = append(names, set.name)
	}
	return names
}

// DescribeMatchingSets lists the sets for a help text.
func DescribeMatchingSets() string {
	var text strings.Builder
	for _, set := range matchingSets {
		fmt.Fprintf(&text, "  %-17s %s\n", set.name, set.about)
	}
	return text.String()
}

// EdgeRules returns the values of --edges.
func EdgeRules() []string { return []string{graphs.Complete.String(), graphs.Delaunay.String()} }

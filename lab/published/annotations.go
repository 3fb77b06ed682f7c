package published

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/pairs"
)

// Annotations makes pairs of two different images of a category from files of keypoints, one a
// file, whose nodes are the keypoints that both images show. Points are in a square frame of the
// object's bounds, where the file has them, and as they are elsewhere.
//
// Files are those of Pascal VOC's keypoints (Bourdev, Malik, ICCV 2009), .xml with elements
// keypoint, and of SPair-71k's images (Min, Lee, Ponce, Cho, arXiv:1908.10543), .json with kps.
type Annotations struct {
	Folder   string // holds a folder of files for each category
	Count    int    // pairs of each category
	Affinity affinities.Geometric
	Seed     uint64
}

const (
	annotationFrame  = 256     // side of the frame
	annotationLeast  = 3       // keypoints that a pair has at least
	annotationMost   = 128     // that an image has at most
	annotationBytes  = 1 << 20 // of a file at most
	annotationStream = 0x616e6e00
)

// annotation is an image's keypoints by their names.
type annotation struct {
	image  string
	points map[string]graphs.Point
}

// Set returns the pairs. Their class is the category.
func (s Annotations) Set() pairs.Set {
	return pairs.Set{
		Name:  filepath.Base(s.Folder),
		About: fmt.Sprintf("pairs of images of a category, the keypoints that both show; %v", s.Affinity),
		Pairs: s.each,
	}
}

func (s Annotations) each(yield func(pairs.Pair, error) bool) {
	entries, err := os.ReadDir(s.Folder)
	if err != nil {
		yield(pairs.Pair{}, fmt.Errorf("published: %w", err))
		return
	}
	categories := 0
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		categories++
		images, err := readAnnotations(filepath.Join(s.Folder, entry.Name()))
		if err != nil {
			yield(pairs.Pair{}, err)
			return
		}
		if !s.category(entry.Name(), images, uint64(categories), yield) {
			return
		}
	}
	if categories == 0 {
		yield(pairs.Pair{}, fmt.Errorf("published: %s has no folders: want one of .xml or .json files for each category", s.Folder))
	}
}

// category yields pairs of a category; false after an error, or where no more are wanted.
func (s Annotations) category(name string, images []annotation, stream uint64, yield func(pairs.Pair, error) bool) bool {
	rng := rand.New(rand.NewPCG(s.Seed, annotationStream+stream))
	const tries = 50 // for each pair
	made := 0
	for try := 0; made < s.Count && try < tries*s.Count && len(images) > 1; try++ {
		x, y := rng.IntN(len(images)), rng.IntN(len(images)-1)
		if y >= x {
			y++
		}
		p := pairs.Pair{Name: fmt.Sprintf("%s#%d", name, made), Class: name, Groups: []string{name + " " + images[x].image, name + " " + images[y].image}}
		p.Points1, p.Points2 = shared(images[x], images[y])
		if len(p.Points1) < annotationLeast {
			continue
		}
		made++
		p.Truth = everyNode(len(p.Points1))
		p, err := p.WithAffinity(s.Affinity)
		if !yield(p, err) || err != nil {
			return false
		}
	}
	if made == 0 {
		yield(pairs.Pair{}, fmt.Errorf("published: %s: no two of %d images show %d keypoints both", filepath.Join(s.Folder, name), len(images), annotationLeast))
		return false
	}
	return true
}

// shared returns the keypoints that both images show, in the order of their names.
func shared(x, y annotation) (points1, points2 []graphs.Point) {
	var names []string
	for name := range x.points {
		if _, both := y.points[name]; both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		points1, points2 = append(points1, x.points[name]), append(points2, y.points[name])
	}
	return points1, points2
}

// readAnnotations reads all files of a category, in the order of their names.
func readAnnotations(folder string) ([]annotation, error) {
	var images []annotation
	for _, ending := range []string{".json", ".xml"} {
		files, err := filesOf(folder, ending)
		if err != nil {
			return nil, err
		}
		for _, path := range files {
			file, err := os.Open(path)
			if err != nil {
				return nil, err
			}
			read := readKeypointJSON
			if filepath.Ext(path) == ".xml" {
				read = readKeypointXML
			}
			points, err := read(io.LimitReader(file, annotationBytes))
			if err = errors.Join(err, file.Close()); err != nil {
				return nil, fmt.Errorf("published: %s: %w", path, err)
			}
			images = append(images, annotation{filepath.Base(path), points})
		}
	}
	return images, nil
}

// bounds are those of an object, x and y of the upper left corner.
type bounds struct {
	X      float64 `xml:"xmin,attr"`
	Y      float64 `xml:"ymin,attr"`
	Width  float64 `xml:"width,attr"`
	Height float64 `xml:"height,attr"`
}

// readKeypointXML reads an annotation of Pascal VOC's keypoints.
func readKeypointXML(in io.Reader) (map[string]graphs.Point, error) {
	var file struct {
		Bounds    bounds `xml:"visible_bounds"`
		Keypoints []struct {
			Name    string  `xml:"name,attr"`
			Visible string  `xml:"visible,attr"`
			X       float64 `xml:"x,attr"`
			Y       float64 `xml:"y,attr"`
		} `xml:"keypoints>keypoint"`
	}
	if err := xml.NewDecoder(in).Decode(&file); err != nil {
		return nil, fmt.Errorf("no XML of keypoints: %w", err)
	}
	points := map[string]graphs.Point{}
	for _, k := range file.Keypoints {
		if k.Visible != "0" {
			points[k.Name] = graphs.Point{X: k.X, Y: k.Y}
		}
	}
	return framed(points, file.Bounds)
}

// readKeypointJSON reads an annotation of an image of SPair-71k: kps by their numbers, null where
// the image does not show them, and bndbox, the corners of the object.
func readKeypointJSON(in io.Reader) (map[string]graphs.Point, error) {
	var file struct {
		Keypoints map[string][]float64 `json:"kps"`
		Box       []float64            `json:"bndbox"`
	}
	if err := json.NewDecoder(in).Decode(&file); err != nil {
		return nil, fmt.Errorf("no JSON of keypoints: %w", err)
	}
	if file.Keypoints == nil {
		return nil, errors.New(`no keypoints: want "kps", an object of [x, y] by name`)
	}
	points := map[string]graphs.Point{}
	for name, at := range file.Keypoints {
		switch len(at) {
		case 0: // not shown
		case 2:
			points[name] = graphs.Point{X: at[0], Y: at[1]}
		default:
			return nil, fmt.Errorf("keypoint %s has %d numbers: want [x, y] or null", name, len(at))
		}
	}
	var b bounds
	if len(file.Box) == 4 {
		b = bounds{file.Box[0], file.Box[1], file.Box[2] - file.Box[0], file.Box[3] - file.Box[1]}
	}
	return framed(points, b)
}

// framed returns points in the frame of an object's bounds, where there are any.
func framed(points map[string]graphs.Point, b bounds) (map[string]graphs.Point, error) {
	if len(points) > annotationMost {
		return nil, fmt.Errorf("%d keypoints: want at most %d", len(points), annotationMost)
	}
	for name, p := range points {
		if b.Width > 0 && b.Height > 0 {
			p = graphs.Point{X: annotationFrame * (p.X - b.X) / b.Width, Y: annotationFrame * (p.Y - b.Y) / b.Height}
		}
		const most = 1e6 // of a coordinate
		if !(math.Abs(p.X) <= most && math.Abs(p.Y) <= most) {
			return nil, fmt.Errorf("keypoint %s is at %v, %v: want numbers up to %g", name, p.X, p.Y, float64(most))
		}
		points[name] = p
	}
	return points, nil
}

package graphpairs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"

	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/internal/lists"
	"github.com/rgm-go/rgm/qap"
)

// The values of Generated.Family.
const (
	FamilyPoints = "points"
	FamilyEdits  = "edits"
)

// Generated is a set of pairs of points, or of graphs that edits lie between: the settings of rgm datasets generate.
type Generated struct {
	Family    string  `mapstructure:"family"`
	Name      string  `mapstructure:"name"`
	Inliers   int     `mapstructure:"inliers"`
	Outliers  int     `mapstructure:"outliers"`
	Noise     float64 `mapstructure:"noise"`
	Pairs     int     `mapstructure:"pairs"`
	PerTruth  int     `mapstructure:"per-truth"`
	Edges     string  `mapstructure:"edges"`
	Length    float64 `mapstructure:"length"`
	Direction float64 `mapstructure:"direction"`
	Relative  bool    `mapstructure:"relative"`
	Keypoints string  `mapstructure:"keypoints"` // file, in place of inliers
	Frame     float64 `mapstructure:"frame"`
	Edited    Edited  `mapstructure:",squash"`
	Seed      uint64  `mapstructure:"seed"`
	Force     bool    `mapstructure:"force"`
}

// source returns the pairs: of generated points, or of images' keypoints.
func (s *Generated) source() (pairs.Set, error) {
	edges, err := graphs.ParseEdgeRule(s.Edges)
	affinity := affinities.Geometric{Edges: edges, Length: s.Length, Direction: s.Direction, Relative: s.Relative}
	source := pairs.Synthetic{
		Inliers: s.Inliers, Outliers: s.Outliers, Noise: s.Noise, Count: s.Pairs, PerTruth: s.PerTruth, Seed: s.Seed, Affinity: affinity,
	}.Set()
	if s.Keypoints != "" {
		source = pairs.Keypoints{Folder: s.Keypoints, Frame: s.Frame, Outliers: s.Outliers, Count: s.Pairs, Affinity: affinity, Seed: s.Seed}.Set()
		if filepath.Ext(s.Keypoints) != ".npy" {
			err = errors.Join(err, fmt.Errorf("--keypoints %s: want an .npy file", s.Keypoints))
		}
	}
	return source, errors.Join(err, settings.AtLeast(1, "per-truth", s.PerTruth))
}

// check returns an error that lists what is wrong with the settings that all families have.
func (s *Generated) check() error {
	errs := []error{settings.OneOf("family", s.Family, FamilyPoints, FamilyEdits), settings.AtLeast(1, "pairs", s.Pairs)}
	if s.Name == "" || s.Name != filepath.Base(s.Name) {
		errs = append(errs, fmt.Errorf("--name %q: want what names of files in the folder begin with", s.Name))
	}
	return errors.Join(errs...)
}

// generatePairs returns the pairs of a set, unless the context ends.
func generatePairs(ctx context.Context, set pairs.Set) ([]pairs.Pair, error) {
	var all []pairs.Pair
	for p, err := range set.Pairs {
		if err != nil {
			return nil, settings.Usage(err)
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("interrupted after %d pairs; nothing is written", len(all))
		}
		all = append(all, p)
	}
	return all, nil
}

// writerUntil writes until the context ends.
type writerUntil struct {
	ctx context.Context
	io.Writer
}

func (w writerUntil) Write(b []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, errors.New("interrupted")
	}
	return w.Writer.Write(b)
}

// endRecipe is the ending of the settings of a set.
const endRecipe = "_recipe.toml"

// Write writes the files of the set into a folder, which it makes.
func (s *Generated) Write(ctx context.Context, folder string) error {
	if s.Family == FamilyEdits {
		return s.writeEdited(ctx, folder)
	}
	source, err := s.source()
	err = errors.Join(s.check(), err)
	paths := lists.Of([]string{pairs.EndPoints1, pairs.EndPoints2, pairs.EndTruths, pairs.EndAffinities, endRecipe}, func(ending string) string { return filepath.Join(folder, s.Name+ending) })
	if err := settings.Usage(err, settings.CheckNew(s.Force, paths...)); err != nil {
		return err
	}
	all, err := generatePairs(ctx, pairs.Relabelled(source, s.Seed))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	write := func(ending string, write func(io.Writer) error) {
		if err == nil {
			err = atomicfile.Write(filepath.Join(folder, s.Name+ending), func(w io.Writer) error { return write(writerUntil{ctx, w}) })
		}
	}
	array := func(a datasets.Array) func(io.Writer) error {
		return func(w io.Writer) error { return datasets.WriteArray(w, a) }
	}
	points1, points2, truths := pairs.Stacks(all)
	write(pairs.EndPoints1, array(points1))
	write(pairs.EndPoints2, array(points2))
	write(pairs.EndTruths, array(truths))
	write(pairs.EndAffinities, func(w io.Writer) error {
		return datasets.WriteNPY(w, lists.Of(all, func(p pairs.Pair) *qap.Instance { return p.Instance })...)
	})
	write(endRecipe, s.writeRecipe)
	return err
}

// writeRecipe writes the settings that the family has, but for --force, which is of this run.
func (s *Generated) writeRecipe(w io.Writer) error {
	table, err := settings.Table(*s)
	if err != nil {
		return err
	}
	delete(table, "force")
	foreign := OfEdits()
	if s.Family == FamilyEdits {
		foreign = OfPoints()
	}
	for _, key := range foreign {
		delete(table, key)
	}
	return toml.NewEncoder(w).Encode(table)
}

package graphpairs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets/edited"
	"github.com/rgm-go/rgm/internal/atomicfile"
)

// Edited are graphs, and copies of them that edits have changed: settings of rgm datasets generate --family edits.
type Edited struct {
	Kinds []string `mapstructure:"kinds"`
	Nodes []int    `mapstructure:"nodes"`
	Edits int      `mapstructure:"edits"`
}

// OfEdits returns the settings that only the family edits has.
func OfEdits() []string { return settings.Keys(Edited{}) }

// OfPoints returns the settings that the family edits has not.
func OfPoints() []string {
	return []string{"inliers", "outliers", "noise", "per-truth", "edges", "length", "direction", "relative", "keypoints", "frame"}
}

const endPairs, endTable, endKnown = "_pairs.jsonl", "_pairs.csv", ".known"

// writeEdited writes the files of each graph, and the tables of the pairs.
func (s *Generated) writeEdited(ctx context.Context, folder string) error {
	err := s.check()
	for _, kind := range s.Edited.Kinds {
		err = errors.Join(err, settings.OneOf("kinds", kind, edited.Kinds()...))
	}
	path := func(ending string) string { return filepath.Join(folder, s.Name+ending) }
	if err == nil {
		err = settings.CheckNew(s.Force, path(endPairs), path(endTable), path(endRecipe))
	}
	all, wrong := s.edited(ctx)
	if err := settings.Usage(err, wrong); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var rows [][]string
	for k := range all {
		p := &all[k]
		first, second, known := p.ID+"-a.json", p.ID+"-b.json", p.ID+endKnown
		err := errors.Join(
			atomicfile.Write(filepath.Join(folder, first), p.Graph1.WriteNodeLink), atomicfile.Write(filepath.Join(folder, second), p.Graph2.WriteNodeLink),
			atomicfile.Write(filepath.Join(folder, known), func(w io.Writer) error { return writeMap(w, p.Map) }), ctx.Err())
		if err != nil {
			return err
		}
		rows = append(rows, []string{first, second, strconv.Itoa(len(p.Graph1.Nodes)), strconv.Itoa(len(p.Graph2.Nodes)), report.ExactText(p.Best), known})
	}
	return errors.Join(
		atomicfile.Write(path(endTable), func(w io.Writer) error {
			return report.WriteCSV(w, []string{"first", "second", "n1", "n2", "distance_at_most", tableColumns[2]}, rows)
		}),
		atomicfile.Write(path(endPairs), func(w io.Writer) error {
			lines := json.NewEncoder(w)
			for _, p := range all {
				if err := lines.Encode(p); err != nil {
					return err
				}
			}
			return nil
		}),
		atomicfile.Write(path(endRecipe), s.writeRecipe))
}

// writeMap writes matches as rgm match --known reads them.
func writeMap(w io.Writer, image []int) error {
	var rows [][]string
	for i, a := range image {
		if a >= 0 {
			rows = append(rows, []string{strconv.Itoa(i), strconv.Itoa(a)})
		}
	}
	return report.WriteCSV(w, []string{"i", "a"}, rows)
}

// edited returns the pairs, so many of each kind and count of nodes.
func (s *Generated) edited(ctx context.Context) (all []edited.Pair, err error) {
	for _, kind := range s.Edited.Kinds {
		for _, nodes := range s.Edited.Nodes {
			rng := rand.New(rand.NewPCG(s.Seed, uint64(slices.Index(edited.Kinds(), kind))<<32|uint64(nodes)))
			for k := range s.Pairs {
				p, err := edited.Generate(kind, nodes, s.Edited.Edits, rng)
				if err = errors.Join(err, ctx.Err()); err != nil {
					return nil, err
				}
				p.ID = fmt.Sprintf("%s_%s_%d_%04d", s.Name, kind, nodes, k)
				all = append(all, p)
			}
		}
	}
	if all == nil {
		return nil, errors.New("--kinds and --nodes: want one or more of each")
	}
	return all, nil
}

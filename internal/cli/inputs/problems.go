package inputs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/internal/cli/settings"
	"github.com/rgm-go/rgm/qap"
)

// Problems are generated assignment problems, the settings of rgm datasets problems.
type Problems struct {
	Families      []string `mapstructure:"families"`
	Sizes         []int    `mapstructure:"sizes"`
	Count         int      `mapstructure:"count"`
	SameDistances bool     `mapstructure:"same-distances"`
	Seed          uint64   `mapstructure:"seed"`
	Force         bool     `mapstructure:"force"`
}

// AddProblemFlags adds the flags of rgm datasets problems.
func AddProblemFlags(flags *pflag.FlagSet) {
	flags.StringSlice("families", []string{"blocks"}, "some of "+strings.Join(datasets.Families(), ", "))
	flags.IntSlice("sizes", []int{27}, "nodes of a graph")
	flags.Int("count", 40, "problems of each family and size")
	flags.Bool("same-distances", false, "one distance matrix for those of a family and size, as where places stay and flows change")
	flags.Uint64("seed", 0, "seed of all random choices")
}

// check returns an error that lists everything the settings have wrong.
func (s *Problems) check() error {
	errs := []error{settings.AtLeast(1, "count", s.Count)}
	for _, name := range s.Families {
		errs = append(errs, settings.OneOf("families", name, datasets.Families()...))
	}
	for _, n := range s.Sizes {
		errs = append(errs, settings.AtLeast(2, "sizes", n))
	}
	if len(s.Families) == 0 || len(s.Sizes) == 0 {
		errs = append(errs, errors.New("--families and --sizes: want one or more of each"))
	}
	return errors.Join(errs...)
}

var errInterrupted = errors.New("interrupted; some of the files are written")

// Write writes FAMILY-N-K.dat files into a folder, which it makes.
func (s *Problems) Write(ctx context.Context, folder string) error {
	err := s.check()
	if err == nil {
		err = settings.CheckNew(s.Force, s.paths(folder)...)
	}
	if err := settings.Usage(err); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, family := range s.Families {
		for _, n := range s.Sizes {
			stream := uint64(slices.Index(datasets.Families(), family))<<32 | uint64(n)
			all, err := s.generate(ctx, family, n, rand.New(rand.NewPCG(s.Seed, stream)))
			if err != nil {
				return err
			}
			for k, in := range all {
				if ctx.Err() != nil {
					return errInterrupted
				}
				if err := atomicfile.Write(problemPath(folder, family, n, k), func(w io.Writer) error { return datasets.WriteDAT(w, in) }); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func problemPath(folder, family string, n, k int) string {
	return filepath.Join(folder, fmt.Sprintf("%s-%d-%03d.dat", family, n, k))
}

// paths returns the files that Write writes.
func (s *Problems) paths(folder string) []string {
	var paths []string
	for _, family := range s.Families {
		for _, n := range s.Sizes {
			for k := range s.Count {
				paths = append(paths, problemPath(folder, family, n, k))
			}
		}
	}
	return paths
}

// generate returns the problems of a family and size. Between them it looks at the context.
func (s *Problems) generate(ctx context.Context, family string, n int, rng *rand.Rand) ([]*qap.Instance, error) {
	if s.SameDistances {
		return datasets.GenerateStream(family, n, s.Count, rng)
	}
	all := make([]*qap.Instance, s.Count)
	for k := range all {
		if ctx.Err() != nil {
			return nil, errInterrupted
		}
		var err error
		if all[k], err = datasets.Generate(family, n, rng); err != nil {
			return nil, err
		}
	}
	return all, nil
}

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
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/atomicfile"
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
		err = settings.CheckNew(s.Force, s.there(folder)...)
	}
	if err := settings.Usage(err); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, family := range s.Families {
		for _, n := range s.Sizes {
			rng := rand.New(rand.NewPCG(s.Seed, uint64(slices.Index(datasets.Families(), family))<<32|uint64(n)))
			next := func(int) (*qap.Instance, error) { return datasets.Generate(family, n, rng) }
			if s.SameDistances {
				all, err := datasets.GenerateStream(family, n, s.Count, rng)
				if err != nil {
					return err
				}
				next = func(k int) (*qap.Instance, error) { return all[k], nil }
			}
			for k := range s.Count {
				if ctx.Err() != nil {
					return errInterrupted
				}
				in, err := next(k)
				if err == nil {
					err = atomicfile.Write(problemPath(folder, family, n, k), func(w io.Writer) error { return datasets.WriteDAT(w, in) })
				}
				if err != nil {
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

// there returns what is in a folder of the files that Write writes, which may be a million.
func (s *Problems) there(folder string) []string {
	entries, _ := os.ReadDir(folder) // one that is not there has none
	var paths []string
	for _, entry := range entries {
		for _, family := range s.Families {
			for _, n := range s.Sizes {
				var k int
				fmt.Sscanf(entry.Name(), family+"-"+strconv.Itoa(n)+"-%d.dat", &k)
				if path := problemPath(folder, family, n, k); k < s.Count && path == filepath.Join(folder, entry.Name()) {
					paths = append(paths, path)
				}
			}
		}
	}
	return paths
}

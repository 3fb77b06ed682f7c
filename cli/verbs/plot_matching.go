package verbs

import (
	"errors"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/inputs"
	"github.com/rgm-go/rgm/cli/pictures"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/qap"
)

// plotMatchingSettings are the settings of rgm plot matching.
type plotMatchingSettings struct {
	Out      string `mapstructure:"out"`
	Truth    string `mapstructure:"truth"`
	Affinity string `mapstructure:"affinity"`
	Image1   string `mapstructure:"image1"`
	Image2   string `mapstructure:"image2"`
	YDown    bool   `mapstructure:"y-down"`
	Index    int    `mapstructure:"index"`
}

// PlotMatching returns the command rgm plot matching.
func PlotMatching() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "matching POINTS1 POINTS2 MATCHING",
		Short: "Draw a matching of two sets of points",
		Long: `Draw two sets of points side by side and a line for each match: green where it is
right, red where it is wrong, grey where no truth is known. Outliers are blue.

POINTS are .npy files of points (n, 2) or stacks of them (k, n, 2). MATCHING, and the
file of --truth, is what rgm solve --format json printed (.jsonl), a JSON array of
the nodes of graph 2 (.json), or an .npy file: such an array, or a stack of 0/1
matrices (k, n1, n2); of - it is read from standard input, JSON. --index chooses from a
stack or from lines.`,
		Example: `  rgm datasets generate --outliers 3 made
  rgm solve --method rrwm --format json made/synthetic_A.npy > made/found.jsonl
  rgm plot matching --truth made/synthetic_X.npy --out pair.svg made/synthetic_P1.npy made/synthetic_P2.npy made/found.jsonl`,
		Args: settings.Arguments(cobra.ExactArgs(3)),
		RunE: settings.Merged(func(cmd *cobra.Command, s plotMatchingSettings, args []string) error {
			return plotMatching(cmd, &s, args[0], args[1], args[2])
		}),
	}
	AddOutFlag(cmd, "matching.svg")
	flags := cmd.Flags()
	flags.String("truth", "", "`file` of the true matching")
	flags.String("affinity", "", "`file` of the affinity matrix, .npy, to draw as a heat map")
	flags.String("image1", "", "PNG or JPEG `file` below graph 1, whose points are pixels from the upper left")
	flags.String("image2", "", "the same `file` for graph 2")
	flags.Bool("y-down", false, "y counts downwards (always with an image)")
	flags.Int("index", 0, "which pair of stacks, from 0")
	return cmd
}

// plotMatching reads all files and writes the picture.
func plotMatching(cmd *cobra.Command, s *plotMatchingSettings, points1, points2, matching string) error {
	if err := settings.Usage(settings.CheckOutput("out", s.Out, report.SVG, report.PNG), settings.AtLeast(0, "index", s.Index)); err != nil {
		return err
	}
	picture, err := readMatchingPicture(s, cmd.InOrStdin(), points1, points2, matching)
	if err != nil {
		return err
	}
	return PrintPath(cmd, s.Out, atomicfile.Write(s.Out, func(w io.Writer) error { return picture.Write(w, settings.FileFormat(s.Out)) }))
}

func readMatchingPicture(s *plotMatchingSettings, stdin io.Reader, file1, file2, matching string) (*pictures.Matching, error) {
	points1, err1 := readPointsAt(file1, s.Index)
	points2, err2 := readPointsAt(file2, s.Index)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	m, err1 := inputs.MatchingAt(matching, stdin, s.Index, len(points1), len(points2))
	truth, err2 := inputs.MatchingAt(s.Truth, stdin, s.Index, len(points1), len(points2))
	p := &pictures.Matching{}
	var err3, err4, err5 error
	p.Images[0], err3 = readImage(s.Image1)
	p.Images[1], err4 = readImage(s.Image2)
	p.Affinity, err5 = readAffinityAt(s.Affinity, s.Index, len(points1), len(points2))
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		return nil, err
	}
	p.Layout = pictures.LayoutMatching(points1, points2, m, truth,
		[2]pictures.Frame{pictures.FrameOf(points1, p.Images[0], s.YDown), pictures.FrameOf(points2, p.Images[1], s.YDown)})
	return p, nil
}

func readPointsAt(path string, index int) ([]graphs.Point, error) {
	stack, err := pairs.ReadPoints(path)
	if err != nil {
		return nil, err
	}
	return inputs.Element(path, stack, index)
}

// readImage returns nil of an empty path.
func readImage(path string) (image.Image, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	picture, _, err := image.Decode(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return picture, nil
}

// readAffinityAt returns the instance of an affinity matrix, nil of an empty path.
func readAffinityAt(path string, index, n1, n2 int) (*qap.Instance, error) {
	if path == "" {
		return nil, nil
	}
	var stack []*qap.Instance
	for in, err := range datasets.Open(path, datasets.Options{N1: n1, N2: n2}) {
		if err != nil {
			return nil, err
		}
		if stack = append(stack, in); len(stack) > index {
			break
		}
	}
	return inputs.Element(path, stack, index)
}

package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/pictures"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/verbs"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/train"
)

// plotTrainingSettings are the settings of rgm-lab plot training.
type plotTrainingSettings struct {
	Out  string `mapstructure:"out"`
	Mean bool   `mapstructure:"mean"`
}

func newPlotTraining() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "training FOLDER...",
		Short: "Draw the learning curves of trainings",
		Long: `Draw the learning curves of one training, or of several over each other, from their
metrics.jsonl. One training also shows the validation gap by family and by nodes, and
around the gap a band of one standard deviation over the validation instances. With
--mean the curves are the means of the trainings, such as the seeds of one
configuration, and the bands one standard deviation of the trainings.

docs/TRAINING.md explains every quantity.`,
		Example: `  rgm-lab plot training runs/qap
  rgm-lab plot training --out seeds.svg --mean runs/seed0 runs/seed1 runs/seed2`,
		Args: settings.Arguments(cobra.MinimumNArgs(1)),
		RunE: settings.Merged(func(cmd *cobra.Command, s plotTrainingSettings, args []string) error {
			return plotTraining(cmd, &s, args)
		}),
	}
	flags := cmd.Flags()
	flags.StringP("out", "o", "training.svg", "picture to write: a `file` .svg or .png")
	flags.Bool("mean", false, "draw the mean of all trainings")
	return cmd
}

func plotTraining(cmd *cobra.Command, s *plotTrainingSettings, folders []string) error {
	if err := settings.Usage(settings.CheckOutput("out", s.Out, report.SVG, report.PNG)); err != nil {
		return err
	}
	runs, err := readRuns(folders)
	if err != nil {
		return err
	}
	return verbs.PrintPath(cmd, s.Out, atomicfile.Write(s.Out, func(w io.Writer) error { return pictures.LearningCurve(w, settings.FileFormat(s.Out), runs, s.Mean) }))
}

// readRuns reads the metrics of trainings. A run is called like its folder, by its
// whole path where two folders have one name.
func readRuns(folders []string) ([]pictures.Training, error) {
	count := map[string]int{}
	for _, folder := range folders {
		count[filepath.Base(folder)]++
	}
	var runs []pictures.Training
	for _, folder := range folders {
		path := filepath.Join(folder, train.MetricsFile)
		lines, err := train.ReadMetrics(path)
		if err != nil {
			return nil, err
		}
		if len(lines) == 0 {
			return nil, fmt.Errorf("%s holds nothing yet: the training has not come to its first validation", path)
		}
		name := filepath.Base(folder)
		if count[name] > 1 {
			name = folder
		}
		runs = append(runs, pictures.Training{Name: name, Lines: lines})
	}
	return runs, nil
}

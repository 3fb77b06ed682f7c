package verbs

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/training"
	"github.com/rgm-go/rgm/train/affinity"
)

func newTrainAffinity(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "affinity",
		Short: "Train a learned affinity on pairs of your own",
		Long: `Train the network that leaves outliers out, on pairs of graphs of your own whose matching
is known. A folder of pairs holds

  files of points or graphs  that rgm match reads: every two are a pair, and nodes of one name match
  *pairs.csv                 or a table: columns first and second, files of graphs, and known, a
                             file of matches as rgm match --known reads them (names where it is empty)
  NAME_A.npy, NAME_X.npy     or stacks of affinities and matchings, of rgm datasets generate

Without known matches, --like takes files of points or graphs, and learns from copies that look as
different as two of them do once both are matched by --regularize null.

Where files are in several pairs, files are held out, else pairs. First the choice of how many nodes are matched is learned
anew; with --updates what an affinity is worth then is learned on. The folder gets:

  config.toml    the merged configuration, for --config
  metrics.jsonl  the losses, and F1 on the pairs held out beside that of other rules
  model.onnx     the network, for rgm solve and rgm match --affinity FILE
  own.rgm        the whole training, for --resume

What is printed: F1 on the pairs held out, and by how much it is ahead of the model that it
began from and of rules without a network, pair by pair, ± the standard error.`,
		Example: `  rgm datasets generate --outliers 3 --pairs 400 pairs
  rgm train affinity --pairs pairs --out runs/own
  rgm solve --affinity runs/own/model.onnx --method profile pairs/synthetic_A.npy
  rgm train affinity --pairs photos --out runs/photos
  rgm match --affinity runs/photos/model.onnx left.csv right.csv
  rgm train affinity --like photos --out runs/like`,
		Args: settings.Arguments(cobra.NoArgs),
		RunE: settings.Merged(func(cmd *cobra.Command, s training.Settings[affinity.OwnConfig], _ []string) error {
			if err := settings.Usage(s.Config.Validate(), s.CheckResume(affinity.OwnCheckpointFile, cmd.Flags().Changed),
				settings.ErrorIf(s.Resume == "" && len(s.Config.Pairs)+len(s.Config.Like) == 0, "--pairs is missing: want folders of pairs whose matching is known, or --like and files"),
				settings.ErrorIf(len(s.Config.Pairs) > 0 && len(s.Config.Like) > 0, "--pairs and --like exclude each other")); err != nil {
				return err
			}
			return training.OwnAffinity(cmd.Context(), c, &s, cmd.OutOrStdout())
		}),
	}
	AddOptions(cmd, "match", nil, "edges", "kernel", "scale", "weight", "must-agree")
	d := affinity.DefaultOwn()
	flags := cmd.Flags()
	flags.StringSlice("pairs", nil, "`folders` of pairs whose matching is known")
	flags.StringSlice("like", nil, "in place of --pairs: `files` of points or graphs, or folders, without known matches")
	flags.StringP("out", "o", filepath.Join("runs", "affinity"), "`folder` to write")
	flags.String("resume", "", "`folder` of a training to go on with, by the configuration of its checkpoint")
	flags.String("from", d.From, "`model` to begin from: a pretrained one or a file")
	flags.Uint64("seed", d.Seed, "seed of all random choices")
	flags.Int("size-updates", d.SizeUpdates, "updates of the choice of how many nodes are matched")
	flags.Int("updates", d.Updates, "updates of what an affinity is worth (0: it stays that of --from)")
	flags.Float64("learning-rate", d.LearningRate, "at the start of each part; it falls to 0")
	flags.Float64("size-decay", d.SizeDecay, "weight decay of the choice, times the learning rate")
	return cmd
}

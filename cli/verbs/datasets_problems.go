package verbs

import (
	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/inputs"
	"github.com/rgm-go/rgm/cli/settings"
)

func newProblems() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "problems FOLDER",
		Short:   "Generate assignment problems as .dat files, of the families that models are trained on",
		Example: `  rgm datasets problems --families blocks --sizes 27,45 --count 40 problems && rgm train --instances problems --from qap`,
		Args:    settings.Arguments(cobra.ExactArgs(1)),
		RunE: settings.Merged(func(cmd *cobra.Command, s inputs.Problems, args []string) error {
			return s.Write(cmd.Context(), args[0])
		}),
	}
	inputs.AddProblemFlags(cmd.Flags())
	settings.AddForceFlag(cmd)
	return cmd
}

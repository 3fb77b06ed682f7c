package main

import (
	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cmd/rgm/internal/inputs"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
)

func newProblems() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "problems FOLDER",
		Short: "Generate assignment problems, as those that models are trained on",
		Long: `Generate quadratic assignment problems of the families that models are trained on, each
in the manner of classes of QAPLIB or of Taillard's and Drezner's instances, as files
FAMILY-N-K.dat.`,
		Example: `  rgm datasets problems --families blocks --sizes 27,45 --count 40 problems && rgm train --instances problems --from qap`,
		Args:    settings.Arguments(cobra.ExactArgs(1)),
		RunE: settings.Merged(func(cmd *cobra.Command, s inputs.Problems, args []string) error {
			return s.Write(cmd.Context(), args[0])
		}),
	}
	inputs.AddProblemFlags(cmd.Flags())
	return cmd
}

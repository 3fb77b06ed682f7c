package main

import (
	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/search"
	"github.com/rgm-go/rgm/cli/verbs"
)

// searchFlags are the flags of bench.Settings that are options.
var searchFlags = []string{
	"model", "rollouts", "beam", "time-limit", "max-steps", "steps-per-node", "patience", "refine", "restarts", "threads", "start",
}

// addSearchFlags adds the flags of bench.Settings, and more of the options.
func addSearchFlags(cmd *cobra.Command, more ...string) {
	verbs.AddOptions(cmd, "solve", search.MethodNames(), append(more, searchFlags...)...)
	verbs.AddForms(cmd, more...)
	verbs.AddProviderFlag(cmd)
}

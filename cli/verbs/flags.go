package verbs

import (
	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/qap"
)

// First are the flags that the help of a command shows, where it has many: those that most
// need. --help-all shows the rest.
var First = map[string][]string{
	"solve":    firstOf("solve", "n1", "n2", "order", "format", "out", "resume"),
	"match":    firstOf("match", "format", "out", "resume"),
	"distance": {"costs", "path", "within", "all", "nearest", "time-limit", "seed", "format", "out", "resume"},
	"train":    {"preset", "learner", "instances", "from", SetFlag, "time", "episodes", "seed", "out", "resume"},
	"serve":    {"listen", "token-file", "models", "default-time", "max-time", "max-nodes", "nats", "workers", "provider", "quiet", "log-format"},
}

// sections are the flags of the commands that have many, but for options.
var sections = []settings.Section{
	{Title: "Address and access", Flags: []string{"listen", "token", "token-file", "insecure", "browser"}},
	{Title: "Instances", Flags: []string{
		"set NAME", "data", "pairs", "like", "nodes", "instances", "files", "held-out", "validation", "least-nodes", "most-nodes",
		"classes", "half", "min-n", "max-n", "edges", "kernel", "scale", "weight", "node-weight", "repeats",
		"generate", "degree", "against", "removed", "replaced", "gone", "family", "kinds", "edits",
		"outliers", "noise", "per-truth", "length", "direction", "relative", "keypoints", "frame",
		"n1", "n2", "order", "sense", "member", "topology", "input-format", "recursive", "shard", "max-nodes", "max-body", "memory",
	}},
	{Title: "Distances", Flags: []string{"costs", "path", "within", "all", "nearest"}},
	{Title: "Matchings wanted", Flags: []string{"complete", "inliers", "regularize", "must-agree", "best", "profile", "affinity", "affinities", "target"}},
	{Title: "Time and steps", Flags: []string{
		"time-limit", "time-limits", "total-time", "default-time", "max-time", "least-time", "most-time", "time",
		"episodes", "rounds", "searches", "updates", "still", "max-steps", "steps-per-node", "patience", "clock", "checkpoint-every", "drain",
	}},
	{Title: "Method", Flags: []string{
		"method", "methods", "preset", "learner", SetFlag + " key=value", "variants", "from", "guide", "width", "learning-rate", "decay", "size-updates", "size-decay",
		"model", "models", "peer",
		"rollouts", "beam", "start", "starts", "refine", "restarts", "recall", "seed", "seeds",
	}},
	{Title: "Connections", Flags: []string{"header-timeout", "body-timeout", "write-timeout", "idle-timeout"}},
	{Title: "Queue", Flags: []string{"nats", "queue", "keep", "silence", "max-results"}},
	{Title: "Processors", Flags: []string{"provider", "threads", "workers", "memory"}},
	{Title: "Output", Flags: []string{"format", "by", "name", "out", "resume", "force", "summary", "plot", "scatter", "discrepancy", "view", "y-down", "quiet", "log-format"}},
}

// AddSeedFlag adds --seed, which is the same of every command.
func AddSeedFlag(cmd *cobra.Command) {
	cmd.Flags().Uint64("seed", 0, "seed of all random choices (default 0)")
}

// AddReadingShape adds the flags that say how to read an affinity matrix.
func AddReadingShape(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Int("n1", 0, "nodes of graph 1 of an affinity matrix (default from n2, or the square root of its vertices)")
	flags.Int("n2", 0, "nodes of graph 2 of an affinity matrix (default from n1, or the same root)")
	flags.String("order", "row", "vertices of an affinity matrix: row (i·n2+a) or col (a·n1+i, as pygmtools writes)")
	flags.String("sense", "max", "whether an affinity matrix is maximised (max) or minimised (min)")
	if flags.Lookup("complete") == nil { // else it is an option of the search too
		flags.Bool("complete", false, "match min(n1,n2) nodes (always for .dat)")
	}
	settings.Complete(cmd, "order", "row", "col")
	settings.Complete(cmd, "sense", "max", "min")
}

// AddReadingFlags adds the flags that say how instances are read.
func AddReadingFlags(cmd *cobra.Command) {
	AddReadingShape(cmd)
	cmd.Flags().String("member", "", "the only array of an .npz file to read")
	cmd.Flags().String("topology", "", "the files are flows (.mtx, .graph of METIS, edge list) between facilities that go to these places: "+qap.TopologyForms)
}

// AddProviderFlag adds --provider.
func AddProviderFlag(cmd *cobra.Command) {
	cmd.Flags().String("provider", networks.ProviderAuto, "what evaluates networks: cpu (ONNX Runtime), cuda or cuda:N (ONNX Runtime on GPU N), go (plain Go), or auto (cpu, and go where ONNX Runtime cannot be had)")
	settings.Complete(cmd, "provider", networks.Providers()...)
}

// AddRecallFlag adds --recall.
func AddRecallFlag(cmd *cobra.Command) {
	cmd.Flags().String("recall", "", "`folder` that keeps what auto finds for problems of flows and distances; a part of later searches begins there (default none)")
}

// completeModels offers the names of models to shells, and files.
func completeModels(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return pretrained.Names(), cobra.ShellCompDirectiveDefault
}

// AddLogFlags adds --quiet and --log-format.
func AddLogFlags(cmd *cobra.Command) {
	cmd.Flags().Bool("quiet", false, "on standard error only what fails")
	cmd.Flags().String("log-format", console.LogText, "lines on standard error: text or json")
	settings.Complete(cmd, "log-format", console.LogText, console.LogJSON)
}

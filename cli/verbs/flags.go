package verbs

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/search"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/qap"
)

// First are the flags that the help of a command shows, where it has many: those that most
// need. --help-all shows the rest.
var First = map[string][]string{
	"solve": {"method", "time-limit", "max-steps", "refine", "model", "affinity", "inliers", "n1", "n2", "order", "seed", "format", "out", "resume"},
	"match": {"edges", "weight", "fix", "known", "similarity", "inliers", "affinity", "method", "time-limit", "seed", "format", "out", "resume"},
	"train": {"preset", "learner", "instances", "from", SetFlag, "time", "episodes", "seed", "out", "resume"},
	"serve": {"listen", "token-file", "models", "default-time", "max-time", "max-nodes", "nats", "workers", "provider", "quiet", "log-format"},
}

// Sections are the flags of the commands that have many, as their help shows them.
var Sections = []settings.Section{
	{Title: "Address and access", Flags: []string{"listen", "token", "token-file", "insecure", "browser"}},
	{Title: "Instances", Flags: []string{
		"set NAME", "data", "pairs", "nodes", "instances", "files", "held-out", "validation", "least-nodes", "most-nodes",
		"classes", "half", "min-n", "max-n", "edges", "kernel", "scale", "weight", "node-weight", "repeats",
		"generate", "degree", "against", "removed", "replaced", "gone",
		"n1", "n2", "order", "sense", "member", "topology", "input-format", "recursive", "shard", "max-nodes", "max-body", "memory",
	}},
	{Title: "Matchings wanted", Flags: []string{"complete", "inliers", "regularize", "fix", "known", "similarity", "profile", "affinity", "affinities", "target"}},
	{Title: "Time and steps", Flags: []string{
		"time-limit", "time-limits", "total-time", "default-time", "max-time", "least-time", "most-time", "time",
		"episodes", "rounds", "searches", "updates", "max-steps", "steps-per-node", "patience", "clock", "checkpoint-every", "drain",
	}},
	{Title: "Method", Flags: []string{
		"method", "methods", "preset", "learner", SetFlag + " key=value", "variants", "from", "guide", "width", "learning-rate", "decay",
		"model", "models", "peer",
		"rollouts", "beam", "revocable", "start", "starts", "refine", "restarts", "initial", "seed", "seeds",
	}},
	{Title: "Connections", Flags: []string{"header-timeout", "body-timeout", "write-timeout", "idle-timeout"}},
	{Title: "Queue", Flags: []string{"nats", "queue", "keep", "silence", "max-results"}},
	{Title: "Processors", Flags: []string{"provider", "threads", "workers", "memory"}},
	{Title: "Output", Flags: []string{"format", "out", "resume", "force", "summary", "plot", "scatter", "discrepancy", "y-down", "quiet", "log-format"}},
}

// addMethodFlag adds --method, which names one of the methods; auto says what the default does.
func AddMethodFlag(cmd *cobra.Command, methods []string, auto string) {
	cmd.Flags().String("method", "", "auto ("+auto+"), rgm (the learned policy), "+search.SoftMethods(methods)+"or a search without learning; "+
		"those are "+strings.Join(search.Unlearned(methods), ", ")+" (default auto, with --profile profile)")
	settings.Complete(cmd, "method", methods...)
}

// addSeedFlag adds --seed, which is the same of every command.
func AddSeedFlag(cmd *cobra.Command) {
	cmd.Flags().Uint64("seed", 0, "seed of all random choices (default 0)")
}

func AddAffinityFlag(cmd *cobra.Command) {
	cmd.Flags().String("affinity", search.AffinityGiven, "affinities to search by: given, or learned, against outliers; learned are those that a network re-weighed, but where some are negative; also an .onnx file of rgm-lab train affinity; the objective shown is that of the given ones")
	settings.CompleteOrFile(cmd, "affinity", rgm.Affinities()...)
}

func AddGoalFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Int("inliers", 0, "match this many nodes (default any number that pays); of a method that matches all, the weakest are released")
	flags.String("regularize", "none", "multiply the score of m matches by a function f(m), against outliers: none, f1, f2, f3 (the paper's), mean (1/m), mean:p (1/m^p) or null (1 over the best score of m matches on shuffled edges)")
	flags.StringSlice("fix", nil, "matches that are known and stay: `i:a`,…, node i of graph 1 with node a of graph 2, from 0")
	flags.Bool("profile", false, "show the best objective of every number of matches (method profile)")
	settings.Complete(cmd, "regularize", "none", "f1", "f2", "f3", "mean", "null")
}

// addReadingShape adds the flags that say how to read an affinity matrix.
func AddReadingShape(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Int("n1", 0, "nodes of graph 1 of an affinity matrix (default from n2, or the square root of its vertices)")
	flags.Int("n2", 0, "nodes of graph 2 of an affinity matrix (default from n1, or the same root)")
	flags.String("order", "row", "vertices of an affinity matrix: row (i·n2+a) or col (a·n1+i, as pygmtools writes)")
	flags.String("sense", "max", "whether an affinity matrix is maximised (max) or minimised (min)")
	flags.Bool("complete", false, "match min(n1,n2) nodes (always for .dat)")
	settings.Complete(cmd, "order", "row", "col")
	settings.Complete(cmd, "sense", "max", "min")
}

func AddReadingFlags(cmd *cobra.Command) {
	AddReadingShape(cmd)
	cmd.Flags().String("member", "", "the only array of an .npz file to read")
	cmd.Flags().String("topology", "", "the files are flows (.mtx, .graph of METIS, edge list) between facilities that go to these places: "+qap.TopologyForms)
}

func AddSearchFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.String("model", "", "network of the method: a pretrained model, or an .onnx file (default "+rgm.ModelMatching+" for affinity matrices, else "+rgm.ModelQAP+")")
	flags.String("provider", networks.ProviderAuto, "what evaluates networks: cpu (ONNX Runtime), cuda or cuda:N (ONNX Runtime on GPU N), go (plain Go), or auto (cpu, and go where ONNX Runtime cannot be had)")
	flags.Int("rollouts", search.DefaultRollouts, "searches by the policy that advance side by side")
	flags.Int("beam", 1, "states of a beam search by the policy, in place of rollouts where more than 1")
	flags.Duration("time-limit", 0, "wall clock for an instance once it is loaded (default none)")
	flags.Int("max-steps", 0, "steps of a rollout, or swaps of tabu search (default from the size)")
	flags.Int("steps-per-node", 0, "in place of --max-steps: steps for each node of the larger graph (default none)")
	flags.Int("patience", 0, "steps without a better solution that end a search, the paper's T_es (default from the size; with --max-steps or --steps-per-node none)")
	flags.String("refine", search.RefineNone, "improve the result of any method: none, rewrite (local rewriting), ipfp or tabu, or a model that does; takes half of the time limit")
	flags.String("start", "", "with --revocable=false: where rollouts begin: empty, or supported, each at a match that the leading eigenvector of the affinities favours (default empty)")
	flags.Int("restarts", 1, "starts of faq; the best result counts")
	flags.Int("threads", 0, "processors that search one instance; where steps limit the search its result is the same on any number (default all for a single instance, else 1)")
	settings.CompleteOrFile(cmd, "model", pretrained.Names()...)
	settings.Complete(cmd, "provider", networks.Providers()...)
	settings.Complete(cmd, "refine", search.Refinements()...)
	settings.Complete(cmd, "start", search.StartEmpty, search.StartSupported)
}

// CompleteModels offers the names of models to shells, and files.
func CompleteModels(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return pretrained.Names(), cobra.ShellCompDirectiveDefault
}

func AddLogFlags(cmd *cobra.Command) {
	cmd.Flags().Bool("quiet", false, "on standard error only what fails")
	cmd.Flags().String("log-format", console.LogText, "lines on standard error: text or json")
	settings.Complete(cmd, "log-format", console.LogText, console.LogJSON)
}

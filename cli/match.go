package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/graphpairs"
	"github.com/rgm-go/rgm/cli/pictures"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/search"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/verbs"
	"github.com/rgm-go/rgm/datasets/graphs"
)

// matchSettings are the settings of rgm match.
type matchSettings struct {
	Search rgm.Options `mapstructure:",squash"`
	Batch  verbs.Batch `mapstructure:",squash"`

	Provider   string `mapstructure:"provider"`
	Repeats    string `mapstructure:"repeats"`
	Known      string `mapstructure:"known"`
	Similarity string `mapstructure:"similarity"`
	YDown      bool   `mapstructure:"y-down"`
	View       string `mapstructure:"view"`
}

func newMatch(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "match [flags] A B",
		Short: "Match two graphs or sets of points",
		Long: `Match two graphs or sets of points, or those in two folders whose files have the same
names. What is compared is chosen from what the files have, and told on standard
error: edges that both graphs have, else those that --edges makes of points; by
their features, weights or lengths, on a scale that the data give. Columns and
attributes are compared with those of the same name, words as equal or not.
Graphs without attributes, and large ones, are aligned by their structure (--method
align; bp begins with belief propagation): the answer says how many edges are shared,
and how sure each match is. Up to 3000 nodes tabu, population, anneal and faq do so too.

` + settings.Wrapped("Files are read by their extensions: "+graphs.Formats()+". A first column of words, or one called name, names the nodes."),
		Example: `  rgm match -o pair.svg left.csv right.csv
  rgm match --edges delaunay --affinity learned --format csv left.csv right.csv
  rgm match --fix hazel:Hazel --format tsv left.graphml right.gml
  rgm match --time-limit 1s --out found --resume before after`,
		Args: settings.Arguments(cobra.ExactArgs(2)),
		RunE: settings.Merged(func(cmd *cobra.Command, s matchSettings, args []string) error {
			s.Search.Method = search.MethodOr(&s.Search)
			return match(cmd, c, &s, args[0], args[1])
		}),
	}
	verbs.AddOptions(cmd, "match", methods())
	verbs.AddForms(cmd, "known", "similarity")
	verbs.AddProviderFlag(cmd)
	flags := cmd.Flags()
	flags.String("repeats", string(graphs.RepeatsAuto), "weight of an edge that a file has several times: sum, last, count (how often), or auto (weights that grow as times do are left out; else they have to be the same)")
	verbs.AddBatchFlags(cmd, "pairs of files", "table, json (one object a line), csv or tsv (the pairs of nodes)",
		"picture to write, .svg or .png, or a folder for results and pictures; these are NAME.json and NAME.svg, and NAME.error.json where one failed")
	flags.Bool("y-down", false, "y counts downwards in the picture, as in images")
	verbs.AddViewFlag(cmd)
	settings.Complete(cmd, "edges", "auto", "given", "complete", "delaunay", "knn:8")
	settings.Complete(cmd, "repeats", graphs.RepeatsRules()...)
	return cmd
}

// check returns an error that lists everything the settings have wrong.
func (s *matchSettings) check(folders bool) error {
	var effectErr error
	checked := s.Search
	if s.aligns() || rgm.NeedsFlows(s.Search.Method) { // the solver lists the flags that have no effect on them, and takes known pairs or says which method does
		checked.Fix = nil
	} else {
		effectErr = search.CheckEffect(&s.Search, s.Provider, s.Search.Method)
	}
	errs := []error{
		settings.OneOf("repeats", s.Repeats, graphs.RepeatsRules()...),
		settings.OneOf("view", s.View, pictures.Views...),
		effectErr,
		search.Check(&checked, s.Provider, methods()),
		s.Batch.Check(report.Table, report.JSON, report.CSV, graphpairs.TSV),
		settings.ErrorIf(s.Search.Refine == rgm.MethodTabu, "--refine %s: it is for quadratic assignment; want rewrite or ipfp", s.Search.Refine),
	}
	if s.Batch.Folder.IsPicture() {
		errs = append(errs, settings.ErrorIf(folders, "--out %s: want a folder for the results and pictures of two folders", s.Batch.Folder.Out))
	} else if format := settings.FileFormat(s.Batch.Folder.Out); format != "" && !folders {
		errs = append(errs, fmt.Errorf("--out %s: want a name that ends in .svg or .png, or a folder", s.Batch.Folder.Out))
	}
	return errors.Join(errs...)
}

// methods returns the values of --method.
func methods() []string {
	return append(search.MethodNames(), rgm.GraphMethodsAlone()...)
}

// aligns reports whether --method is one of those that align graphs.
func (s *matchSettings) aligns() bool { return slices.Contains(rgm.GraphMethods(), s.Search.Method) }

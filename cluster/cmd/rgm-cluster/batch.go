package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/search"
	"github.com/rgm-go/rgm/cli/service"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/verbs"
	"github.com/rgm-go/rgm/cluster/batch"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/infer/request"
)

// batchSettings are the settings of rgm-cluster batch.
type batchSettings struct {
	Search   rgm.Options      `mapstructure:",squash"`
	Log      console.Settings `mapstructure:",squash"`
	NATS     string           `mapstructure:"nats"`
	Silence  time.Duration    `mapstructure:"silence"`
	Out      string           `mapstructure:"out"`
	N1       int              `mapstructure:"n1"`
	N2       int              `mapstructure:"n2"`
	Order    string           `mapstructure:"order"`
	Sense    string           `mapstructure:"sense"`
	MaxNodes int              `mapstructure:"max-nodes"`
	Keep     time.Duration    `mapstructure:"keep"`
}

func newBatch(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "batch --nats ADDRESS --out DIR INSTANCE…",
		Short: "Solve many instances by the workers of a durable queue",
		Long: `Put instances into the durable queue that rgm-cluster worker solves, wait for the results,
and write each into DIR as it arrives, as rgm solve --out does: NAME.json, or
NAME.error.json where there is none. An INSTANCE is what it is for rgm solve; a file
holds one instance.

Told to stop (SIGINT, SIGTERM) it writes the results that are there; the other jobs go
on. The same instance and options are the same job: stopped or killed and run again,
nothing is solved twice while its result is kept.`,
		Example: `  rgm-cluster batch --nats nats://queue:4222 --out results --time-limit 10s problems`,
		Args:    settings.Arguments(cobra.MinimumNArgs(1)),
		RunE: settings.Merged(func(cmd *cobra.Command, s batchSettings, args []string) error {
			s.Search.Method = search.MethodOr(&s.Search)
			return runBatch(cmd.Context(), c, &s, args)
		}),
	}
	flags := cmd.Flags()
	flags.StringP("out", "o", "", "`folder` for the results")
	verbs.AddOptions(cmd, "solve", search.MethodNames())
	verbs.AddReadingShape(cmd)
	verbs.AddLogFlags(cmd)
	service.AddQueueFlags(flags)
	flags.Int("max-nodes", 1000, "most nodes of a graph")
	flags.Duration("keep", 24*time.Hour, "how long results stay in the queue")
	return cmd
}

func runBatch(ctx context.Context, c *console.Console, s *batchSettings, args []string) (err error) {
	c.ApplyTimed(s.Log)
	inputs, expandErr := qaplib.Expand(args)
	errs := []error{
		search.Check(&s.Search, networks.ProviderAuto, search.MethodNames()), search.CheckFix(s.Search.Fix), s.Log.Check(), checkServer(s.NATS), expandErr,
		settings.ErrorIf(s.Out == "", "--out is missing: want a folder for the results"),
	}
	if err := settings.Usage(errs...); err != nil {
		return err
	}
	if err := os.MkdirAll(s.Out, 0o777); err != nil {
		return err
	}
	q, err := openQueue(ctx, c, s.NATS, s.Keep, s.Silence)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, q.Close()) }()
	return batch.New(c, q, batch.Options{Out: s.Out, MaxNodes: s.MaxNodes, Request: s.asked}, inputs).Run(ctx)
}

// asked returns what is to be solved of an input.
func (s *batchSettings) asked(in qaplib.Input) (*request.Request, error) {
	r := &request.Request{Options: s.Search}
	var err error
	if in.Embedded {
		r.Format = "json"
		r.Body, err = json.Marshal(request.Instance{Kind: "qaplib", Name: in.Path})
		return r, err
	}
	extension := filepath.Ext(in.Path)
	r.Format, r.Name = strings.TrimPrefix(extension, "."), batch.InputName(in)
	r.N1, r.N2, r.Order, r.Sense = s.N1, s.N2, s.Order, s.Sense
	r.Body, err = os.ReadFile(in.Path)
	return r, err
}

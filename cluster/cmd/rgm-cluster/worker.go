package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/service"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/internal/version"
	"github.com/rgm-go/rgm/serve"
)

// workerSettings are the settings of rgm-cluster worker.
type workerSettings struct {
	Log      console.Settings `mapstructure:",squash"`
	NATS     string           `mapstructure:"nats"`
	Silence  time.Duration    `mapstructure:"silence"`
	Models   string           `mapstructure:"models"`
	Provider string           `mapstructure:"provider"`
	MaxNodes int              `mapstructure:"max-nodes"`
	Memory   string           `mapstructure:"memory"`
	Workers  int              `mapstructure:"workers"`
	Drain    time.Duration    `mapstructure:"drain"`
	Metrics  string           `mapstructure:"metrics"`
}

func newWorker(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "worker --nats ADDRESS",
		Short: "Solve the jobs of a durable queue",
		Long: `Solve the jobs that rgm-cluster serve or batch put into a durable queue, until SIGTERM;
searches that run then end with their best within --drain. Any number of workers may
share a queue. A job whose worker dies goes to another; one that five did not survive
is given up.`,
		Example: `  rgm-cluster worker --nats nats://queue:4222
  rgm-cluster worker --nats nats://a:4222,nats://b:4222,nats://c:4222 --metrics :9090`,
		Args: settings.Arguments(cobra.NoArgs),
		RunE: settings.Merged(func(cmd *cobra.Command, s workerSettings, _ []string) error {
			return runWorker(cmd.Context(), c, &s)
		}),
	}
	cmd.Flags().String("metrics", "", "`address` on which anyone may read /metrics, /v2/health/live and /v2/health/ready, such as :9090 (default none)")
	cmd.Flags().Int("workers", runtime.GOMAXPROCS(0), "searches at a time")
	service.AddFlags(cmd)
	service.AddQueueFlags(cmd.Flags())
	return cmd
}

// options returns the settings as options of a worker, or an error that lists everything they have
// wrong.
func (s *workerSettings) options(c *console.Console) (serve.Options, error) {
	memory, memoryErr := service.ParseMemory(s.Memory)
	models, modelsErr := service.Models(s.Models)
	errs := []error{
		s.Log.Check(), settings.AtLeast(1, "max-nodes", s.MaxNodes), settings.AtLeast(1, "workers", s.Workers), checkServer(s.NATS), memoryErr, modelsErr,
		settings.ErrorIf(s.Drain <= 0, "--drain: want more than 0"),
	}
	if _, _, err := net.SplitHostPort(s.Metrics); s.Metrics != "" && err != nil {
		errs = append(errs, fmt.Errorf("--metrics %q: want HOST:PORT", s.Metrics))
	}
	o := serve.Options{MaxNodes: s.MaxNodes, Memory: memory, Workers: s.Workers, Drain: s.Drain, Models: models, Version: version.Number, Log: c.Log}
	if err := settings.Usage(errs...); err != nil {
		return o, err
	}
	return o, settings.Usage(o.Check())
}

// checkServer returns an error unless an address is that of a server other processes
// reach.
func checkServer(address string) error {
	switch {
	case address == "":
		return errors.New("--nats is missing: want the address of a NATS server, such as nats://127.0.0.1:4222")
	case strings.HasPrefix(address, "embedded:"):
		return errors.New("--nats embedded: is for rgm-cluster serve alone, which then solves by itself; want the address of a NATS server")
	}
	return nil
}

// runWorker solves jobs until ctx ends.
func runWorker(ctx context.Context, c *console.Console, s *workerSettings) (err error) {
	c.ApplyTimed(s.Log)
	o, err := s.options(c)
	if err != nil {
		return err
	}
	service.LimitMemory(o)
	p, err := service.OpenSolver(c, s.Provider, "", o.Models)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	q, err := openQueue(ctx, c, s.NATS, 0, s.Silence)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, q.Close()) }()
	w := serve.NewWorker(p, q, o)
	if s.Metrics != "" {
		stop, err := serveMetrics(c, s.Metrics, w.Handler())
		if err != nil {
			return err
		}
		defer stop()
	}
	c.Log.Info("working", "nats", s.NATS, "workers", s.Workers)
	return w.Work(ctx)
}

// serveMetrics answers requests on an address until stop is called.
func serveMetrics(c *console.Console, address string, h http.Handler) (stop func() error, err error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--metrics: %w", err)
	}
	c.Announce("metrics on", fmt.Sprintf("http://%s/metrics", listener.Addr()))
	server := serve.NewServer(h, 0, 0)
	server.ReadTimeout, server.WriteTimeout = 10*time.Second, 10*time.Second // nothing here takes long
	go server.Serve(listener)
	return server.Close, nil
}

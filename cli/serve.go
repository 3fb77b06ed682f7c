package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/service"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/verbs"
	"github.com/rgm-go/rgm/internal/version"
	"github.com/rgm-go/rgm/serve"
)

// serveSettings are the settings of rgm serve.
type serveSettings struct {
	Log           console.Settings `mapstructure:",squash"`
	Listen        string           `mapstructure:"listen"`
	Token         string           `mapstructure:"token"`
	TokenFile     string           `mapstructure:"token-file"`
	Insecure      bool             `mapstructure:"insecure"`
	Models        string           `mapstructure:"models"`
	Browser       string           `mapstructure:"browser"`
	Provider      string           `mapstructure:"provider"`
	Recall        string           `mapstructure:"recall"`
	MaxBody       string           `mapstructure:"max-body"`
	MaxNodes      int              `mapstructure:"max-nodes"`
	Memory        string           `mapstructure:"memory"`
	DefaultTime   time.Duration    `mapstructure:"default-time"`
	MaxTime       time.Duration    `mapstructure:"max-time"`
	Workers       int              `mapstructure:"workers"`
	Queue         int              `mapstructure:"queue"`
	Keep          time.Duration    `mapstructure:"keep"`
	MaxResults    string           `mapstructure:"max-results"`
	HeaderTimeout time.Duration    `mapstructure:"header-timeout"`
	BodyTimeout   time.Duration    `mapstructure:"body-timeout"`
	WriteTimeout  time.Duration    `mapstructure:"write-timeout"`
	IdleTimeout   time.Duration    `mapstructure:"idle-timeout"`
	Drain         time.Duration    `mapstructure:"drain"`
	NATS          string           `mapstructure:"nats"`
	Silence       time.Duration    `mapstructure:"silence"`
}

// newServe returns the verb; open opens durable queues, where the program has them.
func newServe(c *console.Console, open service.QueueOpener) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Answer requests to solve instances over HTTP",
		Long: `Answer requests to solve instances over HTTP: POST /v1/solve waits for the result,
POST /v1/jobs does not, / is a page for people, and /docs describes all of it.

Once it listens it says so on standard error. SIGTERM makes it not ready at once;
running searches end with their best within --drain, and it exits with 0.

Beyond this machine it listens only with a token, or if it is told that it is
--insecure. Clients name models, never files.`,
		Example: `  rgm serve
  rgm serve --listen :8080 --token-file /etc/rgm/token --models /srv/models
  curl -H 'Content-Type: application/json' -d '{"instance":{"kind":"qaplib","name":"nug30"}}' http://127.0.0.1:8080/v1/solve`,
		Args: settings.Arguments(cobra.NoArgs),
		RunE: settings.Merged(func(cmd *cobra.Command, s serveSettings, _ []string) error {
			if cmd.Flags().Changed("token") && s.Token == "" {
				return settings.Usage(errors.New("--token is empty: want a token, or no --token for a service that asks for none"))
			}
			return runService(cmd.Context(), c, &s, open)
		}),
	}
	flags := cmd.Flags()
	flags.String("listen", "127.0.0.1:8080", "`address` to listen on; port 0 picks one")
	flags.String("token", "", "what clients must show: Authorization: Bearer `TOKEN` (default none); others see it in the list of processes, so better use --token-file or RGM_TOKEN")
	flags.String("token-file", "", "`file` that holds the token")
	flags.String("browser", "", "`folder` that web/build --site made: the page can then compute in the browser and send nothing (default the folder browser beside the program, where there is one)")
	flags.Bool("insecure", false, "listen beyond this machine, or behind a proxy, without a token")
	flags.Duration("header-timeout", 5*time.Second, "time in which the headers of a request must arrive")
	flags.Duration("body-timeout", 30*time.Second, "time in which the body of a request must arrive")
	flags.Duration("write-timeout", 10*time.Second, "time in which a client must take each piece of an answer")
	flags.Duration("idle-timeout", time.Minute, "time after which a connection without requests is closed")
	flags.String("max-body", "32MiB", "most `bytes` of a request's body, with KiB, MiB or GiB")
	flags.Duration("default-time", time.Second, "time of a search that sets no limit")
	flags.Duration("max-time", time.Minute, "longest time that a request may ask for")
	flags.Int("queue", 64, "most jobs that wait in memory; further ones are answered 429 (a durable queue holds a million)")
	flags.Duration("keep", time.Hour, "how long results are kept")
	flags.String("max-results", "256MiB", "most `bytes` of results that the queue in memory keeps, with KiB, MiB or GiB; the oldest go first")
	flags.Int("workers", 0, "searches at a time (default one a core; none where the queue is a server whose jobs workers solve)")
	service.AddFlags(cmd)
	verbs.AddRecallFlag(cmd)
	service.AddQueueFlags(flags)
	flags.Lookup("nats").Usage = "durable queue: `address` of a NATS server (several of a cluster, with commas), whose jobs workers solve, or embedded:DIR for one machine (default memory)"
	if open == nil { // rgm says where they are
		flags.Lookup("nats").Hidden, flags.Lookup("silence").Hidden = true, true
	}
	return cmd
}

// options returns the settings as options of the service, or an error that lists
// everything they have wrong.
func (s *serveSettings) options(c *console.Console) (serve.Options, error) {
	maxBody, bodyErr := service.ParseBytes("max-body", s.MaxBody)
	maxResults, resultsErr := service.ParseBytes("max-results", s.MaxResults)
	memory, memoryErr := service.ParseMemory(s.Memory)
	token, tokenErr := s.token()
	models, modelsErr := service.Models(s.Models)
	browser, browserErr := s.browser()
	errs := []error{
		s.Log.Check(), bodyErr, resultsErr, memoryErr, tokenErr, modelsErr, browserErr, s.checkListen(token),
		settings.AtLeast(1, "max-nodes", s.MaxNodes), settings.AtLeast(0, "workers", s.Workers), settings.AtLeast(1, "queue", s.Queue),
	}
	for _, d := range []struct {
		name  string
		value time.Duration
	}{
		{"default-time", s.DefaultTime}, {"max-time", s.MaxTime}, {"keep", s.Keep}, {"header-timeout", s.HeaderTimeout},
		{"body-timeout", s.BodyTimeout}, {"write-timeout", s.WriteTimeout}, {"idle-timeout", s.IdleTimeout}, {"drain", s.Drain},
	} {
		if d.value <= 0 {
			errs = append(errs, fmt.Errorf("--%s %v: want more than 0", d.name, d.value))
		}
	}
	o := serve.Options{
		MaxBody: maxBody, Memory: memory, MaxNodes: s.MaxNodes, DefaultTime: s.DefaultTime, MaxTime: s.MaxTime, Workers: s.Workers, Waiting: s.Queue,
		Keep: s.Keep, MaxResults: maxResults, BodyTimeout: s.BodyTimeout, WriteTime: s.WriteTimeout, Drain: s.Drain, Token: token, AnyHost: s.Insecure, Models: models,
		Version: version.Number, Log: c.Log, Browser: browser,
	}
	if s.NATS != "" && !strings.HasPrefix(s.NATS, "embedded:") && s.Workers == 0 {
		o.Workers = serve.NoWorkers
	}
	if err := settings.Usage(errs...); err != nil {
		return o, err
	}
	return o, settings.Usage(o.Check())
}

// browser returns the folder of the solver for browsers, nil where there is none.
func (s *serveSettings) browser() (fs.FS, error) {
	path := s.Browser
	if path == "" {
		program, err := os.Executable()
		if err != nil {
			return nil, nil // the page then leaves it to the service
		}
		path = filepath.Join(filepath.Dir(program), "browser")
	}
	folder := os.DirFS(path)
	if _, err := fs.Stat(folder, serve.BrowserModule); err == nil {
		return folder, nil
	}
	if s.Browser == "" {
		return nil, nil
	}
	return nil, fmt.Errorf("--browser %s: no %s there: want the folder that web/build --site makes", s.Browser, serve.BrowserModule)
}

// token returns the token, from the flag or the file.
func (s *serveSettings) token() (string, error) {
	if s.TokenFile == "" {
		return s.Token, nil
	}
	if s.Token != "" {
		return "", errors.New("--token and --token-file: want one of them")
	}
	text, err := os.ReadFile(s.TokenFile)
	if err != nil {
		return "", fmt.Errorf("--token-file: %w", err)
	}
	token := strings.TrimSpace(string(text))
	if token == "" {
		return "", fmt.Errorf("--token-file %s: the file is empty", s.TokenFile)
	}
	return token, nil
}

// checkListen returns an error if others than this machine would be served without a
// token.
func (s *serveSettings) checkListen(token string) error {
	host, _, err := net.SplitHostPort(s.Listen)
	if err != nil {
		return fmt.Errorf("--listen %q: want HOST:PORT", s.Listen)
	}
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() || token != "" || s.Insecure {
		return nil
	}
	return fmt.Errorf("--listen %s: beyond this machine a --token-file is needed, or --insecure", s.Listen)
}

// checkQueue returns an error where a durable queue is wanted of a program that has none.
func checkQueue(address string, open service.QueueOpener) error {
	return settings.Usage(settings.ErrorIf(address != "" && open == nil,
		"--nats %s: durable queues are of the program rgm-cluster: run the same command with rgm-cluster", address))
}

// runService serves until ctx ends, and then drains.
func runService(ctx context.Context, c *console.Console, s *serveSettings, open service.QueueOpener) (err error) {
	if err := checkQueue(s.NATS, open); err != nil {
		return err
	}
	c.ApplyTimed(s.Log)
	o, err := s.options(c)
	if err != nil {
		return err
	}
	service.LimitMemory(o)
	p, err := service.OpenSolver(c, s.Provider, s.Recall, o.Models)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	if s.NATS != "" {
		if o.Queue, err = open(ctx, c, s.NATS, s.Keep, s.Silence); err != nil {
			return err
		}
	}
	listener, err := net.Listen("tcp", s.Listen)
	if err != nil {
		return err
	}
	c.Announce("listening on", "http://"+listener.Addr().String())
	h := serve.NewHandler(p, o)
	defer func() { err = errors.Join(err, h.Close()) }()
	server := serve.NewServer(h, s.HeaderTimeout, s.IdleTimeout)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	return drain(c, h, server, s.Drain)
}

// drain ends the service in good order, within a time.
func drain(c *console.Console, h *serve.Handler, server *http.Server, within time.Duration) error {
	c.Log.Info("draining", "within", within)
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	if err := h.Drain(ctx); err != nil {
		c.Log.Warn("not all searches ended in time", "error", err)
	}
	if err := server.Shutdown(ctx); err != nil {
		c.Log.Warn("clients were cut off", "error", err)
		return server.Close()
	}
	return nil
}

// Package console is standard error: the log and, on a terminal, a progress bar.
package console

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/rgm-go/rgm/cli/settings"
)

// Console is standard error: the log and, on a terminal, a progress bar below it.
type Console struct {
	Log      *slog.Logger
	terminal bool
	json     bool // whether the log is

	mu  sync.Mutex
	out io.Writer
	bar *progressbar.ProgressBar // on the screen; nil without one
}

// New returns the console of a file: standard error.
func New(file *os.File) *Console {
	c := &Console{out: file, terminal: term.IsTerminal(int(file.Fd()))}
	c.Log = slog.New(slog.NewTextHandler(c, &slog.HandlerOptions{ReplaceAttr: withoutTime}))
	return c
}

// Settings say what is logged, and how.
type Settings struct {
	Quiet     bool   `mapstructure:"quiet"`
	LogFormat string `mapstructure:"log-format"`
}

// The values of --log-format.
const (
	LogText = "text"
	LogJSON = "json"
)

// Check returns an error of settings that cannot be used.
func (s *Settings) Check() error { return settings.OneOf("log-format", s.LogFormat, LogText, LogJSON) }

// Apply makes the console follow settings: quiet it shows errors only, and no bar.
func (c *Console) Apply(s Settings) { c.apply(s, withoutTime) }

// ApplyTimed is Apply for commands that run for days, whose lines of text have the time
// too.
func (c *Console) ApplyTimed(s Settings) { c.apply(s, nil) }

// apply takes what changes the attributes of lines of text.
func (c *Console) apply(s Settings, ofText func([]string, slog.Attr) slog.Attr) {
	options := slog.HandlerOptions{ReplaceAttr: ofText}
	if s.Quiet {
		options.Level, c.terminal = slog.LevelError, false
	}
	if c.json = s.LogFormat == LogJSON; c.json {
		options.ReplaceAttr = withUnits
		c.Log = slog.New(slog.NewJSONHandler(c, &options))
		return
	}
	c.Log = slog.New(slog.NewTextHandler(c, &options))
}

// Announce says where a service is to be found, however quiet: in text a line "what url",
// in JSON an object.
func (c *Console) Announce(what, url string) {
	if c.json {
		slog.New(slog.NewJSONHandler(c, nil)).Info(what, "url", url)
		return
	}
	fmt.Fprintf(c, "%s %s\n", what, url)
}

// Fail shows the error that ends a program.
func (c *Console) Fail(program string, err error) {
	c.EndBar()
	if c.json {
		c.Log.Error(err.Error())
		return
	}
	fmt.Fprintf(c.out, "%s: %v\n", program, err)
}

// Discard returns a console that nobody sees.
func Discard() *Console {
	return &Console{out: io.Discard, Log: slog.New(slog.DiscardHandler)}
}

// withoutTime drops the time of log lines, which nobody reads on a terminal and
// whatever collects logs adds itself.
func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

// withUnits writes durations as lines of text do, "1.5s": as JSON they would be bare
// nanoseconds.
func withUnits(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		a.Value = slog.StringValue(a.Value.Duration().String())
	}
	return a
}

// Warns warns of an instance.
func (c *Console) Warns(instance, message string) { c.Log.Warn(message, "instance", instance) }

// Write writes lines of the log above the bar.
func (c *Console) Write(lines []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bar == nil {
		return c.out.Write(lines)
	}
	if err := c.bar.Clear(); err != nil {
		return 0, err
	}
	n, err := c.out.Write(lines)
	if err == nil {
		err = c.bar.RenderBlank()
	}
	return n, err
}

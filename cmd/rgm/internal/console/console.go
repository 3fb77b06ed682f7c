// Package console is standard error: the log and, on a terminal, a progress bar.
package console

import (
	"io"
	"log/slog"
	"os"
	"sync"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Console is standard error: the log and, on a terminal, a progress bar below it.
type Console struct {
	Log      *slog.Logger
	terminal bool

	mu  sync.Mutex
	out io.Writer
	bar *progressbar.ProgressBar // on the screen; nil without one
}

func New(file *os.File) *Console {
	c := &Console{out: file, terminal: term.IsTerminal(int(file.Fd()))}
	c.Log = slog.New(slog.NewTextHandler(c, &slog.HandlerOptions{ReplaceAttr: withoutTime}))
	return c
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

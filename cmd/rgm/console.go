package main

import (
	"io"
	"log/slog"
	"os"
	"sync"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// console is standard error: the log and, on a terminal, a progress bar below it.
type console struct {
	log      *slog.Logger
	terminal bool

	mu  sync.Mutex
	out io.Writer
	bar *progressbar.ProgressBar // on the screen; nil without one
}

func newConsole(file *os.File) *console {
	c := &console{out: file, terminal: term.IsTerminal(int(file.Fd()))}
	c.log = slog.New(slog.NewTextHandler(c, &slog.HandlerOptions{ReplaceAttr: withoutTime}))
	return c
}

// discard returns a console that nobody sees.
func discard() *console {
	return &console{out: io.Discard, log: slog.New(slog.DiscardHandler)}
}

// withoutTime drops the time of log lines, which nobody reads on a terminal and
// whatever collects logs adds itself.
func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

// warns warns of an instance.
func (c *console) warns(instance, message string) { c.log.Warn(message, "instance", instance) }

// Write writes lines of the log above the bar.
func (c *console) Write(lines []byte) (int, error) {
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

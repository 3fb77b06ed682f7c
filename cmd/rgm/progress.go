package main

import (
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/rgm-go/rgm/infer"
)

// progress is a bar on the console. That a bar cannot be drawn is no reason to
// stop, so its errors are passed over.
type progress struct {
	console *console
	bar     *progressbar.ProgressBar
}

// startBar shows, on a terminal, a bar that counts and is full at total, in place
// of the one before.
func (c *console) startBar(total int64, description string, more ...progressbar.Option) progress {
	return c.startPlainBar(total, description, append(more, progressbar.OptionShowCount())...)
}

// startPlainBar is startBar without the count.
func (c *console) startPlainBar(total int64, description string, more ...progressbar.Option) progress {
	c.endBar()
	options := append([]progressbar.Option{
		progressbar.OptionSetWriter(c.out),
		progressbar.OptionSetVisibility(c.terminal),
		progressbar.OptionSetDescription(description),
		progressbar.OptionThrottle(100 * time.Millisecond),
		progressbar.OptionFullWidth(),
		progressbar.OptionClearOnFinish(),
	}, more...)
	p := progress{c, progressbar.NewOptions64(total, options...)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.terminal {
		c.bar = p.bar
	}
	return p
}

// withRate also shows how many units are done in a second, or a minute.
func withRate(units string) []progressbar.Option {
	return []progressbar.Option{progressbar.OptionShowIts(), progressbar.OptionSetItsString(units)}
}

// endBar takes the bar away.
func (c *console) endBar() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bar != nil {
		c.bar.Clear()
		c.bar = nil
	}
}

// add counts one more done.
func (p progress) add() {
	p.console.mu.Lock()
	defer p.console.mu.Unlock()
	p.bar.Add(1)
}

// expect counts one more to do.
func (p progress) expect() {
	p.console.mu.Lock()
	defer p.console.mu.Unlock()
	p.bar.AddMax(1)
}

// set says how much is done.
func (p progress) set(done int64) {
	p.console.mu.Lock()
	defer p.console.mu.Unlock()
	p.bar.Set64(done)
}

// describe says what is being done.
func (p progress) describe(text string) {
	p.console.mu.Lock()
	defer p.console.mu.Unlock()
	p.bar.Describe(text)
}

// session returns options under which the installation of ONNX Runtime, where one
// is needed, is announced and shown.
func (c *console) session() infer.SessionOptions {
	var bar progress
	shown := ""
	return infer.SessionOptions{Progress: func(stage string, done, total int64) {
		if stage != shown {
			shown = stage
			c.log.Info("installing ONNX Runtime, once for this user", "stage", stage)
			bar = c.startBar(max(total, 1), stage, progressbar.OptionShowBytes(true))
		}
		bar.set(done)
	}}
}

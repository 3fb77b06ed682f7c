package console

import (
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/rgm-go/rgm/infer"
)

// Progress is a bar on the console. That a bar cannot be drawn is no reason to
// stop, so its errors are passed over.
type Progress struct {
	console *Console
	bar     *progressbar.ProgressBar
}

// StartBar shows, on a terminal, a bar that counts and is full at total, in place
// of the one before.
func (c *Console) StartBar(total int64, description string, more ...progressbar.Option) Progress {
	return c.StartPlainBar(total, description, append(more, progressbar.OptionShowCount())...)
}

// StartPlainBar is StartBar without the count.
func (c *Console) StartPlainBar(total int64, description string, more ...progressbar.Option) Progress {
	c.EndBar()
	options := append([]progressbar.Option{
		progressbar.OptionSetWriter(c.out),
		progressbar.OptionSetVisibility(c.terminal),
		progressbar.OptionSetDescription(description),
		progressbar.OptionThrottle(100 * time.Millisecond),
		progressbar.OptionFullWidth(),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetSpinnerChangeInterval(0), // else a goroutine of its own draws, beside Clear, for ever
	}, more...)
	p := Progress{c, progressbar.NewOptions64(total, options...)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.terminal {
		c.bar = p.bar
	}
	return p
}

// Inputs is a bar of how many inputs are answered, shown once there is more than one: of a single
// one its search shows how far it is.
type Inputs struct {
	console     *Console
	description string

	mu             sync.Mutex
	expected, done int64
	bar            Progress // once there is more than one
}

// CountInputs begins to count, of as many inputs as are known.
func (c *Console) CountInputs(expected int, description string) *Inputs {
	i := &Inputs{console: c, description: description, expected: int64(expected)}
	i.show()
	return i
}

// show shows the bar where there is more than one input.
func (i *Inputs) show() {
	if i.expected > 1 && i.bar.bar == nil {
		i.bar = i.console.StartBar(i.expected, i.description, progressbar.OptionSetRenderBlankState(false))
		i.bar.Set(i.done)
	}
}

// Expect counts one more to answer.
func (i *Inputs) Expect() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.expected++
	if i.bar.bar == nil {
		i.show()
		return
	}
	i.bar.Expect()
}

// Add counts one more that is answered.
func (i *Inputs) Add() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.done++
	if i.bar.bar != nil {
		i.bar.Add()
	}
}

// WithRate also shows how many units are done in a second, or a minute.
func WithRate(units string) []progressbar.Option {
	return []progressbar.Option{progressbar.OptionShowIts(), progressbar.OptionSetItsString(units)}
}

// EndBar takes the bar away.
func (c *Console) EndBar() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bar != nil {
		c.bar.Clear()
		c.bar = nil
	}
}

// Add counts one more done.
func (p Progress) Add() {
	p.console.mu.Lock()
	defer p.console.mu.Unlock()
	p.bar.Add(1)
}

// Expect counts one more to do.
func (p Progress) Expect() {
	p.console.mu.Lock()
	defer p.console.mu.Unlock()
	p.bar.AddMax(1)
}

// Set says how much is done.
func (p Progress) Set(done int64) {
	p.console.mu.Lock()
	defer p.console.mu.Unlock()
	p.bar.Set64(done)
}

// Describe says what is being done.
func (p Progress) Describe(text string) {
	p.console.mu.Lock()
	defer p.console.mu.Unlock()
	p.bar.Describe(text)
}

// Session returns options under which the installation of ONNX Runtime, where one
// is needed, is announced and shown.
func (c *Console) Session() infer.SessionOptions {
	var bar Progress
	shown := ""
	return infer.SessionOptions{Install: true, Progress: func(stage string, done, total int64) {
		if stage != shown {
			shown = stage
			c.Log.Info("installing ONNX Runtime, once for this user", "stage", stage)
			bar = c.StartBar(max(total, 1), stage, progressbar.OptionShowBytes(true))
		}
		bar.Set(done)
	}}
}

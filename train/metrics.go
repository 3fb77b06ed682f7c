package train

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
)

// Line is one line of metrics.jsonl: means since the line before, written at
// every validation. Seconds and rates depend on the machine, all else only on the
// seed.
type Line struct {
	Updates       int      `json:"updates"`
	Episodes      int      `json:"episodes"`
	Transitions   int      `json:"transitions"`         // held by the replay
	Epsilon       float64  `json:"epsilon"`             // exploration rate
	Beta          float64  `json:"beta"`                // exponent of the importance weights
	LearningRate  float64  `json:"learning_rate"`       // η
	Loss          *float64 `json:"loss"`                // of an update
	TD            *float64 `json:"td"`                  // |TD error| of a sampled transition
	Q             *float64 `json:"q"`                   // of the action of a sampled transition
	GradientNorm  *float64 `json:"gradient_norm"`       // before clipping
	Entropy       *float64 `json:"entropy,omitempty"`   // of the policy (policy gradients)
	Imitation     *float64 `json:"imitation,omitempty"` // cross-entropy with the guide
	Return        *float64 `json:"return"`              // undiscounted, of an episode that ended
	EpisodeGap    *float64 `json:"episode_gap"`         // of an episode's best solution, in spreads
	ValidationGap *float64 `json:"validation_gap"`      // of the network's rollouts, in spreads

	ValidationStd      *float64           `json:"validation_std"`     // of the gap over the instances
	ValidationRunStd   *float64           `json:"validation_run_std"` // of the gap over the runs
	ValidationBySize   map[string]float64 `json:"validation_by_size"` // gaps by nodes of a graph
	ValidationByFamily map[string]float64 `json:"validation_by_family"`

	BestGap       *float64 `json:"best_gap"`        // least validation_gap of changed weights so far
	Seconds       float64  `json:"seconds"`         // of training so far
	UpdatesPerSec float64  `json:"updates_per_sec"` // over the whole training
}

// ReadMetrics returns the lines of a file of metrics, but for a last one that a
// killed run left incomplete.
func ReadMetrics(path string) ([]Line, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("train: metrics: %w", err)
	}
	return parseMetrics(path, text[:bytes.LastIndexByte(text, '\n')+1])
}

func parseMetrics(path string, text []byte) ([]Line, error) {
	var lines []Line
	for row := range bytes.Lines(text) {
		var line Line
		if err := json.Unmarshal(row, &line); err != nil {
			return nil, fmt.Errorf("train: metrics: %s:%d: %w", path, len(lines)+1, err)
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// window sums what the next line reports.
type window struct {
	Updates             int
	Loss, TD, Q, Norm   float64
	Entropy, Imitation  float64
	Episodes            int
	Return, EpisodesGap float64
}

func (w *window) update(u Update) {
	w.Updates++
	w.Loss += u.Loss
	w.TD += u.MeanTD
	w.Q += u.MeanQ
	w.Norm += u.Norm
	w.Entropy += u.Entropy
	w.Imitation += u.Imitation
}

func (w *window) episode(total, gap float64) {
	w.Episodes++
	w.Return += total
	w.EpisodesGap += gap
}

func (w *window) mean(sum float64, count int) float64 { return sum / float64(count) }

// line reports the window and the validation that ends it.
func (t *Trainer) line(j judgement) Line {
	w, c, share := &t.window, &t.counters, t.share()
	mean := func(sum float64, count int) *float64 { return finite(w.mean(sum, count)) }
	seconds := t.spent.Seconds()
	line := Line{
		Updates: c.Updates, Episodes: c.Episodes, Transitions: t.algorithm.Held(),
		Epsilon: t.config.Epsilon(share), Beta: t.config.Beta(share), LearningRate: t.config.Rate(share),
		Loss: mean(w.Loss, w.Updates), TD: mean(w.TD, w.Updates), Q: mean(w.Q, w.Updates),
		GradientNorm: mean(w.Norm, w.Updates),
		Return:       mean(w.Return, w.Episodes), EpisodeGap: mean(w.EpisodesGap, w.Episodes),
		ValidationGap: finite(j.gap), ValidationStd: finite(j.instanceStd), ValidationRunStd: finite(j.runStd),
		ValidationBySize: j.bySize, ValidationByFamily: j.byFamily,
		BestGap: finite(c.BestGap),
		Seconds: seconds, UpdatesPerSec: float64(c.Updates) / max(seconds, 1e-9),
	}
	if learners[t.config.Learner].Policy {
		line.Entropy = mean(w.Entropy, w.Updates)
	}
	if t.config.Guide != GuideNone {
		line.Imitation = mean(w.Imitation, w.Updates)
	}
	return line
}

// finite returns nil, JSON's null, for a mean of nothing.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// metricsFile is metrics.jsonl, open for appending, with the event file that
// follows from it.
type metricsFile struct {
	file   *os.File
	events *eventFile
}

// openMetrics opens the file and cuts it to size, so that lines written after the
// checkpoint that is resumed from are written again.
func openMetrics(dir string, size int64) (*metricsFile, error) {
	path := filepath.Join(dir, MetricsFile)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("train: metrics: %w", err)
	}
	lines, err := cutMetrics(f, path, size)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	events, err := openEvents(filepath.Join(dir, EventsFile), lines)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &metricsFile{f, events}, nil
}

// cutMetrics cuts the file to size and returns its lines; what is written next is
// appended.
func cutMetrics(f *os.File, path string, size int64) ([]Line, error) {
	text, err := io.ReadAll(io.LimitReader(f, size))
	if err == nil && int64(len(text)) < size {
		err = fmt.Errorf("%s has %d bytes, the checkpoint knows of %d: the two belong together, put back the file that was with it", path, len(text), size)
	}
	if err == nil {
		err = f.Truncate(size)
	}
	if err == nil {
		_, err = f.Seek(size, io.SeekStart)
	}
	if err != nil {
		return nil, fmt.Errorf("train: metrics: %w", err)
	}
	return parseMetrics(path, text)
}

func (m *metricsFile) write(line Line) error {
	data, err := json.Marshal(line)
	if err == nil {
		_, err = m.file.Write(append(data, '\n'))
	}
	if err != nil {
		return fmt.Errorf("train: metrics: %w", err)
	}
	return m.events.write(line)
}

// sync makes the file durable and returns its size.
func (m *metricsFile) sync() (int64, error) {
	if err := m.file.Sync(); err != nil {
		return 0, fmt.Errorf("train: metrics: %w", err)
	}
	return m.file.Seek(0, io.SeekCurrent)
}

func (m *metricsFile) Close() error { return errors.Join(m.file.Close(), m.events.Close()) }

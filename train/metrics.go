package train

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
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
	LearningRate  float64  `json:"learning_rate"`       //
	Loss          *float64 `json:"loss"`                // of an update
	TD            *float64 `json:"td"`                  // |TD error| of a sampled transition
	Q             *float64 `json:"q"`                   // of the action of a sampled transition
	GradientNorm  *float64 `json:"gradient_norm"`       // before clipping
	Entropy       *float64 `json:"entropy,omitempty"`   // of the policy (a2c, ppo)
	Imitation     *float64 `json:"imitation,omitempty"` // cross-entropy with the guide
	Return        *float64 `json:"return"`              // undiscounted, of an episode that ended
	EpisodeGap    *float64 `json:"episode_gap"`         // of an episode's best solution, in spreads
	ValidationGap *float64 `json:"validation_gap"`      // of the network's rollouts, in spreads
	BestGap       float64  `json:"best_gap"`            // least validation_gap so far
	Seconds       float64  `json:"seconds"`             // of training so far
	UpdatesPerSec float64  `json:"updates_per_sec"`     // over the whole training
}

// window sums what the next line reports.
type window struct {
	Updates             int
	Loss, TD, Q, Norm   float64
	Entropy, Imitation  float64
	Episodes            int
	Return, EpisodesGap float64
}

func (w *window) update(u update) {
	w.Updates++
	w.Loss += u.loss
	w.TD += u.meanTD
	w.Q += u.meanQ
	w.Norm += u.norm
	w.Entropy += u.entropy
	w.Imitation += u.imitation
}

func (w *window) episode(total, gap float64) {
	w.Episodes++
	w.Return += total
	w.EpisodesGap += gap
}

func (w *window) mean(sum float64, count int) float64 { return sum / float64(count) }

// line reports the window and the validation that ends it.
func (t *Trainer) line(gap float64) Line {
	w, c, share := &t.window, &t.counters, t.share()
	mean := func(sum float64, count int) *float64 { return finite(w.mean(sum, count)) }
	seconds := t.spent.Seconds()
	line := Line{
		Updates: c.Updates, Episodes: c.Episodes, Transitions: t.algorithm.held(),
		Epsilon: t.config.epsilon(share), Beta: t.config.beta(share), LearningRate: t.config.rate(share),
		Loss: mean(w.Loss, w.Updates), TD: mean(w.TD, w.Updates), Q: mean(w.Q, w.Updates),
		GradientNorm: mean(w.Norm, w.Updates),
		Return:       mean(w.Return, w.Episodes), EpisodeGap: mean(w.EpisodesGap, w.Episodes),
		ValidationGap: finite(gap), BestGap: c.BestGap,
		Seconds: seconds, UpdatesPerSec: float64(c.Updates) / max(seconds, 1e-9),
	}
	if t.config.Learner == LearnerA2C || t.config.Learner == LearnerPPO {
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

// metricsFile is metrics.jsonl, open for appending.
type metricsFile struct{ file *os.File }

// openMetrics opens the file and cuts it to size, so that lines written after the
// checkpoint that is resumed from are written again.
func openMetrics(path string, size int64) (*metricsFile, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("train: metrics: %w", err)
	}
	info, err := f.Stat()
	if err == nil && info.Size() < size {
		err = fmt.Errorf("%s has %d bytes, the checkpoint knows of %d", path, info.Size(), size)
	}
	if err == nil {
		err = f.Truncate(size)
	}
	if err == nil {
		_, err = f.Seek(size, 0)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("train: metrics: %w", err)
	}
	return &metricsFile{f}, nil
}

func (m *metricsFile) write(line Line) error {
	data, err := json.Marshal(line)
	if err == nil {
		_, err = m.file.Write(append(data, '\n'))
	}
	if err != nil {
		return fmt.Errorf("train: metrics: %w", err)
	}
	return nil
}

// sync makes the file durable and returns its size.
func (m *metricsFile) sync() (int64, error) {
	if err := m.file.Sync(); err != nil {
		return 0, fmt.Errorf("train: metrics: %w", err)
	}
	return m.file.Seek(0, 1)
}

func (m *metricsFile) Close() error { return m.file.Close() }

package networks

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/train"
)

// Progress is where the training of a checkpoint stands.
type Progress struct {
	Updates       int      `json:"updates"`
	Episodes      int      `json:"episodes"`
	TotalEpisodes int      `json:"total_episodes"`
	Seconds       float64  `json:"seconds"`            // of training so far
	LastGap       *float64 `json:"last_gap,omitempty"` // of the last validation, in spreads
	LastUpdate    int      `json:"last_update,omitempty"`
	BestGap       *float64 `json:"best_gap,omitempty"` // of the best one
	BestUpdate    int      `json:"best_update,omitempty"`
	Preset        string   `json:"preset"`           // the nearest one
	Changed       []string `json:"changed"`          // keys that have other values than there
	Resume        string   `json:"resume,omitempty"` // the command that goes on
}

func progressOf(path string, l train.Loaded) *Progress {
	p := &Progress{Updates: l.Updates, Episodes: l.Episodes, TotalEpisodes: l.Config.Episodes, Seconds: l.Spent.Seconds()}
	if l.Summary.ValidationGap != nil {
		p.BestGap, p.BestUpdate = l.Summary.ValidationGap, l.Summary.Updates
	}
	if l.Latest != nil {
		p.LastGap, p.LastUpdate = l.Latest.ValidationGap, l.Latest.Updates
	}
	p.Preset, p.Changed = nearestPreset(l.Config)
	if filepath.Base(path) == train.CheckpointFile && p.Episodes < p.TotalEpisodes {
		p.Resume = "rgm train --resume " + filepath.Dir(path)
	}
	return p
}

// nearestPreset returns the preset from which a configuration differs in the fewest keys, and
// those.
func nearestPreset(c train.Config) (name string, changed []string) {
	for _, preset := range train.Presets() {
		of, err := train.Preset(preset)
		if err != nil {
			panic(err) // it is one of those that there are
		}
		if differ := settings.Differing(of.Flat(), c.Flat()); name == "" || len(differ) < len(changed) {
			name, changed = preset, differ
		}
	}
	return name, changed
}

// pairs shows the progress to people.
func (p *Progress) pairs() [][2]string {
	gap := func(gap *float64, update int) string {
		if gap == nil {
			return "none yet"
		}
		return fmt.Sprintf("%.4f spreads, at update %d", *gap, update)
	}
	preset := p.Preset
	if len(p.Changed) > 0 {
		preset += ", but for " + strings.Join(p.Changed, ", ")
	}
	pairs := [][2]string{
		{"progress", fmt.Sprintf("%d of %d episodes, %d updates, %v", p.Episodes, p.TotalEpisodes, p.Updates, time.Duration(p.Seconds*float64(time.Second)).Round(100*time.Millisecond))},
		{"last validation", gap(p.LastGap, p.LastUpdate)},
		{"best validation", gap(p.BestGap, p.BestUpdate)},
		{"preset", preset},
	}
	if p.Resume != "" {
		pairs = append(pairs, [2]string{"goes on with", p.Resume})
	}
	return pairs
}

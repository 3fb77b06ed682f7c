package bench

import (
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/search"
)

// Settings say how to search an instance.
type Settings struct {
	Model     string        `mapstructure:"model"`
	Provider  string        `mapstructure:"provider"`
	Rollouts  int           `mapstructure:"rollouts"`
	Beam      int           `mapstructure:"beam"`
	TimeLimit time.Duration `mapstructure:"time-limit"`
	MaxSteps  int           `mapstructure:"max-steps"`
	PerNode   int           `mapstructure:"steps-per-node"`
	Patience  int           `mapstructure:"patience"`
	Refine    string        `mapstructure:"refine"`
	Restarts  int           `mapstructure:"restarts"`
	Threads   int           `mapstructure:"threads"`
	Affinity  string        `mapstructure:"affinity"`
	Start     string        `mapstructure:"start" json:",omitempty"` // left out of fingerprints where it says nothing
}

// Check returns an error that lists everything the settings have wrong.
func (s *Settings) Check() error {
	o := s.Options()
	return search.Check(&o, s.Provider, nil)
}

// Options returns the settings as options of a search.
func (s *Settings) Options() rgm.Options {
	return rgm.Options{
		Rollouts: s.Rollouts, Beam: s.Beam, MaxSteps: s.MaxSteps, StepsPerNode: s.PerNode, Patience: s.Patience, TimeLimit: s.TimeLimit,
		Start: s.Start, Threads: search.ThreadsFor(s.Threads, false), Model: s.Model, Affinity: s.Affinity, Refine: s.Refine, Restarts: s.Restarts,
	}
}

// CheckEffect returns an error of settings that none of the methods heeds.
func (s *Settings) CheckEffect(methods ...string) error {
	o := s.Options()
	return search.CheckEffect(&o, s.Provider, methods...)
}

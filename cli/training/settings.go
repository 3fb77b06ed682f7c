package training

import (
	"errors"
	"slices"
	"time"

	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/internal/flat"
	"github.com/rgm-go/rgm/train"
	_ "github.com/rgm-go/rgm/train/learners" // by name
)

// RunSettings are those settings of rgm train that are no hyper-parameters.
type RunSettings struct {
	Preset string        `mapstructure:"preset"`
	From   string        `mapstructure:"from"`
	Out    string        `mapstructure:"out"`
	Resume string        `mapstructure:"resume"`
	Time   time.Duration `mapstructure:"time"`

	Updates         int           `mapstructure:"updates"`
	CheckpointEvery time.Duration `mapstructure:"checkpoint-every"`
}

// TrainSettings are the settings of rgm train.
type TrainSettings struct {
	RunSettings
	Config train.Config
}

// Flat returns all settings as one struct.
func (s *TrainSettings) Flat() any { return flat.Join(s.RunSettings, s.Config.Flat()) }

// Decode takes the merged values. Config says what learner they are of.
func (s *TrainSettings) Decode(v *settings.Values) error {
	own := settings.Keys(s.Config.Flat())
	v.Ignore(slices.DeleteFunc(HyperParameters(), func(key string) bool { return slices.Contains(own, key) })...)
	all := flat.Zero(s.Flat())
	if err := v.Decode(all); err != nil {
		return err
	}
	flat.Split(all, &s.RunSettings)
	s.Config.SetFlat(all)
	return nil
}

// Check returns an error that lists everything the settings have wrong.
func (s *TrainSettings) Check() error {
	errs := []error{
		s.Config.Validate(),
		settings.ErrorIf(s.Time < 0, "--time %v: want 0 (none) or more", s.Time),
		settings.AtLeast(0, "updates", s.Updates),
		settings.ErrorIf(s.Resume == "" && s.Updates%max(s.Config.ValidationEvery, 1) != 0, "--updates %d: want a multiple of validation_every, %d", s.Updates, s.Config.ValidationEvery),
		settings.ErrorIf(s.CheckpointEvery <= 0, "--checkpoint-every %v: want more than 0", s.CheckpointEvery),
	}
	return errors.Join(append(errs, checkFolder(s.Out, s.Resume, train.CheckpointFile))...)
}

// labKeys are hyper-parameters of lab.Learners, which configurations written by rgm before have.
var labKeys = []string{
	"clip_ratio", "conjugate_steps", "damping", "entropy", "epochs", "fisher_share", "gae_lambda", "kl_limit", "replay_ratio",
	"segment", "truncation", "value_weight",
}

// Keys returns the keys of rgm train, whatever the learner.
func Keys() []string { return append(settings.Keys(RunSettings{}), HyperParameters()...) }

// HyperParameters returns the keys of the configurations of all learners.
func HyperParameters() []string {
	keys := slices.Concat(settings.Keys(train.Config{}.Flat()), labKeys)
	for _, name := range train.Learners() {
		c, err := train.Config{}.WithLearner(name)
		if err != nil {
			panic(err) // it is one of those that there are
		}
		keys = append(keys, settings.Keys(c.Flat())...)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

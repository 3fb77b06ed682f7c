package train

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/rgm-go/rgm/internal/flat"
	"github.com/rgm-go/rgm/internal/lab"
	"github.com/rgm-go/rgm/models"
)

// Learner is a way to learn. A package that has one registers it when it is imported; package
// learners imports those of rgm train. Package traintest has the tests that it must pass.
type Learner struct {
	Name    string
	Own     Own                      // its configuration beside Config, with the values that it has where a preset says nothing
	Output  func(c *Config) string   // what the numbers are that its networks give
	Policy  bool                     // whether these are logits of a policy, whose entropy the metrics have
	Presets map[string]func() Config // configurations of names
	New     func(c *Config, problems []*Problem, network models.Network) Algorithm
}

// Own are the hyper-parameters that a learner has beside those of Config: a struct whose fields
// have keys of their own (mapstructure tags).
type Own interface {
	// Check notes what they have wrong, by themselves or with the rest of a configuration.
	Check(c *Config, f *Faults)
}

var (
	learners = map[string]Learner{}
	presets  = map[string]func() Config{} // of packages other than the learners'
)

// Register makes a learner one that Config.Learner can name, before the first training begins.
// Two of one name are a programmer's error.
func Register(l Learner) {
	if _, taken := learners[l.Name]; taken {
		panic("train: two learners are called " + l.Name)
	}
	learners[l.Name] = l
}

// RegisterPresets makes configurations of learners known by names of their own.
func RegisterPresets(named map[string]func() Config) { maps.Copy(presets, named) }

// Learners returns the names of the learners.
func Learners() []string { return slices.Sorted(maps.Keys(learners)) }

// Preset returns a named configuration of one of the learners (docs/TRAINING.md).
func Preset(name string) (Config, error) {
	for _, learner := range Learners() {
		if preset, ok := learners[learner].Presets[name]; ok {
			return preset(), nil
		}
	}
	if preset, ok := presets[name]; ok {
		return preset(), nil
	}
	if hint := lab.Hint("a preset", name, lab.Presets); hint != "" {
		return Config{}, fmt.Errorf("train: %s", hint)
	}
	return Config{}, fmt.Errorf("train: unknown preset %q: want %s", name, oneOf(Presets()))
}

// Presets returns the names of the presets.
func Presets() []string {
	names := slices.Collect(maps.Keys(presets))
	for _, l := range learners {
		names = slices.AppendSeq(names, maps.Keys(l.Presets))
	}
	return slices.Sorted(slices.Values(names))
}

// oneOf lists names for an error.
func oneOf(names []string) string {
	if len(names) == 0 {
		return "a program that imports package train/learners, which registers them"
	}
	return fmt.Sprintf("one of %v", names)
}

// WithLearner returns the configuration with a learner and its own defaults.
func (c Config) WithLearner(name string) (Config, error) {
	l, ok := learners[name]
	if !ok {
		if hint := lab.Hint("a learner", name, lab.Learners); hint != "" {
			return c, fmt.Errorf("train: %s", hint)
		}
		return c, fmt.Errorf("train: learner %q: want %s", name, oneOf(Learners()))
	}
	c.Learner, c.Own = name, l.Own
	return c, nil
}

// checkLearner refuses a learner that there is not, and what does not go with it.
func (c *Config) checkLearner(f *Faults) {
	l, ok := learners[c.Learner]
	f.Require(ok, "learner %q: want %s", c.Learner, oneOf(Learners()))
	if ok && fmt.Sprintf("%T", l.Own) != fmt.Sprintf("%T", c.Own) {
		f.Require(false, "learner %s has a configuration %T, want %T: choose it by Config.WithLearner", c.Learner, c.Own, l.Own)
	} else if ok {
		f.Fields(c.Own)
		c.Own.Check(c, f)
	}
}

// Flat returns all of a configuration as one struct, its own included, with a field for every
// key; SetFlat takes one, or a pointer to one, back.
func (c Config) Flat() any {
	if c.Own == nil { // of a learner that this program has not
		return flat.Join(c)
	}
	return flat.Join(c, c.Own)
}

// SetFlat is the reverse of Flat.
func (c *Config) SetFlat(all any) {
	flat.Split(all, c)
	if l, ok := learners[c.Learner]; ok {
		own := flat.Copy(l.Own)
		flat.Split(all, own)
		c.Own = flat.Value(own).(Own)
	}
}

// Algorithm is a learner at work: the part of a training that Config.Learner chooses.
type Algorithm interface {
	// Round acts, learns, or both, once. progress is the share of the budget that is
	// spent. A round that ends with the context's error has changed nothing.
	Round(ctx context.Context, progress float64) (Outcome, error)
	// Trainable is the network that learns.
	Trainable() *Trainable
	// Held returns how many transitions are kept.
	Held() int
	// Save returns what it holds beside the trainable network: a struct, whose exported fields
	// the checkpoint has by their names. Load takes it back: read reads these into the struct
	// that state points to. An Algorithm that holds nothing returns nil, and reads nothing.
	Save() (state any, err error)
	Load(read func(state any) error) error
}

// Outcome is what is reported of a round. It belongs to the algorithm and holds
// until the next round.
type Outcome struct {
	Updates  []Update
	Episodes []Episode
}

// Update is what is reported of one update: means over its samples.
type Update struct {
	Loss, MeanTD, MeanQ float64
	Norm                float64 // of the gradient, before clipping
	Entropy             float64 // of a policy
	Imitation           float64 // cross-entropy with a guide
}

// Add adds what is reported of a part of the samples.
func (u *Update) Add(o Update) {
	u.Loss += o.Loss
	u.MeanTD += o.MeanTD
	u.MeanQ += o.MeanQ
	u.Entropy += o.Entropy
	u.Imitation += o.Imitation
}

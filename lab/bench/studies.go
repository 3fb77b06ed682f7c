package bench

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/datasets/qaplib"
	_ "github.com/rgm-go/rgm/lab/research/learners" // of the backbones
	_ "github.com/rgm-go/rgm/lab/research/paper"    // of the presets
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train"

	"github.com/rgm-go/rgm/internal/suggest"
)

// Study is a list of configurations to compare. lab/notes/EXPERIMENTS.md has results.
type Study struct {
	Name, about string
	variants    []Variant
	HeatMap     bool                       // drawn by class, a variant a row
	Instances   func(instance string) bool // those to measure on; nil takes all
}

// Variant is a configuration: what it changes of the one that all share.
type Variant struct {
	Name     string
	Changes  []string // key=value
	Episodes float64  // times the episodes of the others; 0 is as many
}

// studies are the paper's: its ablations, "Using Alternative RL Backbones",
// "Hyperparameter Sensitivity Study" and "Generalization on QAPLIB".
func studies() []*Study {
	return []*Study{
		{Name: "ablation", about: "one component off at a time", variants: []Variant{
			{Name: "preset"},
			{Name: "not revocable", Changes: []string{"revocable=false", "start_greedy=0", "start_local=0", "start_random=0"}},
			{Name: "no autofill", Changes: []string{"autofill=false"}},
			{Name: "not double", Changes: []string{"double=false"}},
			{Name: "no duelling", Changes: []string{"dueling=false"}},
			{Name: "uniform replay", Changes: []string{"priority_alpha=0"}},
			{Name: "one-step returns", Changes: []string{"n_step=1"}},
			{Name: "no averaging", Changes: []string{"average_decay=0"}},
			{Name: "reward: score", Changes: []string{"reward=score"}},
			{Name: "reward: potential", Changes: []string{"reward=potential"}},
			{Name: "random starts", Changes: []string{"start_greedy=0", "start_local=0", "start_random=1"}},
			{Name: "explore uniformly", Changes: []string{"explore_best=0"}},
			{Name: "demonstrators", Changes: []string{"demonstrators=0.15"}},
			{Name: "paper's network", Changes: []string{"model.architecture=paper", "model.hidden=32", "model.head=16", "model.iterations=3"}},
		}},
		{Name: "backbones", about: "algorithms of reinforcement learning, with episodes for about the same CPU time", variants: []Variant{
			{Name: "DQN", Changes: []string{"learner=dqn", "double=false", "dueling=false", "priority_alpha=0"}},
			{Name: "double DQN", Changes: []string{"learner=dqn", "dueling=false", "priority_alpha=0"}},
			{Name: "duelling DQN", Changes: []string{"learner=dqn", "double=false", "priority_alpha=0"}},
			{Name: "D3QN", Changes: []string{"learner=dqn"}},
			{Name: "A2C", Changes: []string{"learner=a2c", "validation_every=20"}, Episodes: 2.4},
			{Name: "PPO", Changes: []string{"learner=ppo"}, Episodes: 1.1},
			{Name: "TRPO", Changes: []string{"learner=trpo"}, Episodes: 0.5},
			{Name: "ACER", Changes: []string{"learner=acer", "kl_limit=1"}, Episodes: 0.5},
			{Name: "ES", Changes: []string{"learner=es", skipOnly, "learning_rate=0.01", "average_decay=0.9", "validation_every=5"}, Episodes: 10},
			untrained,
		}},
		{Name: "sensitivity", about: "five of the paper's hyper-parameters, one at a time", variants: slices.Concat(
			[]Variant{{Name: "preset"}},
			sweep("batch", "16", "64", "128"),
			sweep("gamma", "0.5", "0.9", "0.97", "0.99"),
			sweep("replay", "4000", "60000"),
			sweep("model.hidden", "4", "8", "16", "32"),
			sweep("model.head", "4", "16", "32"),
			[]Variant{untrained},
		)},
		generalisation(),
		{Name: "protocol", about: "the paper's: trained on the smaller halves of QAPLIB's classes, or on generated instances, measured on the larger halves",
			Instances: inLargerHalf, variants: []Variant{
				{Name: "smaller halves", Changes: []string{"instances=" + train.InstancesQAPLIBSmall}},
				{Name: "generated", Changes: []string{"instances=" + train.InstancesGenerated, "sizes=12,16,20"}},
				untrained,
			}},
	}
}

// untrained is the network as a training begins: its one episode ends before the first update.
var untrained = Variant{Name: "untrained", Changes: []string{"episodes=1", "environments=1", "replay=60000", "warmup=60000"}}

func inLargerHalf(instance string) bool { return !qaplib.InSmallerHalf(instance) }

// sweep returns variants that give one key several values.
func sweep(key string, values ...string) []Variant {
	var all []Variant
	for _, value := range values {
		change := key + "=" + value
		all = append(all, Variant{Name: change, Changes: []string{change}})
	}
	return all
}

// FindStudy returns the study of a name.
func FindStudy(name string) (*Study, error) {
	var names []string
	for _, s := range studies() {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return nil, fmt.Errorf("study %q: want %s", name, suggest.OneOf(names...))
}

// StudyHelp lists the studies for a help text.
func StudyHelp() string {
	var text strings.Builder
	for _, s := range studies() {
		fmt.Fprintf(&text, "  %-15s %s\n", s.Name, strings.ReplaceAll(s.about, ", measured", ",\n"+strings.Repeat(" ", 18)+"measured"))
	}
	return text.String()
}

// distinct returns the variants without values of a sweep that the preset has.
func (s *Study) distinct(preset train.Config) []Variant {
	known := map[string]bool{} // configurations, as text
	return slices.DeleteFunc(slices.Clone(s.variants), func(v Variant) bool {
		config, _ := v.config(preset, nil)
		text := fmt.Sprint(config)
		again := known[text]
		known[text] = true
		return again
	})
}

// Variants returns those of a study with a preset and changes of it, key=value, each once.
func Variants(study, preset string, changes ...string) []Variant {
	of, err := FindStudy(study)
	if err != nil {
		panic(err) // it is in the program
	}
	config, err := train.Preset(preset)
	if err == nil {
		config, err = changed(config, changes)
	}
	if err != nil {
		panic(err) // they are in the program, too
	}
	variants := of.distinct(config)
	for k, v := range variants {
		variants[k].Changes = v.changesFor(config)
	}
	return variants
}

// changesFor returns what the variant changes of a configuration: weights of the skip connection are searched where the network
// has one.
func (v Variant) changesFor(c train.Config) []string {
	return slices.DeleteFunc(slices.Clone(v.Changes), func(change string) bool {
		return change == skipOnly && c.Model.Architecture != models.ArchitectureGain
	})
}

// skipOnly has an evolution strategy search the linear part of the network gain alone.
const skipOnly = "es_weights=skip"

func (s *Study) names() []string {
	var names []string
	for _, v := range s.variants {
		names = append(names, v.Name)
	}
	return names
}

// generalisation trains on the smaller half of one class and measures on the larger
// halves of all. Classes of one instance have no smaller half.
func generalisation() *Study {
	s := &Study{
		Name: "generalisation", about: "trained on one class of QAPLIB, measured on the larger halves of all", HeatMap: true,
		Instances: inLargerHalf,
	}
	s.variants = append(s.variants, untrained)
	for _, class := range qaplib.PaperClasses() {
		if len(qaplib.SmallerHalf(class)) > 0 {
			s.variants = append(s.variants, Variant{Name: class, Changes: []string{"instances=" + train.InstancesQAPLIBSmall + ":" + class}})
		}
	}
	return s
}

package bench

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/datasets"
	_ "github.com/rgm-go/rgm/research/learners" // of the backbones
	"github.com/rgm-go/rgm/train"

	"github.com/rgm-go/rgm/internal/suggest"
)

// Study is a list of configurations to compare. cmd/rgm-lab/notes/EXPERIMENTS.md has results.
type Study struct {
	Name, about string
	variants    []variant
	HeatMap     bool                       // drawn by class, a variant a row
	Instances   func(instance string) bool // those to measure on; nil takes all
}

// variant is a configuration: what it changes of the one that all share.
type variant struct {
	name     string
	changes  []string // key=value
	episodes float64  // times the episodes of the others; 0 is as many
}

// studies are the paper's: its ablations, "Using Alternative RL Backbones",
// "Hyperparameter Sensitivity Study" and "Generalization on QAPLIB".
func studies() []*Study {
	return []*Study{
		{Name: "ablation", about: "one component off at a time", variants: []variant{
			{name: "preset"},
			{name: "not revocable", changes: []string{"revocable=false", "start_greedy=0", "start_local=0", "start_random=0"}},
			{name: "no autofill", changes: []string{"autofill=false"}},
			{name: "not double", changes: []string{"double=false"}},
			{name: "no duelling", changes: []string{"dueling=false"}},
			{name: "uniform replay", changes: []string{"priority_alpha=0"}},
			{name: "one-step returns", changes: []string{"n_step=1"}},
			{name: "no averaging", changes: []string{"average_decay=0"}},
			{name: "reward: score", changes: []string{"reward=score"}},
			{name: "reward: potential", changes: []string{"reward=potential"}},
			{name: "random starts", changes: []string{"start_greedy=0", "start_local=0", "start_random=1"}},
			{name: "explore uniformly", changes: []string{"explore_best=0"}},
			{name: "demonstrators", changes: []string{"demonstrators=0.15"}},
			{name: "paper's network", changes: []string{"model.architecture=paper", "model.hidden=32", "model.head=16", "model.iterations=3"}},
		}},
		{Name: "backbones", about: "algorithms of reinforcement learning, with episodes for about the same CPU time", variants: []variant{
			{name: "DQN", changes: []string{"learner=dqn", "double=false", "dueling=false", "priority_alpha=0"}},
			{name: "double DQN", changes: []string{"learner=dqn", "dueling=false", "priority_alpha=0"}},
			{name: "D3QN", changes: []string{"learner=dqn"}},
			{name: "A2C", changes: []string{"learner=a2c", "validation_every=20"}, episodes: 2.4},
			{name: "PPO", changes: []string{"learner=ppo"}, episodes: 1.1},
			{name: "TRPO", changes: []string{"learner=trpo"}, episodes: 0.5},
			{name: "ACER", changes: []string{"learner=acer", "kl_limit=1"}, episodes: 0.5},
			{name: "ES", changes: []string{"learner=es", "es_weights=skip", "learning_rate=0.01", "average_decay=0.9", "validation_every=5"}, episodes: 10},
			untrained,
		}},
		{Name: "sensitivity", about: "five of the paper's hyper-parameters, one at a time", variants: slices.Concat(
			[]variant{{name: "preset"}},
			sweep("batch", "16", "64", "128"),
			sweep("gamma", "0.5", "0.9", "0.97", "0.99"),
			sweep("replay", "4000", "60000"),
			sweep("model.hidden", "4", "8", "16", "32"),
			sweep("model.head", "4", "16", "32"),
			[]variant{untrained},
		)},
		generalisation(),
		{Name: "protocol", about: "the paper's: trained on the smaller halves of QAPLIB's classes, or on generated instances, measured on the larger halves",
			Instances: inLargerHalf, variants: []variant{
				{name: "smaller halves", changes: []string{"instances=" + train.InstancesQAPLIBSmall}},
				{name: "generated", changes: []string{"instances=" + train.InstancesGenerated, "sizes=12,16,20"}},
				untrained,
			}},
	}
}

// untrained is the network as a training begins: its one episode ends before the first update.
var untrained = variant{name: "untrained", changes: []string{"episodes=1", "environments=1", "replay=60000", "warmup=60000"}}

func inLargerHalf(instance string) bool { return !datasets.InSmallerHalf(instance) }

// sweep returns variants that give one key several values.
func sweep(key string, values ...string) []variant {
	var all []variant
	for _, value := range values {
		change := key + "=" + value
		all = append(all, variant{name: change, changes: []string{change}})
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
func (s *Study) distinct(preset train.Config) []variant {
	known := map[string]bool{} // configurations, as text
	return slices.DeleteFunc(slices.Clone(s.variants), func(v variant) bool {
		config, _ := v.config(preset, nil)
		text := fmt.Sprint(config)
		again := known[text]
		known[text] = true
		return again
	})
}

// DistinctVariants names the variants of a study that has the preset qap.
func DistinctVariants(study string) (names []string) {
	of, err := FindStudy(study)
	if err != nil {
		panic(err) // it is in the program
	}
	preset, err := train.Preset("qap")
	if err != nil {
		panic(err)
	}
	for _, v := range of.distinct(preset) {
		names = append(names, v.name)
	}
	return names
}

func (s *Study) names() []string {
	var names []string
	for _, v := range s.variants {
		names = append(names, v.name)
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
	for _, class := range datasets.PaperClasses() {
		if len(datasets.SmallerHalf(class)) > 0 {
			s.variants = append(s.variants, variant{name: class, changes: []string{"instances=" + train.InstancesQAPLIBSmall + ":" + class}})
		}
	}
	return s
}

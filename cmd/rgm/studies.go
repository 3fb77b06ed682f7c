package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/train/sources"
)

// study is a list of configurations to compare. docs/EXPERIMENTS.md has results.
type study struct {
	name, about string
	variants    []variant
	heatMap     bool                       // drawn by class, a variant a row
	instances   func(instance string) bool // those to measure on; nil takes all
}

// variant is a configuration: what it changes of the one that all share.
type variant struct {
	name    string
	changes []string // key=value
}

// studies are the paper's: its ablations, "Using Alternative RL Backbones",
// "Hyperparameter Sensitivity Study" and "Generalization on QAPLIB".
func studies() []*study {
	return []*study{
		{name: "ablation", about: "one component off at a time", variants: []variant{
			{"preset", nil},
			{"not revocable", []string{"revocable=false", "start_greedy=0", "start_local=0", "start_random=0"}},
			{"no autofill", []string{"autofill=false"}},
			{"not double", []string{"double=false"}},
			{"no duelling", []string{"dueling=false"}},
			{"uniform replay", []string{"priority_alpha=0"}},
			{"one-step returns", []string{"n_step=1"}},
			{"no averaging", []string{"average_decay=0"}},
			{"reward: score", []string{"reward=score"}},
			{"reward: potential", []string{"reward=potential"}},
			{"random starts", []string{"start_greedy=0", "start_local=0", "start_random=1"}},
			{"explore uniformly", []string{"explore_best=0"}},
			{"demonstrators", []string{"demonstrators=0.15"}},
			{"paper's network", []string{"model.architecture=paper", "model.hidden=32", "model.head=16", "model.iterations=3"}},
		}},
		{name: "backbones", about: "algorithms of reinforcement learning", variants: []variant{
			{"DQN", []string{"double=false", "dueling=false", "priority_alpha=0"}},
			{"double DQN", []string{"dueling=false", "priority_alpha=0"}},
			{"D3QN", nil},
			{"A2C", []string{"learner=a2c"}},
			{"PPO", []string{"learner=ppo"}},
			{"ES", []string{"learner=es"}},
		}},
		{name: "sensitivity", about: "the paper's six hyper-parameters, one at a time", variants: slices.Concat(
			sweep("batch", "16", "32", "64", "128"),
			sweep("gamma", "0.5", "0.9", "0.97", "0.99"),
			sweep("replay", "4000", "15000", "60000"),
			sweep("model.hidden", "4", "8", "16", "32"),
			sweep("model.head", "4", "8", "16", "32"),
		)},
		generalisation(),
	}
}

// sweep returns variants that give one key several values.
func sweep(key string, values ...string) []variant {
	var all []variant
	for _, value := range values {
		change := key + "=" + value
		all = append(all, variant{change, []string{change}})
	}
	return all
}

// findStudy returns the study of a name.
func findStudy(name string) (*study, error) {
	var names []string
	for _, s := range studies() {
		if s.name == name {
			return s, nil
		}
		names = append(names, s.name)
	}
	return nil, fmt.Errorf("study %q: want one of %s", name, strings.Join(names, ", "))
}

func studyHelp() string {
	var text strings.Builder
	for _, s := range studies() {
		fmt.Fprintf(&text, "  %-15s %s\n", s.name, s.about)
	}
	return text.String()
}

func (s *study) names() []string {
	var names []string
	for _, v := range s.variants {
		names = append(names, v.name)
	}
	return names
}

// generalisation trains on the smaller half of one class and measures on the larger
// halves of all. Classes of one instance have no smaller half.
func generalisation() *study {
	s := &study{
		name: "generalisation", about: "trained on one class of QAPLIB, measured on the larger halves of all", heatMap: true,
		instances: func(name string) bool { return !datasets.InSmallerHalf(name) },
	}
	for _, class := range datasets.PaperClasses() {
		if len(datasets.SmallerHalf(class)) > 0 {
			s.variants = append(s.variants, variant{class, []string{"instances=" + sources.QAPLIBSmall + ":" + class}})
		}
	}
	return s
}

package portfolio

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/qap"

	"github.com/rgm-go/rgm/internal/lab"
	"github.com/rgm-go/rgm/internal/suggest"
)

// Options of Solve. The zero value is ready for use, and does what rgm solve does.
//
// Threads, of infer.Options, stands for all processors (GOMAXPROCS) where it is 0, and in
// SolveAll, which solves instances side by side, for 1. Callers of Solve from many
// goroutines better say 1.
type Options struct {
	infer.Options // limits, goal, seed, threads, OnBest and what else package infer knows

	Method       string // name of the method (MethodAuto)
	Model        string // of the network, for methods with one (by default those with an Architecture have the model of its name, where there is one; else ModelQAP for Koopmans–Beckmann instances, ModelMatching for others)
	Affinity     string // one of Affinities, or the model that re-weighs in the place of AffinityLearned's (AffinityGiven)
	Refine       string // name of the refinement, or of a model that improves results (RefineNone)
	StepsPerNode int    // in place of MaxSteps: steps for each node of the larger graph (none)
	Restarts     int    // starts of the method faq (1)
	Untold       bool   // tell Config.Log nothing of what becomes of the affinities: the search is a trial that nobody asked for (told)
}

// The pretrained models.
const (
	ModelQAP      = "qap"
	ModelMatching = "matching"
	ModelAffinity = "affinity" // of AffinityLearned
)

// The values of Options.Affinity besides names of models, as Affinities lists them.
const (
	AffinityGiven   = "given"
	AffinityLearned = "learned" // learned ones; the given ones by J/m where some are negative, which leaves nothing to learn
)

// Affinities returns the values of Options.Affinity besides names of models, the default first.
func Affinities() []string { return []string{AffinityGiven, AffinityLearned} }

// RefineNone is Options.Refine where results are not improved.
const RefineNone = "none"

// Check returns an error that lists what is wrong with options whatever the instance,
// each as an infer.OptionError. It reads the models that they name.
func (p *Portfolio) Check(o Options) error {
	var errs []error
	add := func(option, format string, values ...any) {
		errs = append(errs, &infer.OptionError{Option: option, Reason: fmt.Sprintf(format, values...)})
	}
	m, known := p.method(o.Method)
	if !known {
		add("Method", "%q%s: want %s", o.Method, lab.Note(o.Method), suggest.OneOf(p.Methods()...))
		return errors.Join(errs...)
	}
	if o.refine() != "" && p.refinement(o.Refine) == nil {
		if _, _, err := p.learnedRefinement(o.Refine); err != nil {
			add("Refine", "%q: want %s, or a model that improves results (%v)", o.Refine, suggest.OneOf(append([]string{RefineNone}, p.Refinements()...)...), err)
		}
	}
	if o.StepsPerNode < 0 || o.StepsPerNode > 0 && o.MaxSteps > 0 {
		add("StepsPerNode", "%d, with MaxSteps %d: want one of them above 0, none negative", o.StepsPerNode, o.MaxSteps)
	}
	if o.Restarts < 0 {
		add("Restarts", "%d is negative: want 0 (the default) or more", o.Restarts)
	}
	if o.HasTarget && o.affinityModel() != "" {
		add("Target", "a search by learned affinities does not know the objective")
	}
	if m.Architecture != "" && o.Model == "" {
		if _, err := p.config.Model(m.Architecture); err != nil {
			add("Model", "the method %s has no pretrained model: want a model file", m.Name)
		}
	}
	if o.Irrevocable && !m.Steps {
		add("Irrevocable", "the method %s takes no steps in the environment", m.Name)
	}
	if o.Beam > 1 && (!m.Network || m.Architecture != "") {
		add("Beam", "the method %s has no network that chooses actions", m.Name)
	}
	for name, given := range o.goals() {
		if given && !m.Goals && !(name == "Inliers" && m.Reduces) {
			add("Goal."+name, "the method %s does not keep to it: want %s", m.Name, suggest.OneOf(p.methodsThat(func(m Method) bool { return m.Goals })...))
		}
		if given && o.refine() != "" && !m.Reduces {
			add("Refine", "%s would not keep to Goal.%s", o.Refine, name)
		}
	}
	errs = append(errs, p.checkModels(m, &o))
	return errors.Join(errs...)
}

// goals tells which goals are given, by their names.
func (o *Options) goals() map[string]bool {
	return map[string]bool{
		"Inliers": o.Goal.Inliers > 0, "Regularizer": !o.Goal.Regularizer.None(), "Fixed": o.Goal.Fixed != nil,
	}
}

// checkModels reads the models that the options name, but for those chosen by the
// kind of instance.
func (p *Portfolio) checkModels(m Method, o *Options) error {
	var errs []error
	if m.Network && o.Model != "" {
		_, err := p.policy(o.Model, m)
		errs = append(errs, err)
	}
	if name := o.affinityModel(); name != "" {
		_, err := p.reweigher(name)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// modelFor returns the name of the network of a method for an instance.
func (o *Options) modelFor(m Method, in *qap.Instance) string {
	if name := cmp.Or(o.Model, m.Architecture); name != "" {
		return name
	}
	if _, product := in.Affinity.(*qap.KoopmansBeckmann); product {
		return ModelQAP
	}
	return ModelMatching
}

// affinityModel returns the name of the network that re-weighs, "" for none.
func (o *Options) affinityModel() string {
	switch o.Affinity {
	case "", AffinityGiven:
		return ""
	case AffinityLearned:
		return ModelAffinity
	}
	return o.Affinity
}

// refine returns the name of the refinement, "" for none.
func (o *Options) refine() string {
	if o.Refine == RefineNone {
		return ""
	}
	return o.Refine
}

// forSize returns the options with the steps for an instance.
func (o Options) forSize(in *qap.Instance) Options {
	if o.StepsPerNode > 0 {
		n1, n2 := in.Size()
		o.MaxSteps = min(o.StepsPerNode, math.MaxInt32) * max(n1, n2)
	}
	return o
}

// check returns an error that lists what is wrong with a configuration.
func (c *Config) check() error {
	var errs []error
	if !slices.Contains([]Provider{ProviderAuto, ProviderCPU, ProviderCUDA, ProviderGo}, c.Provider) {
		errs = append(errs, &infer.OptionError{Option: "Provider", Reason: fmt.Sprintf("%q is unknown", c.Provider)})
	}
	if c.Provider == ProviderGo && c.Go == nil {
		errs = append(errs, &infer.OptionError{Option: "Provider", Reason: "Config.Go, which would evaluate networks, is missing"})
	}
	return errors.Join(errs...)
}

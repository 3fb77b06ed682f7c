package rgm

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/rgm-go/rgm/internal/lab"
	"github.com/rgm-go/rgm/internal/suggest"
	"github.com/rgm-go/rgm/internal/table"
)

// Check returns an error that lists what is wrong with options whatever the instance,
// each as an OptionError. It reads the models that they name.
func (s *Solver) Check(o Options) error {
	o = o.normal()
	errs := []error{o.checkTable(table.Of(optionsType))}
	add := func(option, format string, values ...any) {
		errs = append(errs, &OptionError{Option: option, Reason: fmt.Sprintf(format, values...)})
	}
	m, known := s.method(o.Method)
	if !known {
		add("Method", "%q%s: want %s", o.Method, lab.Note(o.Method), suggest.OneOf(s.Methods()...))
		return errors.Join(errs...)
	}
	if o.Refine != "" && s.refinement(o.Refine) == nil {
		if _, _, err := s.learnedRefinement(o.Refine); err != nil {
			add("Refine", "%q: want %s, or a model that improves results (%v)", o.Refine, suggest.OneOf(append([]string{RefineNone}, s.Refinements()...)...), err)
		}
	}
	if o.Profile && m.Name != MethodProfile {
		add("Profile", "the method %s does not search all sizes: want %s", m.Name, MethodProfile)
	}
	if o.StepsPerNode > 0 && o.MaxSteps > 0 {
		add("StepsPerNode", "%d, with MaxSteps %d: want one of them", o.StepsPerNode, o.MaxSteps)
	}
	if o.Target != nil && o.affinityModel() != "" {
		add("Target", "a search by learned affinities does not know the objective")
	}
	if m.Architecture != "" && o.Model == "" {
		if _, err := s.config.Model(m.Architecture); err != nil {
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
			add(name, "the method %s does not keep to it: want %s", m.Name, suggest.OneOf(s.methodsThat(func(m Method) bool { return m.Goals })...))
		}
		if given && o.Refine != "" && !m.Reduces {
			add("Refine", "%s would not keep to %s", o.Refine, name)
		}
	}
	errs = append(errs, s.checkModels(m, &o))
	return errors.Join(errs...)
}

// checkTable returns an error that lists what the table of a call does not allow.
func (o *Options) checkTable(all []table.Field) error {
	var errs []error
	v := reflect.ValueOf(o).Elem()
	for k := range all {
		if err := all[k].Check(v.Field(all[k].Index)); err != nil {
			errs = append(errs, &OptionError{Option: all[k].GoName, Reason: err.Error()})
		}
	}
	return errors.Join(errs...)
}

// goals tells which goals are given, by their names.
func (o *Options) goals() map[string]bool {
	return map[string]bool{"Inliers": o.Inliers > 0, "Regularize": o.Regularize != "", "Fix": len(o.Fix) > 0}
}

// checkModels reads the models that the options name, but for those chosen by the
// kind of instance.
func (s *Solver) checkModels(m Method, o *Options) error {
	var errs []error
	if m.Network && o.Model != "" {
		_, err := s.policy(o.Model, m)
		errs = append(errs, err)
	}
	if name := o.affinityModel(); name != "" {
		_, err := s.reweigher(name)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

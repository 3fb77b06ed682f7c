// Package sources opens the instances that a training configuration names.
//
//	generated               random instances (datasets.Mixture), of Config.Families
//	matching                random pairs of graphs with outliers (pairs.Lessons), a share of
//	                        them, Config.Reweighed, with learned affinities
//	qaplib-small            the smaller halves of QAPLIB's classes (datasets.SmallerHalf)
//	qaplib-small:chr,nug    of these classes only
//	FOLDER, PATTERN, FILE   instances from files, as datasets.Expand reads them
//
// Instances to validate with are never instances to train on. Generated ones come
// from random streams of their own. With qaplib-small they are generated, in the
// manner of the classes and of their sizes: the larger halves stay unseen until a
// network is judged. Those from files are chosen by a hash of their content.
package sources

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
)

// QAPLIBSmall is the value of Config.Instances for QAPLIB's smaller halves; behind
// a colon there may be classes, separated by commas.
const QAPLIBSmall = "qaplib-small"

// Open returns the source that a configuration names, with the guides of its file if
// it names one.
func Open(c train.Config) (train.InstanceSource, error) {
	source, err := unguided(c)
	if err != nil || !c.GuideFile() {
		return source, err
	}
	if l, ok := source.(*list); ok {
		return withGuides(l, c.Guide)
	}
	return nil, fmt.Errorf("train: guide %s: it belongs to given instances: name them too (instances), or take guide = %s", c.Guide, train.GuideTabu)
}

func unguided(c train.Config) (train.InstanceSource, error) {
	kind, classes, narrowed := strings.Cut(c.Instances, ":")
	switch {
	case c.Instances == "" || c.Instances == train.InstancesGenerated:
		return generated(c.Families)
	case len(c.Families) > 0:
		return nil, fmt.Errorf("train: families are of generated instances: leave them out, or instances = %q", c.Instances)
	case c.Instances == train.InstancesMatching:
		return matching(c.Reweighed)
	case kind != QAPLIBSmall:
		return openFiles(c.Instances)
	case narrowed:
		return smallerHalves(strings.Split(classes, ","))
	}
	return smallerHalves(datasets.PaperClasses())
}

func generated(families []string) (train.InstanceSource, error) {
	for _, name := range families {
		if !slices.Contains(datasets.Families(), name) {
			return nil, fmt.Errorf("train: families: %q is none: want some of %s", name, strings.Join(datasets.Families(), ", "))
		}
	}
	return datasets.Mixture{Families: families}, nil
}

// list holds given instances; what it lacks for validation, makes makes.
type list struct {
	makes      datasets.Mixture
	training   []train.Given
	validation []train.Given
	read       []*qap.Instance // all, in the order of reading
}

func (l *list) Instance(n int, rng *rand.Rand) (*qap.Instance, error) {
	return l.makes.Instance(n, rng)
}

func (l *list) Given(validation bool) []train.Given {
	if validation {
		return l.validation
	}
	return l.training
}

// smallerHalves returns the smaller halves of classes, and to validate with
// generated instances in their manner.
func smallerHalves(classes []string) (train.InstanceSource, error) {
	l := &list{makes: datasets.Mixture{Families: datasets.FamiliesLike(classes...)}}
	for _, class := range classes {
		if !slices.Contains(datasets.PaperClasses(), class) {
			return nil, fmt.Errorf("train: instances: class %q: want some of %s", class, strings.Join(datasets.PaperClasses(), ", "))
		}
		for _, name := range datasets.SmallerHalf(class) {
			in, err := datasets.QAPLIB(name)
			if err != nil {
				return nil, err
			}
			l.training = append(l.training, given(in, name))
			l.read = append(l.read, in)
		}
	}
	if len(l.training) == 0 {
		return nil, fmt.Errorf("train: instances: class %s has one instance in the paper's set, and so no smaller half", strings.Join(classes, ", "))
	}
	return l, nil
}

// openFiles reads all instances that a file, a folder or a pattern stands for. One
// in five, by its content, is kept for validation: so copies stay together, and an
// instance stays where it is when others join it.
func openFiles(argument string) (train.InstanceSource, error) {
	inputs, err := datasets.Expand([]string{argument})
	if err != nil {
		return nil, fmt.Errorf("train: instances: %w", err)
	}
	l := &list{}
	for _, input := range inputs {
		if input.Embedded {
			return nil, fmt.Errorf("train: instances: %s is embedded, for reports: want %s, %s:CLASS, files or a folder", input.Path, QAPLIBSmall, QAPLIBSmall)
		}
		if err := l.readAll(input); err != nil {
			return nil, fmt.Errorf("train: instances: %w", err)
		}
	}
	if len(l.training) == 0 || len(l.validation) == 0 {
		return nil, fmt.Errorf("train: instances: %s gives %d to train on and %d to validate with (about one in five, by content): too few, add some",
			argument, len(l.training), len(l.validation))
	}
	return l, nil
}

func (l *list) readAll(input datasets.Input) error {
	k := 0
	for in, err := range input.Instances(datasets.Options{}) {
		if err != nil {
			return err
		}
		if n1, n2 := in.Size(); min(n1, n2) < 2 || max(n1, n2) > train.MaxNodes {
			return fmt.Errorf("%s: %d and %d nodes: want 2..%d", input.Path, n1, n2, train.MaxNodes)
		}
		l.read = append(l.read, in)
		g := given(in, fmt.Sprintf("%s#%d", input.Path, k))
		if validates(g.Sum) {
			l.validation = append(l.validation, g)
		} else {
			l.training = append(l.training, g)
		}
		k++
	}
	if k == 0 {
		return errors.New(input.Path + " holds no instance")
	}
	return nil
}

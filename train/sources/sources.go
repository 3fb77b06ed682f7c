// Package sources opens the instances that a training configuration names.
//
//	generated               random instances (datasets.Mixture), of Config.Families
//	matching                random pairs of graphs with outliers (pairs.Training), a share of
//	                        them, Config.Reweighed, with learned affinities
//	sparse                  random pairs of Delaunay graphs with outliers
//	qaplib-small            the smaller halves of QAPLIB's classes (qaplib.SmallerHalf)
//	qaplib-small:chr,nug    of these classes only
//	FOLDER, PATTERN, FILE   instances from files, as qaplib.Expand reads them by
//	                        Config.Reading; what cannot be read is passed over. Where the
//	                        reward is F1, they are stacks NAME_A.npy of pairs with their
//	                        true matchings NAME_X.npy beside them (package pairs)
//
// Instances to validate with are never instances to train on. Generated ones come
// from random streams of their own. With qaplib-small they are generated, in the
// manner of the classes and of their sizes: the larger halves stay unseen until a
// network is judged. Those from files are chosen by a hash of their content.
package sources

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
)

// Notice is told what a user should know of an instance, or of a file that is passed
// over; nil is told nothing.
type Notice func(instance, message string)

// Open returns the source that a configuration names, with the guides of its file or
// network if it names one.
func Open(c train.Config, notice Notice) (train.InstanceSource, error) {
	if notice == nil {
		notice = func(string, string) {}
	}
	source, err := unguided(c, notice)
	if err != nil || !c.GuideFile() {
		return source, err
	}
	if filepath.Ext(c.Guide) == modelSuffix {
		if networkGuides == nil {
			return nil, fmt.Errorf("train: guide %s: networks that guide are of the program rgm-lab: run the same command with it", c.Guide)
		}
		return networkGuides(source, c.Guide)
	}
	if l, ok := source.(*list); ok {
		return withGuides(l, c.Guide)
	}
	return nil, fmt.Errorf("train: guide %s: it belongs to given instances: name them too (instances), or take guide = %s or a network, MODEL%s", c.Guide, train.GuideTabu, modelSuffix)
}

// modelSuffix tells a guide that is a network from one that is an array.
const modelSuffix = ".onnx"

var networkGuides func(source train.InstanceSource, path string) (train.InstanceSource, error)

// RegisterNetworkGuides says how instances of a source get what the network of a file makes of them as guides.
func RegisterNetworkGuides(with func(source train.InstanceSource, path string) (train.InstanceSource, error)) {
	networkGuides = with
}

func unguided(c train.Config, notice Notice) (train.InstanceSource, error) {
	kind, classes, narrowed := strings.Cut(c.Instances, ":")
	switch {
	case c.Instances == "" || c.Instances == train.InstancesGenerated:
		return generated(c.Families)
	case len(c.Families) > 0:
		return nil, fmt.Errorf("train: families are of generated instances: leave them out, or instances = %q", c.Instances)
	case c.Instances == train.InstancesMatching:
		return matching(c.Reweighed)
	case c.Instances == train.InstancesSparse:
		return pairs.Training{Sparse: true}, nil
	case kind != train.InstancesQAPLIBSmall:
		return openFiles(c.Instances, c.Reading, c.Reward == train.RewardF1, notice)
	case narrowed:
		return smallerHalves(strings.Split(classes, ","))
	}
	return smallerHalves(qaplib.PaperClasses())
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
		if !slices.Contains(qaplib.PaperClasses(), class) {
			return nil, fmt.Errorf("train: instances: class %q: want some of %s", class, strings.Join(qaplib.PaperClasses(), ", "))
		}
		for _, name := range qaplib.SmallerHalf(class) {
			in, err := qaplib.Open(name)
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

// All returns the instances of a file, a folder or a pattern, all of them to train on and
// to validate with: a source to judge what was trained elsewhere.
func All(argument string, r train.Reading, notice Notice) (train.InstanceSource, error) {
	if notice == nil {
		notice = func(string, string) {}
	}
	l, err := readFiles(argument, r, false, notice)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(l.training, l.validation)
	l.training, l.validation = all, all
	return l, nil
}

// openFiles reads all instances that a file, a folder or a pattern stands for. One
// in five, by its content, is kept for validation: so copies stay together, and an
// instance stays where it is when others join it. What cannot be read is passed over.
func openFiles(argument string, r train.Reading, truths bool, notice Notice) (train.InstanceSource, error) {
	l, err := readFiles(argument, r, truths, notice)
	if err != nil {
		return nil, err
	}
	if len(l.training) == 0 || len(l.validation) == 0 {
		return nil, fmt.Errorf("train: instances: %s gives %d to train on and %d to validate with (about one in five, by content): too few, add some",
			argument, len(l.training), len(l.validation))
	}
	return l, nil
}

// readFiles reads the instances of openFiles, at least one, with their true matchings if wanted.
func readFiles(argument string, r train.Reading, truths bool, notice Notice) (*list, error) {
	inputs, err := qaplib.Expand([]string{argument})
	if err != nil {
		return nil, fmt.Errorf("train: instances: %w", err)
	}
	options, err := readingOptions(r)
	if err != nil {
		return nil, fmt.Errorf("train: instances: %w", err)
	}
	options.Notice = notice
	l := &list{}
	var refused error // the first that was passed over
	for _, input := range inputs {
		if input.Embedded {
			return nil, fmt.Errorf("train: instances: %s is embedded, for reports: want %s, %s:CLASS, files or a folder", input.Path, train.InstancesQAPLIBSmall, train.InstancesQAPLIBSmall)
		}
		l.readAll(input, options, truths, func(err error) {
			refused = cmp.Or(refused, err)
			notice(input.Path, "passed over: "+err.Error())
		})
	}
	if len(l.read) == 0 && refused != nil {
		return nil, fmt.Errorf("train: instances: %s holds none: %w", argument, refused)
	}
	return l, nil
}

// readingOptions returns how a configuration reads files.
func readingOptions(r train.Reading) (datasets.Options, error) {
	o := datasets.Options{N1: r.N1, N2: r.N2, Member: r.Member}
	var orderErr, senseErr error
	if r.Order != "" {
		o.Order, orderErr = datasets.ParseOrder(r.Order)
	}
	if r.Sense != "" {
		o.Sense, senseErr = qap.ParseSense(r.Sense)
	}
	return o, errors.Join(orderErr, senseErr)
}

// readAll reads the instances of an input, and refuses those that cannot be read or
// trained on.
func (l *list) readAll(input qaplib.Input, o datasets.Options, truths bool, refuse func(error)) {
	var known []qap.Matching
	if truths {
		var err error
		if known, err = truthsOf(input.Path); err != nil {
			refuse(err)
			return
		}
	}
	k := 0
	for in, err := range input.Instances(o) {
		name := fmt.Sprintf("%s#%d", input.Path, k)
		k++
		if err == nil {
			n1, n2 := in.Size()
			if min(n1, n2) < 2 || max(n1, n2) > train.MaxNodes {
				err = fmt.Errorf("%s: %d and %d nodes: want 2..%d", in.Name, n1, n2, train.MaxNodes)
			}
		}
		var truth qap.Matching
		if err == nil && truths {
			truth, err = truthOf(in, known, k-1)
		}
		if err != nil {
			refuse(err)
			continue
		}
		l.read = append(l.read, in)
		g := given(in, name)
		validates := validates(g.Sum) // whatever the truth
		if truths {
			g.Truth, g.Sum = truth, g.Sum+sumOfMatching(truth)
		}
		if validates {
			l.validation = append(l.validation, g)
		} else {
			l.training = append(l.training, g)
		}
	}
	if k == 0 {
		refuse(errors.New(input.Path + " holds no instance"))
	}
}

package selector

import (
	"fmt"
	"slices"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/sources"
)

// files are instances read from files, those to learn from apart from those to validate
// with.
type files struct{ training, validation []train.Given }

// openFiles reads the instances of a folder, a pattern or a file; about one in five, by
// its content, is kept for validation. What cannot be read is an error.
func openFiles(argument string) (*files, error) {
	var refused error
	source, err := sources.Open(train.Config{Instances: argument}, func(instance, message string) {
		if refused == nil {
			refused = fmt.Errorf("%s: %s", instance, message)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("selector: files: %w", err)
	}
	list, ok := source.(train.InstanceList)
	if !ok || len(list.Given(true)) == 0 {
		return nil, fmt.Errorf("selector: files %q: want a folder, a pattern or a file of instances", argument)
	}
	if refused != nil {
		return nil, fmt.Errorf("selector: files: %w", refused)
	}
	return &files{list.Given(false), list.Given(true)}, nil
}

// instance returns the instance of the k-th recording.
func (f *files) instance(c *Config, k int) *qap.Instance {
	if k < c.Instances {
		return f.training[k%len(f.training)].Instance
	}
	return f.validation[(k-c.Instances)%len(f.validation)].Instance
}

// sums returns the checksums of all, those to learn from first.
func (f *files) sums() []string {
	var all []string
	for _, g := range slices.Concat(f.training, f.validation) {
		all = append(all, g.Sum)
	}
	return all
}

// readSelector reads the network of a model file or a pretrained model.
func readSelector(name string) (*models.Selector, error) {
	data, err := pretrained.ModelOrFile(name)
	if err != nil {
		return nil, err
	}
	network, _, err := models.Load(data)
	if err != nil {
		return nil, err
	}
	n, ok := network.(*models.Selector)
	if !ok {
		return nil, fmt.Errorf("the architecture %s does not choose among searches", network.Architecture())
	}
	if h := models.HeaderOf(n, ""); h.Hidden != h.Head {
		return nil, fmt.Errorf("its layers are %d and %d wide: only one width is trained", h.Hidden, h.Head)
	}
	return n, nil
}

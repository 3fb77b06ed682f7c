package sources

import (
	"fmt"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
)

// guided is a list with a soft matching of every instance.
type guided struct {
	*list
	path   string
	guides map[qap.Affinity][]float64
}

// withGuides gives the instances of a list, in the order in which they were read,
// the soft matchings of a .npy file of shape (k, n1, n2) as guides (see
// train.GuidedSource). Instances smaller than the arrays take their upper left part,
// so that one file serves instances of several sizes.
func withGuides(l *list, path string) (train.InstanceSource, error) {
	stack, err := datasets.OpenNPY(path)
	if err != nil {
		return nil, fmt.Errorf("train: guide: %w", err)
	}
	if len(stack.Shape) != 3 {
		return nil, fmt.Errorf("train: guide %s: an array of %d dimensions, want 3: a soft matching, n1 by n2, of every instance", path, len(stack.Shape))
	}
	if stack.Shape[0] != len(l.read) {
		return nil, fmt.Errorf("train: guide %s: %d soft matchings of %d instances: want one of each, in their order", path, stack.Shape[0], len(l.read))
	}
	rows, cols := stack.Shape[1], stack.Shape[2]
	g := &guided{l, path, map[qap.Affinity][]float64{}}
	for k, in := range l.read {
		n1, n2 := in.Size()
		if n1 > rows || n2 > cols {
			return nil, fmt.Errorf("train: guide %s: soft matchings of %d by %d nodes, but instance %d, %s, has %d and %d", path, rows, cols, k, in.Name, n1, n2)
		}
		values := make([]float64, 0, n1*n2)
		for i := range n1 {
			values = append(values, stack.Data[(k*rows+i)*cols:][:n2]...)
		}
		g.guides[in.Affinity] = values
	}
	return g, nil
}

// Guide returns the soft matching of one of the instances.
func (g *guided) Guide(in *qap.Instance) ([]float64, error) {
	values, ok := g.guides[in.Affinity]
	if !ok {
		return nil, fmt.Errorf("train: guide %s: none of instance %s", g.path, in.Name)
	}
	return values, nil
}

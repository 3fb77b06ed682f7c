package export

import (
	"fmt"

	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models"
)

// Form is what a self-contained model of the architecture gain takes for an instance.
type Form string

const (
	Lawler           Form = "lawler"            // an affinity matrix K; the default
	KoopmansBeckmann Form = "koopmans-beckmann" // two matrices and a linear term
)

// SelfContained is a network of another package that computes its features itself, from an
// affinity matrix.
type SelfContained interface {
	models.Network
	// SelfContainedGraph declares the inputs, some of those that a gain network has too, and
	// returns Q, [batch, n1, n2]. Weights have the names of Parameters.
	SelfContainedGraph(b *onnx.Builder) string
}

// The inputs of self-contained models. docs/MODEL_FORMAT.md says what each holds.
const (
	affinityInput = "affinity"
	aInput        = "a"
	bInput        = "b"
	linearInput   = "linear"
	factorsInput  = "factors"
	rulesInput    = "rules"

	matchingInput      = "matching"
	allowedInput       = "allowed"
	bestInput          = "best"
	releasedInput      = "released"
	visitsInput        = "visits"
	rowChangedInput    = "row_changed"
	columnChangedInput = "column_changed"
	episodeInput       = "episode"
	scaleInput         = "scale"

	alikeInput   = "alike"
	profileInput = "profile"
)

// The outputs beside q.
const (
	changesOutput   = "changes"
	reweighedOutput = "reweighed"
)

// selfContained returns the graph that computes a network's features itself.
func selfContained(n models.Network, form Form) (*graph, error) {
	if form == "" {
		form = Lawler
	}
	if form != Lawler && form != KoopmansBeckmann {
		return nil, fmt.Errorf("export: form %q: want %s or %s", form, Lawler, KoopmansBeckmann)
	}
	g := &graph{onnx.NewBuilder(fmt.Sprintf("rgm %s, self-contained, %s", n.Architecture(), form))}
	switch n := n.(type) {
	case *models.Gain:
		g.selfContainedGain(n, form)
		return g, nil
	case SelfContained:
		if form == Lawler {
			g.parameters(n)
			g.finish(n.SelfContainedGraph(g.Builder))
			return g, nil
		}
	case *models.Affinity:
		if form == Lawler {
			g.selfContainedAffinity(n)
			return g, nil
		}
	}
	return nil, fmt.Errorf("export: a self-contained model of architecture %s takes no instance in the form %s", n.Architecture(), form)
}

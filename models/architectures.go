package models

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/rgm-go/rgm/internal/lab"
	"github.com/rgm-go/rgm/internal/lists"
	"github.com/rgm-go/rgm/internal/onnx"
)

// Architecture is a kind of network. What else there is to know of one its networks say
// themselves: Network, and Exportable.
type Architecture struct {
	Name string
	// New returns a network of the shape that a Config gives, with weights drawn from rng, zero
	// where it is nil.
	New func(c Config, rng *rand.Rand) (Network, error)
	// Least returns how many weights a network of a Config has at the least, so that a file that
	// claims wide layers and holds few weights is refused before memory is made (Hidden·Head).
	Least func(c Config) float64
}

// Exportable is a network that can be written as an ONNX file.
type Exportable interface {
	Network
	// Graph writes the forward pass as nodes, from the tensors of the network's features to Q,
	// [batch, n1, n2]. Weights have the names of Parameters.
	Graph(b *onnx.Builder, inputs []string) string
}

// architectures are those that can be made, those of this package first.
var (
	architecturesMutex sync.RWMutex
	architectures      = []Architecture{gainArchitecture, affinityArchitecture}
)

// Register makes an architecture known to New and Load, and so to all that take models: a
// package that has one calls it before they are used. Registering the same name again does
// nothing.
func Register(a Architecture) {
	if _, known := architecture(a.Name); known {
		return
	}
	architecturesMutex.Lock()
	defer architecturesMutex.Unlock()
	architectures = append(architectures, a)
}

// Architectures returns the names of those that are known.
func Architectures() []string {
	architecturesMutex.RLock()
	defer architecturesMutex.RUnlock()
	return lists.Of(architectures, func(a Architecture) string { return a.Name })
}

func architecture(name string) (Architecture, bool) {
	architecturesMutex.RLock()
	defer architecturesMutex.RUnlock()
	k := slices.IndexFunc(architectures, func(a Architecture) bool { return a.Name == name })
	if k < 0 {
		return Architecture{}, false
	}
	return architectures[k], true
}

// unknownArchitecture is the error for a name that nobody has registered.
func unknownArchitecture(name string) error {
	if hint := lab.Hint("an architecture", name, lab.Architectures); hint != "" {
		return fmt.Errorf("models: %s", hint)
	}
	return fmt.Errorf("models: unknown architecture %q: want one of %s", name, strings.Join(Architectures(), ", "))
}

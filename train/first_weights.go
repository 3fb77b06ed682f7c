package train

import (
	"fmt"
	"math/rand/v2"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/pretrained"
)

// firstNetwork returns the network that a training begins with: random weights, or
// those that Config.Init names.
func firstNetwork(c *Config) (models.Network, error) {
	network, err := models.New(c.model(), rand.New(rand.NewPCG(c.Seed, streamWeights)))
	if err != nil {
		return nil, err
	}
	if c.Init == "" {
		return network, nil
	}
	from, err := readNetwork(c.Init)
	if err != nil {
		return nil, fmt.Errorf("train: init %s: %w", c.Init, err)
	}
	if got, want := models.HeaderOf(from, ""), models.HeaderOf(network, ""); got != want {
		return nil, fmt.Errorf("train: init %s: its network is %s, the training's %s: set [model] and dueling to fit", c.Init, shapeText(got), shapeText(want))
	}
	models.Copy(network, from)
	return network, nil
}

// readNetwork reads the network of a model file, a checkpoint or a pretrained model.
func readNetwork(name string) (models.Network, error) {
	data, err := pretrained.ModelOrFile(name)
	if err != nil {
		return nil, err
	}
	if IsCheckpoint(data) {
		loaded, err := Load(name)
		return loaded.Network, err
	}
	network, _, err := models.Load(data)
	return network, err
}

// shapeText describes the shape of a network.
func shapeText(h models.Header) string {
	text := fmt.Sprintf("%s with hidden %d, head %d", h.Architecture, h.Hidden, h.Head)
	if h.Iterations > 0 {
		text += fmt.Sprintf(", iterations %d", h.Iterations)
	}
	if h.Features != h.Architecture {
		text += ", features " + h.Features
	}
	if h.SingleStream {
		text += ", without duelling"
	}
	return text
}

// output says what the numbers that a trained network gives are, nothing where this program
// has not the learner.
func (c *Config) output() string {
	if l, ok := learners[c.Learner]; ok {
		return l.Output(c)
	}
	return ""
}

// Package networks opens, reads and describes networks: pretrained models, model files and
// the checkpoints of trainings, evaluated by ONNX Runtime or in Go.
package networks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/cmd/rgm/internal/console"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/ortlib"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// The pretrained models, each chosen for its kind of instance.
const (
	QAP      = "qap"
	Matching = "matching"
)

// Network is a Q-network and who evaluates it. It must be closed.
type Network struct {
	Model     string // as the user called it
	Evaluator string // see provider.evaluator
	Q         qap.QFunction
	Session   *infer.Network // nil in Go
}

// Open opens a pretrained model or a model file. Where the provider is
// auto and there is no ONNX Runtime, it is evaluated in Go, and the log says why.
func Open(ctx context.Context, c *console.Console, model, providerText string) (*Network, error) {
	by, err := ParseProvider(providerText)
	if err != nil {
		return nil, settings.Usage(err)
	}
	data, err := Read(model)
	if err != nil {
		return nil, settings.Usage(err)
	}
	weights, _, err := models.Load(data)
	if err != nil {
		return nil, settings.Usage(fmt.Errorf("model %s: %w", model, err))
	}
	inGo := &Network{Model: model, Evaluator: ProviderGo, Q: models.QFunction(weights)}
	if by.Name == ProviderGo {
		return inGo, nil
	}
	session, err := infer.Open(ctx, data, by.Session(c.Session()))
	c.EndBar()
	switch {
	case err == nil:
		return &Network{model, by.evaluator(), session, session}, nil
	case by.Name == ProviderAuto && errors.Is(err, ortlib.ErrUnavailable):
		c.Log.Warn("the network is evaluated in Go, which is slower: there is no ONNX Runtime", "reason", err)
		return inGo, nil
	}
	return nil, err
}

// Close frees the session, if there is one.
func (n *Network) Close() error {
	if n == nil || n.Session == nil {
		return nil
	}
	return n.Session.Close()
}

// Read returns the bytes of a pretrained model or of a model file.
func Read(name string) ([]byte, error) {
	if slices.Contains(pretrained.Names(), name) {
		return pretrained.Model(name)
	}
	info, err := os.Stat(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("model %s: no such file, and no pretrained model of that name: want one of %v, or an .onnx file", name, pretrained.Names())
	}
	if err == nil && info.Size() > onnx.MaxSize {
		err = fmt.Errorf("%d bytes are more than a model has", info.Size())
	}
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", name, err)
	}
	return os.ReadFile(name)
}

// RefuseAffinity returns an error if the network of a policy is none.
func (n *Network) RefuseAffinity() error {
	if n.Q.Features() != features.Affinity {
		return nil
	}
	return settings.Usage(fmt.Errorf("model %s re-weighs affinities and chooses no actions: name it with --affinity", n.Model))
}

func IsFile(method string) bool { return strings.HasSuffix(method, ".onnx") }

// RuntimeVersion loads the library by opening a model and returns the version that
// it says it has.
func RuntimeVersion(ctx context.Context, o infer.SessionOptions) (string, error) {
	data, err := pretrained.Model(pretrained.Names()[0])
	if err != nil {
		return "", err
	}
	n, err := infer.Open(ctx, data, o)
	if err != nil {
		return "", err
	}
	if err := n.Close(); err != nil {
		return "", fmt.Errorf("setup: %w", err)
	}
	return cmp.Or(infer.RuntimeVersion(), ortlib.Version), nil
}

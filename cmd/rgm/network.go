package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/ortlib"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/qap"
)

// The pretrained models, each chosen for its kind of instance.
const (
	modelQAP      = "qap"
	modelMatching = "matching"
)

// network is a Q-network and who evaluates it. It must be closed.
type network struct {
	model     string // as the user called it
	evaluator string // see provider.evaluator
	q         qap.QFunction
	session   *infer.Network // nil in Go
}

// openNetwork opens a pretrained model or a model file. Where the provider is
// auto and there is no ONNX Runtime, it is evaluated in Go, and the log says why.
func openNetwork(ctx context.Context, c *console, model, providerText string) (*network, error) {
	by, err := parseProvider(providerText)
	if err != nil {
		return nil, usable(err)
	}
	data, err := readModel(model)
	if err != nil {
		return nil, usable(err)
	}
	weights, _, err := models.Load(data)
	if err != nil {
		return nil, usable(fmt.Errorf("model %s: %w", model, err))
	}
	inGo := &network{model: model, evaluator: providerGo, q: models.QFunction(weights)}
	if by.name == providerGo {
		return inGo, nil
	}
	session, err := infer.Open(ctx, data, by.session(c.session()))
	c.endBar()
	switch {
	case err == nil:
		return &network{model, by.evaluator(), session, session}, nil
	case by.name == providerAuto && errors.Is(err, ortlib.ErrUnavailable):
		c.log.Warn("the network is evaluated in Go, which is slower: there is no ONNX Runtime", "reason", err)
		return inGo, nil
	}
	return nil, err
}

// Close frees the session, if there is one.
func (n *network) Close() error {
	if n == nil || n.session == nil {
		return nil
	}
	return n.session.Close()
}

// readModel returns the bytes of a pretrained model or of a model file.
func readModel(name string) ([]byte, error) {
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

// Package networks opens, reads and describes networks: pretrained models, model files and
// the checkpoints of trainings, evaluated by ONNX Runtime or in Go.
package networks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/ortlib"
	"github.com/rgm-go/rgm/internal/lab"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/internal/suggest"
	"github.com/rgm-go/rgm/models/pretrained"
)

// ModelError is the error of a name that stands for no model: the argument cannot be used.
type ModelError struct{ error }

func (e ModelError) Unwrap() error { return e.error }

// Read returns the bytes of a pretrained model or of a model file.
func Read(name string) ([]byte, error) {
	data, err := read(name)
	if err != nil {
		return nil, ModelError{err}
	}
	return data, nil
}

func read(name string) ([]byte, error) {
	if pretrained.Has(name) {
		return pretrained.Model(name)
	}
	info, err := os.Stat(name)
	if errors.Is(err, os.ErrNotExist) {
		if hint := lab.Hint("a model", name, lab.Models); hint != "" {
			return nil, errors.New(hint)
		}
		return nil, fmt.Errorf("model %s: no such file, and no pretrained model of that name: want %s, or an .onnx file", name, suggest.OneOf(pretrained.Names()...))
	}
	if err == nil && info.IsDir() {
		err = fmt.Errorf("it is a folder: a training's model is the file %s in it", filepath.Join(name, ModelFile))
	} else if err == nil && info.Size() > onnx.MaxSize {
		err = fmt.Errorf("%d bytes are more than a model has", info.Size())
	}
	if err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		err = errors.New("not a model: the file is empty")
	}
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", name, err)
	}
	return os.ReadFile(name)
}

// IsFile reports whether the name of a method or model is that of a model file.
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

package networks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/export"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/ortlib"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train"
)

// trained is a network and how its weights came to be, as JSON.
type trained struct {
	Kind     string // kindModel or kindCheckpoint
	Network  models.Network
	Training string
	Progress *Progress // of a checkpoint
}

// What a file with a network can be.
const (
	kindModel      = "model"
	kindCheckpoint = "checkpoint"
)

// Load reads a checkpoint, a model file or a pretrained model.
func Load(path string) (trained, error) {
	if isCheckpoint(path) {
		loaded, err := train.Load(path)
		if err != nil {
			return trained{}, ModelError{err}
		}
		return trained{kindCheckpoint, loaded.Network, TrainingText(loaded.Summary), progressOf(path, loaded)}, nil
	}
	data, err := Read(path)
	if err != nil {
		return trained{}, err
	}
	network, header, err := models.Load(data)
	if err != nil {
		return trained{}, ModelError{fmt.Errorf("%s: %w", path, err)}
	}
	return trained{Kind: kindModel, Network: network, Training: header.Training}, nil
}

// isCheckpoint reports whether a file is there and begins as a checkpoint does.
func isCheckpoint(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	head := make([]byte, 64)
	n, _ := io.ReadFull(file, head) // a shorter file is no checkpoint either
	return train.IsCheckpoint(head[:n])
}

// TrainingText is what a model file says of its training.
func TrainingText(s train.Summary) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // numbers only, none of them infinite
	}
	return string(text)
}

// ModelFile is the network that a training leaves in its folder.
const ModelFile = "model.onnx"

// Verifies reports whether the model that a training will write as file can be compared with
// Go, which needs ONNX Runtime; the log says so where it cannot. To ask early keeps a signal
// during its installation from cutting the training short.
func Verifies(ctx context.Context, c *console.Console, file string) (bool, error) {
	_, err := RuntimeVersion(ctx, c.Session())
	c.EndBar()
	if errors.Is(err, ortlib.ErrUnavailable) {
		c.Log.Warn(file+" is written without comparing it with Go: there is no ONNX Runtime", "reason", err)
		return false, nil
	}
	return err == nil, err
}

// Save writes the model of a network with what it says of its training, once it was compared
// with Go where that is wanted.
func Save(ctx context.Context, path string, n models.Network, training string, verify bool) error {
	if verify {
		return export.Write(ctx, path, n, training, infer.SessionOptions{})
	}
	data, err := export.Marshal(n, training)
	if err != nil {
		return err
	}
	return export.Save(path, data)
}

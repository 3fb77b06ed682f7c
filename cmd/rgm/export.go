package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/export"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train"
)

// exportSettings are the settings of rgm export.
type exportSettings struct {
	Output        string `mapstructure:"output"`
	SelfContained bool   `mapstructure:"self-contained"`
}

func newExport(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export CHECKPOINT|MODEL -o FILE.onnx",
		Short: "Write a network as an ONNX file",
		Long: `Write the network of a checkpoint (the best one by validation) or of a model as an
ONNX file. The file is put in its place only after ONNX Runtime has given the same
values for it as Go.`,
		Args: arguments(cobra.ExactArgs(1)),
		RunE: withSettings(func(cmd *cobra.Command, s exportSettings, args []string) error {
			if s.Output == "" {
				return usable(errors.New("export: name the file to write with -o FILE.onnx"))
			}
			return exportNetwork(cmd.Context(), c, &s, args[0])
		}),
	}
	cmd.Flags().StringP("output", "o", "", "`file` to write")
	cmd.Flags().Bool("self-contained", false, "take affinity matrix and matchings instead of features, for use from any language (architecture paper)")
	return cmd
}

// exportNetwork writes the network of a checkpoint or model as an ONNX file.
func exportNetwork(ctx context.Context, c *console, s *exportSettings, path string) error {
	n, err := loadTrained(path)
	if err != nil {
		return err
	}
	write := export.Write
	if s.SelfContained {
		write = export.WriteSelfContained
	}
	err = write(ctx, s.Output, n.network, n.training, c.session())
	c.endBar()
	return err
}

// trained is a network and how its weights came to be, as JSON.
type trained struct {
	kind     string // kindModel or kindCheckpoint
	network  models.Network
	training string
}

// What a file with a network can be.
const (
	kindModel      = "model"
	kindCheckpoint = "checkpoint"
)

// loadTrained reads a checkpoint, a model file or a pretrained model.
func loadTrained(path string) (trained, error) {
	if isCheckpoint(path) {
		loaded, err := train.Load(path)
		if err != nil {
			return trained{}, err
		}
		return trained{kindCheckpoint, loaded.Network, trainingText(loaded.Summary)}, nil
	}
	data, err := readModel(path)
	if err != nil {
		return trained{}, err
	}
	network, header, err := models.Load(data)
	if err != nil {
		return trained{}, fmt.Errorf("%s: %w", path, err)
	}
	return trained{kindModel, network, header.Training}, nil
}

// isCheckpoint tells whether a file is there and begins as a checkpoint does.
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

// trainingText is what a model file says of its training.
func trainingText(s train.Summary) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // numbers only, none of them infinite
	}
	return string(text)
}

// Package service opens what rgm serve, worker and batch have in common: the portfolio
// with the models that clients may name, and the queue; and runs batches.
package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/serve"
	"github.com/rgm-go/rgm/serve/queue/jetstream"
)

// Models returns the pretrained models and those of a folder, if one is named; there a
// file NAME.onnx is the model NAME, before a pretrained one of that name.
func Models(folder string) ([]serve.ModelFile, error) {
	files := map[string]string{}
	if folder != "" {
		names, err := fs.Glob(os.DirFS(folder), "*.onnx") // the folder's name is no pattern
		if err == nil && len(names) == 0 {
			err = errors.New("no .onnx file there")
		}
		if err != nil {
			return nil, settings.Usage(fmt.Errorf("--models %s: %w", folder, err))
		}
		for _, name := range names {
			files[strings.TrimSuffix(name, ".onnx")] = filepath.Join(folder, name)
		}
	}
	var models []serve.ModelFile
	for _, name := range pretrained.Names() {
		if files[name] != "" {
			continue
		}
		data, err := pretrained.Model(name)
		if err != nil {
			return nil, err
		}
		models = append(models, serve.ModelFile{Name: name, Data: data})
	}
	for name, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, settings.Usage(fmt.Errorf("--models: %w", err))
		}
		models = append(models, serve.ModelFile{Name: name, Data: data})
	}
	return models, nil
}

// AddQueueFlags adds the flags of those who open a durable queue.
func AddQueueFlags(flags *pflag.FlagSet) {
	flags.Duration("silence", 10*time.Second, "time after which a job whose worker has fallen silent goes to another, the same in all processes of a queue")
}

// OpenQueue opens the durable queue at an address: a NATS server's, or embedded:DIR. Jobs of workers that
// are silent for a time go to others, and lost jobs are looked for every three times as long.
func OpenQueue(ctx context.Context, c *console.Console, address string, keep, silence time.Duration) (*jetstream.Queue, error) {
	if silence <= 0 {
		return nil, settings.Usage(fmt.Errorf("--silence %v: want more than 0", silence))
	}
	q, err := jetstream.Open(ctx, address, jetstream.Options{Keep: keep, AckWait: silence, Watchdog: 3 * silence, Log: c.Log})
	if err != nil {
		return nil, fmt.Errorf("--nats %s: %w", address, err)
	}
	return q, nil
}

// Embedded reports whether the address of a queue is that of a server in this process.
func Embedded(address string) bool { return strings.HasPrefix(address, "embedded:") }

// OpenPortfolio returns a portfolio with all methods, which knows the models by their
// names and no other file.
func OpenPortfolio(c *console.Console, providerText string, models []serve.ModelFile) (*portfolio.Portfolio, error) {
	config, _, err := networks.Configuration(c, providerText)
	if err != nil {
		return nil, err
	}
	config.Model = func(name string) ([]byte, error) {
		for _, m := range models {
			if m.Name == name {
				return m.Data, nil
			}
		}
		return nil, fmt.Errorf("no model of the name %q is loaded", name)
	}
	return portfolio.Open(config)
}

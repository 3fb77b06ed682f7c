// Package service has what rgm serve and the worker of rgm-cluster have in common: flags, memory, and the solver
// with the models that clients may name.
package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/verbs"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/serve"
	"github.com/rgm-go/rgm/serve/queue"
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

// A QueueOpener opens the durable queue at an address. Results are kept for a time; jobs of workers that are
// silent for a time go to others.
type QueueOpener func(ctx context.Context, c *console.Console, address string, keep, silence time.Duration) (queue.Queue, error)

// AddQueueFlags adds the flags of those who open a durable queue.
func AddQueueFlags(flags *pflag.FlagSet) {
	flags.String("nats", "", "`address` of the NATS server; several of a cluster, with commas")
	flags.Duration("silence", 10*time.Second, "time after which a job whose worker has fallen silent goes to another, the same in all processes of a queue")
}

// OpenSolver returns a solver with all methods, which knows the models by their
// names and no other file, and keeps what it finds in a folder where one is named.
func OpenSolver(c *console.Console, providerText, recall string, models []serve.ModelFile) (*rgm.Solver, error) {
	config, _, err := networks.Configuration(c, providerText)
	if err != nil {
		return nil, err
	}
	config.Recall = recall
	config.Model = func(name string) ([]byte, error) {
		for _, m := range models {
			if m.Name == name {
				return m.Data, nil
			}
		}
		return nil, fmt.Errorf("no model of the name %q is loaded", name)
	}
	return networks.Open(config)
}

// AddFlags adds the flags of rgm serve and the worker.
func AddFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.String("models", "", "`folder` of .onnx files that clients may name, besides the pretrained models")
	flags.String("provider", networks.ProviderAuto, "what evaluates networks: cpu (ONNX Runtime), cuda or cuda:N (on GPU N), go (plain Go), or auto (cpu, else go)")
	flags.Int("max-nodes", 1000, "most nodes of a graph")
	flags.String("memory", "", "most `bytes` of memory that the process takes, with KiB, MiB or GiB (default 4GiB, or three quarters of what the system allows where that is less)")
	flags.Duration("drain", 30*time.Second, "time in which running searches end after SIGTERM")
	settings.Complete(cmd, "provider", networks.Providers()...)
	verbs.AddLogFlags(cmd)
}

// LimitMemory has the garbage collector keep to the options' memory, or to less where GOMEMLIMIT says so.
func LimitMemory(o serve.Options) {
	debug.SetMemoryLimit(min(o.GoMemory(), debug.SetMemoryLimit(-1)))
}

// ParseMemory reads --memory, 0 where it is not given.
func ParseMemory(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	return ParseBytes("memory", text)
}

// ParseBytes reads a flag that is a number of bytes: "32MiB".
func ParseBytes(flag, text string) (int64, error) {
	digits, shift := text, 0
	for unit, s := range map[string]int{"KiB": 10, "MiB": 20, "GiB": 30} {
		if rest, found := strings.CutSuffix(text, unit); found {
			digits, shift = rest, s
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
	if err != nil || n < 1 || n > 1<<40>>shift {
		return 0, fmt.Errorf("--%s %q: want a number of bytes, such as 32MiB", flag, text)
	}
	return n << shift, nil
}

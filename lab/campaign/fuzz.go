package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// instrumented are the packages whose coverage guides the fuzzer: this module and what its
// readers parse with. (go test -fuzz instruments everything that a test links, hundreds
// of packages for the service: to compare all those counters after each input takes
// several times as long as to read it.)
var instrumented = []string{
	"github.com/rgm-go/rgm/...", "encoding/csv", "encoding/gob", "encoding/json", "encoding/xml", "mime/multipart",
}

// fuzzPrograms are the fuzz targets of packages, each built once.
type fuzzPrograms struct {
	folder string            // of the programs
	inputs string            // of Go's cache, where inputs that were worth keeping are
	names  map[string]string // of the packages, by their folders
	guides []string          // packages whose coverage counts
}

// newFuzzPrograms returns those of a campaign, or of a trial of some thousand inputs. That is guided
// by this module alone: else all that is above the parsers, such as the NATS server, is compiled anew.
func newFuzzPrograms(ctx context.Context, trial bool) (*fuzzPrograms, error) {
	cache, err := exec.CommandContext(ctx, "go", "env", "GOCACHE").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOCACHE: %w", err)
	}
	guides := instrumented
	if trial {
		guides = instrumented[:1]
	}
	folder, err := os.MkdirTemp("", "campaign")
	return &fuzzPrograms{folder, filepath.Join(strings.TrimSpace(string(cache)), "fuzz"), map[string]string{}, guides}, err
}

func (f *fuzzPrograms) remove() { os.RemoveAll(f.folder) }

// program returns the path of a package's targets.
func (f *fuzzPrograms) program(ctx context.Context, pkg string) (string, error) {
	path := filepath.Join(f.folder, strings.ReplaceAll(strings.TrimPrefix(pkg, "./"), "/", "-"))
	if f.names[pkg] != "" {
		return path, nil
	}
	name, err := goCommand(ctx, pkg, "list").Output()
	if err != nil {
		return "", fmt.Errorf("go list %s: %w", pkg, err)
	}
	args := []string{"test", "-c", "-o", path}
	for _, pattern := range f.guides {
		args = append(args, "-gcflags="+pattern+"=-d=libfuzzer")
	}
	if output, err := goCommand(ctx, pkg, args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("go test -c %s: %w\n%s", pkg, err, output)
	}
	f.names[pkg] = strings.TrimSpace(string(name))
	return path, nil
}

// arguments are those of a package's program that try one slice of a target.
func (f *fuzzPrograms) arguments(pkg, target string) []string {
	return []string{"-test.run", "^$", "-test.fuzz", "^" + target + "$", "-test.fuzztime", fmt.Sprint(fuzzSlice) + "x", "-test.fuzzminimizetime", "10x",
		"-test.fuzzcachedir", filepath.Join(f.inputs, f.names[pkg])}
}

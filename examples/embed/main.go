// Command embed solves all instances in a folder, 16 at a time, by the call that rgm
// solve makes, and prints one JSON object each. It is a module of its own: what a
// program that embeds rgm needs is what its go.mod says.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets"
)

// workers is how many instances are solved at a time, with one network.
const workers = 16

func main() {
	limit := flag.Duration("time-limit", 0, "wall clock for each instance (none)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, flag.Arg(0), *limit, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "embed:", err)
		os.Exit(1)
	}
}

// run solves the instances of a folder in the order of their names.
func run(ctx context.Context, folder string, limit time.Duration, out io.Writer) (err error) {
	if folder == "" {
		return errors.New("want a folder of instances: go run . FOLDER")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.*"))
	if err != nil || len(files) == 0 {
		return errors.Join(err, fmt.Errorf("%s: no files", folder))
	}
	solver, err := rgm.Open(rgm.Config{Log: slog.New(slog.NewTextHandler(os.Stderr, nil))})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, solver.Close()) }()

	var unread error
	tasks := func(yield func(rgm.Task) bool) {
		for _, file := range files {
			for in, err := range datasets.Open(file, datasets.Options{}) {
				if err != nil {
					unread = errors.Join(unread, err)
					continue
				}
				task := rgm.Task{Instance: in, Options: rgm.Options{TimeLimit: limit}}
				if !yield(task) {
					return
				}
			}
		}
	}
	var failed error
	results := json.NewEncoder(out)
	for s := range solver.SolveAll(ctx, workers, tasks) {
		if s.Err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", s.Task.Instance.Name, s.Err))
			continue
		}
		if err := results.Encode(s.Result); err != nil {
			return err
		}
	}
	return errors.Join(unread, failed)
}

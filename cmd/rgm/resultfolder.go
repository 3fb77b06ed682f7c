package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/internal/filelock"
	"github.com/rgm-go/rgm/qap"
)

// folderSettings say whether results also go into files.
type folderSettings struct {
	Out    string `mapstructure:"out"`
	Resume bool   `mapstructure:"resume"`
}

func addFolderFlags(cmd *cobra.Command) {
	cmd.Flags().String("out", "", "`folder` for a file a result, NAME.json, each written once it is solved")
	cmd.Flags().Bool("resume", false, "with --out: take the results that are there, solve only the other instances")
}

func (s *folderSettings) check() error {
	if s.Resume && s.Out == "" {
		return errors.New("--resume needs the --out of the run to go on with")
	}
	return nil
}

// resultFolder is the folder of --out, for one run at a time: a file a result, and
// settingsFile. A file is complete or not there, wherever a run was killed.
type resultFolder struct {
	console *console
	root    *os.Root
	lock    io.Closer // keeps other runs out
	resume  bool
	names   resultNames
	taken   atomic.Int64 // results that were there
}

// openResultFolder opens or creates the folder of --out for results of these settings of
// the command; it is nil, which keeps nothing, without one.
func openResultFolder(c *console, s folderSettings, of any) (*resultFolder, error) {
	if s.Out == "" {
		return nil, nil
	}
	if err := os.MkdirAll(s.Out, 0o777); err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	root, err := os.OpenRoot(s.Out)
	if err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	f := &resultFolder{console: c, root: root, resume: s.Resume, names: resultNames{}}
	if f.lock, err = filelock.Folder(root); err != nil {
		return nil, errors.Join(fmt.Errorf("--out: %w", claimed(s.Out, err)), root.Close())
	}
	if err = f.settle(of); err == nil {
		err = f.sweep()
	}
	if err != nil {
		return nil, errors.Join(err, f.lock.Close(), root.Close())
	}
	return f, nil
}

// claim makes a folder, where it is not there, and keeps other runs out of it until it is
// closed: another run would take what this one is writing for left over.
func claim(path string) (io.Closer, error) {
	lock, err := filelock.MakeFolder(path)
	return lock, claimed(path, err)
}

// claimed says what to do where another run holds a folder.
func claimed(path string, err error) error {
	if errors.Is(err, filelock.ErrLocked) {
		return usable(fmt.Errorf("%s: another run is writing there: wait for its end, or take another folder", path))
	}
	return err
}

// missingFolders returns a folder, and those above it, that are not there, the innermost
// first.
func missingFolders(path string) []string {
	var missing []string
	for {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return missing
		}
		missing = append(missing, path)
		path = filepath.Dir(path)
	}
}

// removeEmpty removes folders, the innermost first, as far as they are empty.
func removeEmpty(folders []string) {
	for _, folder := range folders {
		if os.Remove(folder) != nil { // there is something in it
			return
		}
	}
}

// sweep removes what a killed run was writing.
func (f *resultFolder) sweep() error {
	entries, err := fs.ReadDir(f.root.FS(), ".")
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	var errs []error
	for _, entry := range entries {
		if atomicfile.IsLeftover(entry.Name()) {
			errs = append(errs, f.root.Remove(entry.Name()))
		}
	}
	return errors.Join(errs...)
}

// named gives tasks the names of their results, in their order. Those that failed
// get one too, so that names are the same when they succeed.
func (f *resultFolder) named(tasks iter.Seq[task]) iter.Seq[task] {
	if f == nil {
		return tasks
	}
	return func(yield func(task) bool) {
		for t := range tasks {
			t.file = f.names.next(t.name)
			if !yield(t) {
				return
			}
		}
	}
}

// answer returns the answer of a task: the one in its file when resuming, else that
// of solve, which it writes there unless it is a failure.
func (f *resultFolder) answer(t task, solve func(task) answer) answer {
	if f == nil || t.err != nil {
		return solve(t)
	}
	if f.resume {
		a, err := f.read(t)
		if err == nil {
			f.taken.Add(1)
			return a
		}
		if !errors.Is(err, fs.ErrNotExist) {
			f.console.log.Warn("solving anew", "instance", t.name, "file", t.file, "reason", err)
		}
	}
	a := solve(t)
	if a.err != nil {
		return a
	}
	if err := atomicfile.WriteIn(f.root, t.file, func(w io.Writer) error { return writeJSON(w, a) }); err != nil {
		return failure(t.name, fmt.Errorf("result not written: %w", err))
	}
	return a
}

// read returns the result in the file of a task, if it is one of this instance.
func (f *resultFolder) read(t task) (answer, error) {
	data, err := f.root.ReadFile(t.file)
	if err != nil {
		return answer{}, err
	}
	var a answer
	if err := json.Unmarshal(data, &a); err != nil {
		return answer{}, fmt.Errorf("not a result: %w", err)
	}
	return a, a.checkAgainst(t.instance)
}

// checkAgainst returns an error unless the answer is a final one of this very
// instance: its objective is recomputed.
func (a *answer) checkAgainst(in *qap.Instance) error {
	n1, n2 := in.Size()
	switch {
	case a.Instance != in.Name || a.N1 != n1 || a.N2 != n2 || a.Sense != in.Sense.String():
		return fmt.Errorf("it is of %q, %d×%d, %s", a.Instance, a.N1, a.N2, a.Sense)
	case a.Status == qap.Cancelled:
		return errors.New("its search was interrupted")
	case a.Status == "" || a.Method == "":
		return errors.New("it is not complete")
	}
	if err := in.CheckMatching(a.Matching); err != nil {
		return err
	}
	const rounding = 1e-9 // of a sum of products on another kind of machine
	objective := in.Objective(in.Score(a.Matching))
	if math.Abs(objective-a.Objective) > rounding*math.Abs(objective) {
		return fmt.Errorf("its matching has objective %v in this instance, not %v", objective, a.Objective)
	}
	return nil
}

// Close tells what was there and closes the folder.
func (f *resultFolder) Close() error {
	if f == nil {
		return nil
	}
	if taken := f.taken.Load(); taken > 0 {
		f.console.log.Info("results that were there were not solved again", "count", taken, "folder", f.root.Name())
	}
	return errors.Join(f.lock.Close(), f.root.Close())
}

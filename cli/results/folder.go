// Package results keeps the results of a run in the folder of --out, for one run at a time.
package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/inputs"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/internal/filelock"
)

// Settings say whether results also go into files.
type Settings struct {
	Out    string `mapstructure:"out"`
	Resume bool   `mapstructure:"resume"`
}

// Check returns an error of settings that do not go together.
func (s *Settings) Check() error {
	if !s.IsPicture() {
		return settings.ErrorIf(s.Resume && s.Out == "", "--resume needs the --out of the run to go on with")
	}
	return errors.Join(settings.CheckFolder("out", s.Out), settings.ErrorIf(s.Resume, "--resume: --out %s is a picture: want a folder of results", s.Out))
}

// IsPicture reports whether --out names a picture, not a folder.
func (s *Settings) IsPicture() bool {
	format := settings.FileFormat(s.Out)
	return format == report.SVG || format == report.PNG
}

// Folder is the folder of --out, for one run at a time: a file a result, and
// settingsFile. A file is complete or not there, wherever a run was killed.
type Folder struct {
	console *console.Console
	root    *os.Root
	lock    io.Closer // keeps other runs out
	resume  bool
	names   names
	taken   atomic.Int64 // results that were there
}

// Open opens or creates the folder of --out for results of these settings of
// the command; it is nil, which keeps nothing, without one, or for a picture.
func Open(c *console.Console, s Settings, of any) (*Folder, error) {
	if s.Out == "" || s.IsPicture() {
		return nil, nil
	}
	if err := os.MkdirAll(s.Out, 0o777); err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	root, err := os.OpenRoot(s.Out)
	if err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	f := &Folder{console: c, root: root, resume: s.Resume, names: names{}}
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

// Claim makes a folder, where it is not there, and keeps other runs out of it until it is
// closed: another run would take what this one is writing for left over.
func Claim(path string) (io.Closer, error) {
	lock, err := filelock.MakeFolder(path)
	return lock, claimed(path, err)
}

// claimed says what to do where another run holds a folder.
func claimed(path string, err error) error {
	if errors.Is(err, filelock.ErrLocked) {
		return settings.Usage(fmt.Errorf("%s: another run is writing there: wait for its end, or take another folder", path))
	}
	return err
}

// MissingFolders returns a folder, and those above it, that are not there, the innermost
// first.
func MissingFolders(path string) []string {
	var missing []string
	for {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return missing
		}
		missing = append(missing, path)
		path = filepath.Dir(path)
	}
}

// RemoveEmpty removes folders, the innermost first, as far as they are empty.
func RemoveEmpty(folders []string) {
	for _, folder := range folders {
		if os.Remove(folder) != nil { // there is something in it
			return
		}
	}
}

// sweep removes what a killed run was writing.
func (f *Folder) sweep() error {
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

// FileOf returns the name of the file for the result of the next instance of a name, ""
// without a folder.
func (f *Folder) FileOf(instance string) string {
	if f == nil {
		return ""
	}
	return f.names.next(instance)
}

// Kept is an answer that a folder keeps: one of rgm solve, or more.
type Kept interface{ Base() report.Answer }

// Answer returns the answer of a task: the one in its file when resuming, else that
// of solve, which it writes there. A failure goes into a file of its own, and is tried
// again by the next run.
func (f *Folder) Answer(t inputs.Task, file string, solve func() report.Answer) report.Answer {
	check := func(a report.Answer) error { return a.CheckAgainst(t.Instance) }
	if t.Err != nil {
		check = nil
	}
	return Keep(f, t.Name, file, check, solve, func(err error) report.Answer { return report.Failure(t.Name, err) })
}

// Keep is Answer for any kind of answers. check returns an error of one that was there and
// is not to be taken; it is nil where there is none to take.
func Keep[A Kept](f *Folder, name, file string, check func(A) error, solve func() A, failure func(error) A) A {
	if f == nil {
		return solve()
	}
	if f.resume && check != nil {
		a, err := read(f, file, check)
		if err == nil {
			f.taken.Add(1)
			return a
		}
		if !errors.Is(err, fs.ErrNotExist) {
			f.console.Log.Warn("solving anew", "instance", name, "file", file, "reason", err)
		}
	}
	a := solve()
	failed := a.Base().Err
	if errors.Is(failed, report.ErrNotBegun) {
		return a
	}
	if err := write(f, file, a); err != nil {
		return failure(errors.Join(failed, fmt.Errorf("result not written: %w", err)))
	}
	return a
}

// write writes an answer into its file, and removes the failure that an earlier run left
// beside it. A failure goes into a file of its own; a result stays.
func write[A Kept](f *Folder, file string, a A) error {
	if base := a.Base(); base.Err != nil {
		return atomicfile.WriteIn(f.root, errorFile(file), func(w io.Writer) error { return report.WriteFailure(w, base) })
	}
	err := atomicfile.WriteIn(f.root, file, func(w io.Writer) error { return report.WriteJSON(w, a) })
	if err != nil {
		return err
	}
	return unlessMissing(f.root.Remove(errorFile(file)))
}

// WriteRaw writes a result, an object as it came, into a file outside of a Folder, and
// removes the failure that an earlier run left beside it.
func WriteRaw(path string, object []byte) error {
	if err := atomicfile.Write(path, atomicfile.Bytes(append(object, '\n'))); err != nil {
		return err
	}
	return unlessMissing(os.Remove(errorFile(path)))
}

// unlessMissing returns an error, but for that of a file that is not there.
func unlessMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// WriteFailure writes a failure beside the file of a result outside of a Folder.
func WriteFailure(path string, a report.Answer) error {
	return atomicfile.Write(errorFile(path), func(w io.Writer) error { return report.WriteFailure(w, a) })
}

// read returns the answer in a file, unless something speaks against it.
func read[A Kept](f *Folder, file string, check func(A) error) (a A, err error) {
	data, err := f.root.ReadFile(file)
	if err != nil {
		return a, err
	}
	if err := json.Unmarshal(data, &a); err != nil {
		return a, fmt.Errorf("not a result: %w", err)
	}
	return a, check(a)
}

// Taken returns how many results were there.
func (f *Folder) Taken() int {
	if f == nil {
		return 0
	}
	return int(f.taken.Load())
}

// Close tells what was there and closes the folder.
func (f *Folder) Close() error {
	if f == nil {
		return nil
	}
	if taken := f.taken.Load(); taken > 0 {
		f.console.Log.Info("results that were there were not solved again", "count", taken, "folder", f.root.Name())
	}
	return errors.Join(f.lock.Close(), f.root.Close())
}

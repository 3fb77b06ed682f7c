package ortlib

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const (
	stampFile  = "installed.json"
	lockFile   = "lock"
	workPrefix = "installing-" // of the folders in which an install works

	// fetchTimeout ends a download whose connection has stalled; 113 MB take
	// so long at 1 Mbit/s.
	fetchTimeout = 15 * time.Minute
)

// installer keeps the library of a build in one folder.
type installer struct {
	build    Build
	folder   string
	sources  []source
	progress func(stage string, done, total int64) // may be nil
	again    bool                                  // try also soon after a failure
}

// stamp records what was installed. It is in place before the library is.
type stamp struct {
	Source string `json:"source"`
	SHA256 string `json:"sha256"` // of the library; what lies beside it is pinned
}

// locate returns the installed library, after installing it if need be.
func (in *installer) locate(ctx context.Context) (Library, error) {
	if library, err := in.find(); err == nil {
		return library, nil
	}
	if err := os.MkdirAll(in.folder, 0o755); err != nil {
		return Library{}, in.unavailable(err)
	}
	held, err := lock(ctx, filepath.Join(in.folder, lockFile), in.meter(Waiting))
	if err != nil && ctx.Err() != nil {
		return Library{}, in.cancelled(ctx)
	}
	if err != nil {
		return Library{}, in.unavailable(err)
	}
	defer held.Close()

	library, err := in.find() // another process may have installed it meanwhile
	if err == nil {
		return library, nil
	}
	if since, failed := in.lastFailure(); failed && !in.again {
		waits := fmt.Errorf("the last attempt to install it failed %v ago, and the next is due in %v",
			since.Round(time.Minute), (retryAfter - since).Round(time.Minute))
		return Library{}, &UnavailableError{Build: in.build, Reasons: []error{err, waits}, Waits: true}
	}
	reasons := []error{err}
	in.clear()
	for _, s := range in.sources {
		library, err := in.install(ctx, s)
		if err == nil {
			os.Remove(in.failureFile())
			return library, nil
		}
		if ctx.Err() != nil {
			return Library{}, in.cancelled(ctx)
		}
		reasons = append(reasons, fmt.Errorf("%s: %w", s.name, err))
	}
	in.rememberFailure()
	return Library{}, in.unavailable(reasons...)
}

func (in *installer) unavailable(reasons ...error) error {
	return &UnavailableError{Build: in.build, Reasons: reasons}
}

func (in *installer) cancelled(ctx context.Context) error {
	return fmt.Errorf("ortlib: installing ONNX Runtime %s: %w", in.build.Version(), context.Cause(ctx))
}

// find returns the installed library after comparing the bytes of every file with
// the sha256 that is pinned for its source or, where none is, was recorded at the
// install.
func (in *installer) find() (Library, error) {
	path := filepath.Join(in.folder, in.build.libraryFile())
	record, err := in.readStamp()
	if errors.Is(err, fs.ErrNotExist) {
		return Library{}, fmt.Errorf("%s is not installed", path)
	}
	if err != nil {
		return Library{}, err
	}
	k := slices.IndexFunc(in.sources, func(s source) bool { return s.name == record.Source })
	if k < 0 {
		return Library{}, fmt.Errorf("%s is damaged: %q is no source", path, record.Source)
	}
	for _, m := range in.sources[k].files() {
		file := filepath.Join(in.folder, m.file)
		sum, err := hashFile(context.Background(), file)
		if err != nil {
			return Library{}, err
		}
		if want := cmp.Or(m.pin.sha256, record.SHA256); sum != want {
			return Library{}, fmt.Errorf("%s is damaged: have sha256 %s, want %s", file, sum, want)
		}
	}
	return in.library(record.Source), nil
}

// library describes the installed library.
func (in *installer) library(source string) Library {
	return Library{Path: filepath.Join(in.folder, in.build.libraryFile()), Version: in.build.Version(), Source: source}
}

func (in *installer) readStamp() (stamp, error) {
	var record stamp
	file := filepath.Join(in.folder, stampFile)
	data, err := os.ReadFile(file)
	if err != nil {
		return stamp{}, err
	}
	if err := json.Unmarshal(data, &record); err != nil {
		return stamp{}, fmt.Errorf("%s is damaged: %w", file, err)
	}
	return record, nil
}

// clear removes damaged files and what killed installs have left. The lock is
// held, so nobody is at work there. What cannot be removed fails the install.
func (in *installer) clear() {
	os.Remove(filepath.Join(in.folder, stampFile))
	for _, s := range in.sources {
		for _, m := range s.files() {
			os.Remove(filepath.Join(in.folder, m.file))
		}
	}
	leftovers, _ := filepath.Glob(filepath.Join(in.folder, workPrefix+"*"))
	for _, folder := range leftovers {
		os.RemoveAll(folder)
	}
}

// install gets the files from s in a folder of its own, checks them and puts them
// in their places.
func (in *installer) install(ctx context.Context, s source) (Library, error) {
	work, err := os.MkdirTemp(in.folder, workPrefix)
	if err != nil {
		return Library{}, err
	}
	defer os.RemoveAll(work)
	for _, a := range s.archives {
		if err := in.unpack(ctx, work, a); err != nil {
			return Library{}, err
		}
	}
	return in.place(ctx, s, work)
}

// unpack fetches a tarball, checks it, and extracts its members into work.
func (in *installer) unpack(ctx context.Context, work string, a archive) error {
	ctx, cancel := context.WithTimeoutCause(ctx, fetchTimeout, fmt.Errorf("gave up after %v", fetchTimeout))
	defer cancel()
	folder, err := os.MkdirTemp(work, "archive-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	tarball := filepath.Join(folder, "archive.tgz")
	if err := a.fetch(ctx, a, tarball, in.meter(Downloading)); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx) // says more than "signal: killed"
		}
		return err
	}
	if err := a.pin.check(ctx, tarball); err != nil {
		return fmt.Errorf("%s as fetched is not what was published: %w", a.from, err)
	}
	if err := a.extract(ctx, tarball, work, in.meter(Extracting)); err != nil {
		return fmt.Errorf("%s: %w", a.from, err)
	}
	return nil
}

// place checks the files of s in work and moves them into their places: the stamp
// first and the library last, so that a library in place always has the others.
func (in *installer) place(ctx context.Context, s source, work string) (Library, error) {
	record := stamp{Source: s.name}
	names := []string{stampFile}
	for _, m := range s.files() {
		sum, err := hashFile(ctx, filepath.Join(work, m.file))
		if err != nil {
			return Library{}, err
		}
		if want := m.pin.sha256; want != "" && sum != want {
			return Library{}, fmt.Errorf("%s: have sha256 %s, want %s", m.path, sum, want)
		}
		if m.file == in.build.libraryFile() {
			record.SHA256 = sum
		} else {
			names = append(names, m.file)
		}
	}
	text, err := json.Marshal(record)
	if err != nil {
		return Library{}, err
	}
	if err := save(ctx, filepath.Join(work, stampFile), bytes.NewReader(text), int64(len(text)), nil); err != nil {
		return Library{}, err
	}
	for _, name := range append(names, in.build.libraryFile()) {
		if err := os.Rename(filepath.Join(work, name), filepath.Join(in.folder, name)); err != nil {
			return Library{}, err
		}
	}
	syncFolder(in.folder)
	return in.library(s.name), nil
}

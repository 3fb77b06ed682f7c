package ortlib

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const (
	libraryFile = "libonnxruntime.so." + Version
	stampFile   = "installed.json"
	lockFile    = "lock"
	workPrefix  = "installing-" // of the folders in which an install works

	// sourceTimeout ends an attempt whose connection has stalled; 113 MB take
	// so long at 1 Mbit/s.
	sourceTimeout = 15 * time.Minute
)

// installer keeps the library in one folder.
type installer struct {
	folder   string
	sources  []source
	progress func(stage string, done, total int64) // may be nil
}

// stamp records what was installed. It is in place before the library is.
type stamp struct {
	Source string `json:"source"`
	SHA256 string `json:"sha256"` // of the library
}

// locate returns the installed library, after installing it if need be.
func (in *installer) locate(ctx context.Context) (Library, error) {
	if library, err := in.find(); err == nil {
		return library, nil
	}
	mends := "install npm, " + otherMends
	if err := os.MkdirAll(in.folder, 0o755); err != nil {
		return Library{}, unavailable(mends, err)
	}
	unlock, err := lock(ctx, filepath.Join(in.folder, lockFile), in.meter(Waiting))
	if err != nil && ctx.Err() != nil {
		return Library{}, cancelled(ctx)
	}
	if err != nil {
		return Library{}, unavailable(mends, err)
	}
	defer unlock()

	library, err := in.find() // another process may have installed it meanwhile
	if err == nil {
		return library, nil
	}
	reasons := []error{err}
	in.clear()
	for _, s := range in.sources {
		library, err := in.install(ctx, s)
		if err == nil {
			return library, nil
		}
		if ctx.Err() != nil {
			return Library{}, cancelled(ctx)
		}
		reasons = append(reasons, fmt.Errorf("%s: %w", s.name, err))
	}
	return Library{}, unavailable(mends, reasons...)
}

func cancelled(ctx context.Context) error {
	return fmt.Errorf("ortlib: installing ONNX Runtime %s: %w", Version, context.Cause(ctx))
}

// find returns the installed library after comparing its bytes with the sha256
// that is pinned for its source or, where none is, was recorded at the install.
func (in *installer) find() (Library, error) {
	path := filepath.Join(in.folder, libraryFile)
	record, err := in.readStamp()
	if errors.Is(err, fs.ErrNotExist) {
		return Library{}, fmt.Errorf("%s is not installed", path)
	}
	if err != nil {
		return Library{}, err
	}
	sum, err := hashFile(context.Background(), path)
	if err != nil {
		return Library{}, err
	}
	if want := in.wanted(record); sum != want {
		return Library{}, fmt.Errorf("%s is damaged: have sha256 %s, want %s", path, sum, want)
	}
	return Library{Path: path, Version: Version, Source: record.Source}, nil
}

// wanted returns the sha256 that a library installed with this record must have.
func (in *installer) wanted(record stamp) string {
	for _, s := range in.sources {
		if s.name == record.Source && s.library.sha256 != "" {
			return s.library.sha256
		}
	}
	return record.SHA256
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

// clear removes a damaged library and what killed installs have left. The lock
// is held, so nobody is at work there. What cannot be removed fails the install.
func (in *installer) clear() {
	os.Remove(filepath.Join(in.folder, libraryFile))
	os.Remove(filepath.Join(in.folder, stampFile))
	leftovers, _ := filepath.Glob(filepath.Join(in.folder, workPrefix+"*"))
	for _, folder := range leftovers {
		os.RemoveAll(folder)
	}
}

// install gets the library from s in a folder of its own.
func (in *installer) install(ctx context.Context, s source) (Library, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, sourceTimeout, fmt.Errorf("gave up after %v", sourceTimeout))
	defer cancel()
	work, err := os.MkdirTemp(in.folder, workPrefix)
	if err != nil {
		return Library{}, err
	}
	defer os.RemoveAll(work)
	library, err := in.installIn(ctx, work, s)
	if err != nil && ctx.Err() != nil {
		return Library{}, context.Cause(ctx) // says more than "signal: killed"
	}
	return library, err
}

// installIn fetches the tarball of s, checks it, extracts the library, checks
// that too, and puts it in its place.
func (in *installer) installIn(ctx context.Context, work string, s source) (Library, error) {
	archive := filepath.Join(work, "archive.tgz")
	if err := s.fetch(ctx, s, archive, in.meter(Downloading)); err != nil {
		return Library{}, err
	}
	if err := s.archive.check(ctx, archive); err != nil {
		return Library{}, fmt.Errorf("%s as fetched is not what was published: %w", s.from, err)
	}
	library := filepath.Join(work, libraryFile)
	if err := s.extract(ctx, archive, library, in.meter(Extracting)); err != nil {
		return Library{}, fmt.Errorf("%s: %w", s.from, err)
	}
	return in.place(ctx, s, library)
}

// place moves a checked library into its place. The stamp goes first: a library
// in place always has one.
func (in *installer) place(ctx context.Context, s source, library string) (Library, error) {
	sum, err := hashFile(ctx, library)
	if err != nil {
		return Library{}, err
	}
	if want := s.library.sha256; want != "" && sum != want {
		return Library{}, fmt.Errorf("%s: have sha256 %s, want %s", s.member, sum, want)
	}
	record, err := json.Marshal(stamp{Source: s.name, SHA256: sum})
	if err != nil {
		return Library{}, err
	}
	work := filepath.Dir(library)
	if err := save(ctx, filepath.Join(work, stampFile), bytes.NewReader(record), int64(len(record)), nil); err != nil {
		return Library{}, err
	}
	for _, name := range []string{stampFile, libraryFile} {
		if err := os.Rename(filepath.Join(work, name), filepath.Join(in.folder, name)); err != nil {
			return Library{}, err
		}
	}
	syncFolder(in.folder)
	return Library{Path: filepath.Join(in.folder, libraryFile), Version: Version, Source: s.name}, nil
}

// Package ortlib finds, checks and installs the shared library of ONNX Runtime.
//
// The library is looked for in this order:
//
//  1. the file $ONNXRUNTIME_LIB names, taken as it is;
//  2. the user's cache, <os.UserCacheDir>/rgm/onnxruntime-<Version>/<os>-<arch>,
//     where every byte is compared with a recorded sha256 (45 MB in about 30 ms);
//  3. for Locate only, the sources of pins.go: the package onnxruntime-node, which
//     npm fetches, then the official release. What a source delivers must have the
//     sha256 pinned there and is then installed in the cache.
//
// Installing is safe under parallel calls from goroutines and processes: one
// installs, the others wait for it. A killed install leaves nothing in place, and
// a damaged library is replaced.
package ortlib

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Version is the version of ONNX Runtime that is installed. It goes with the
// version of onnxruntime_go in go.mod: change both together, and the pins.
const Version = "1.30.0"

// LibraryVariable is the environment variable that names a library to use.
const LibraryVariable = "ONNXRUNTIME_LIB"

// ErrUnavailable is wrapped by the error of Find and Locate where there is no
// library; the error says what was tried and what mends it. A wrong
// $ONNXRUNTIME_LIB and a cancelled context are other errors.
var ErrUnavailable = errors.New("ortlib: ONNX Runtime " + Version + " cannot be had")

// Library is a shared library of ONNX Runtime that can be loaded.
type Library struct {
	Path    string // absolute
	Version string // Version, or "" for the library of $ONNXRUNTIME_LIB, which is not opened here
	Source  string // "ONNXRUNTIME_LIB", "npm" or "release": where it came from
}

// Stages of an install, as Options.Progress names them.
const (
	Waiting     = "waiting" // for another install to end; done and total are 0
	Downloading = "downloading"
	Extracting  = "extracting"
)

// Options of Locate.
type Options struct {
	// Progress, if not nil, is called as an install goes on, by one goroutine
	// at a time. done and total count bytes; total is 0 where it is not known.
	Progress func(stage string, done, total int64)
}

// Find returns the library that $ONNXRUNTIME_LIB names or the cache holds. It
// installs nothing. The error wraps ErrUnavailable where the cache holds none.
func Find() (Library, error) {
	if path := os.Getenv(LibraryVariable); path != "" {
		return named(path)
	}
	in, err := installerFor(runtime.GOOS, runtime.GOARCH, Options{})
	if err != nil {
		return Library{}, err
	}
	library, err := in.find()
	if err != nil {
		return Library{}, unavailable("run rgm setup, "+otherMends, err)
	}
	return library, nil
}

// Locate returns the library that Find finds, or installs one. The error wraps
// ErrUnavailable where no source delivers, and ctx's where ctx ended.
func Locate(ctx context.Context, options Options) (Library, error) {
	if path := os.Getenv(LibraryVariable); path != "" {
		return named(path)
	}
	in, err := installerFor(runtime.GOOS, runtime.GOARCH, options)
	if err != nil {
		return Library{}, err
	}
	return in.locate(ctx)
}

// named returns the library the user named. Its path is made absolute because
// the loader would look for a bare file name elsewhere.
func named(path string) (Library, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a file", path)
	}
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return Library{}, fmt.Errorf("ortlib: $%s: %w; to mend: name ONNX Runtime's shared library there, or unset it",
			LibraryVariable, err)
	}
	return Library{Path: path, Source: LibraryVariable}, nil
}

// installerFor returns the installer for a platform.
func installerFor(system, arch string, options Options) (*installer, error) {
	sources := pinned[system+"/"+arch]
	if len(sources) == 0 {
		return nil, unavailable(otherMends, fmt.Errorf("no library is known for %s/%s", system, arch))
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, unavailable("set XDG_CACHE_HOME, "+otherMends, err)
	}
	folder := filepath.Join(cache, "rgm", "onnxruntime-"+Version, system+"-"+arch)
	return &installer{folder: folder, sources: sources, progress: options.Progress}, nil
}

// otherMends are what helps wherever no library can be had.
const otherMends = "set " + LibraryVariable + "=/path/to/libonnxruntime.so, or use --provider go"

// unavailable returns the error that says why every attempt failed, and the mend.
func unavailable(mend string, reasons ...error) error {
	err := ErrUnavailable
	for _, reason := range reasons {
		err = fmt.Errorf("%w; %w", err, reason)
	}
	return fmt.Errorf("%w; to mend: %s", err, mend)
}

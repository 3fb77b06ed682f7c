// Package ortlib finds, checks and installs the shared library of ONNX Runtime.
//
// The library is looked for in this order:
//
//  1. the file $ONNXRUNTIME_LIB names, taken as it is;
//  2. the user's cache, <os.UserCacheDir>/rgm/onnxruntime-<version>/<os>-<arch>,
//     where every byte is compared with a recorded sha256 (45 MB in about 30 ms);
//  3. for Locate only, the sources of pins.go: packages, which npm fetches, then
//     the official release. What a source delivers must have the sha256 pinned
//     there and is then installed in the cache.
//
// There are two builds, CPU and CUDA, which the cache keeps apart. A process can
// load one of them only; that for CUDA serves the CPU as well.
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

// Version is the version of ONNX Runtime that is installed for the CPU. It goes
// with the version of onnxruntime_go in go.mod: change both together, and the pins.
const Version = "1.30.0"

// CUDAVersion is the version of the build for CUDA: the newest whose parts npm has.
const CUDAVersion = "1.29.0"

// A Build is a variant of the library.
type Build int

const (
	// CPU is the library alone.
	CPU Build = iota
	// CUDA is the library with what makes it run on NVIDIA's GPUs. CUDA's own
	// libraries (cuBLAS, cuRAND, the CUDA runtime) are not part of it: the system's
	// loader must find those of CUDA 13.
	CUDA
)

// Version returns the version of ONNX Runtime that is installed.
func (b Build) Version() string {
	if b == CUDA {
		return CUDAVersion
	}
	return Version
}

// String names what the build computes on.
func (b Build) String() string { return [...]string{CPU: "the CPU", CUDA: "CUDA"}[b] }

// libraryFile is the name of an installed library.
func (b Build) libraryFile() string { return "libonnxruntime.so." + b.Version() }

// LibraryVariable is the environment variable that names a library to use.
const LibraryVariable = "ONNXRUNTIME_LIB"

// ErrUnavailable is wrapped by the error of Find and Locate where there is no
// library, an UnavailableError. A wrong $ONNXRUNTIME_LIB and a cancelled context are
// other errors.
var ErrUnavailable = errors.New("ortlib: ONNX Runtime cannot be had")

// UnavailableError says what was tried to get a library.
type UnavailableError struct {
	Build   Build
	Reasons []error // of every attempt, the first that the library is not there
	Waits   bool    // no attempt was made, since one has failed within the last day
}

func (e *UnavailableError) Error() string {
	text := ErrUnavailable.Error()
	for _, reason := range e.Reasons {
		text += "; " + reason.Error()
	}
	return text + "; remedy: " + remedies[e.Build]
}

func (e *UnavailableError) Unwrap() []error { return append([]error{ErrUnavailable}, e.Reasons...) }

// remedies are what helps wherever no library can be had.
var remedies = [...]string{
	CPU:  "set " + LibraryVariable + "=/path/to/libonnxruntime.so",
	CUDA: "set " + LibraryVariable + " to the library in an unpacked official release for CUDA 13",
}

// Library is a shared library of ONNX Runtime that can be loaded.
type Library struct {
	Path    string // absolute
	Version string // of its Build, or "" for the library of $ONNXRUNTIME_LIB, which is not opened here
	Source  string // "ONNXRUNTIME_LIB", "file" (of At), "npm" or "release": where it came from
}

// Stages of an install, as Options.Progress names them.
const (
	Waiting     = "waiting" // for another install to end; done and total are 0
	Downloading = "downloading"
	Extracting  = "extracting"
)

// HasCUDA reports whether the part for CUDA lies beside the library, where ONNX
// Runtime looks for it.
func (l Library) HasCUDA() bool {
	_, err := os.Stat(filepath.Join(filepath.Dir(l.Path), cudaFile))
	return err == nil
}

// Options of Locate.
type Options struct {
	Build Build // which variant (CPU)
	// Progress, if not nil, is called as an install goes on, by one goroutine
	// at a time. done and total count bytes; total is 0 where it is not known.
	Progress func(stage string, done, total int64)
	// Again tries to install also where that has failed within the last day.
	Again bool
}

// At returns the library in a file of the user's own, which is not opened here.
func At(path string) (Library, error) {
	library, err := file(path)
	if err != nil {
		return Library{}, fmt.Errorf("ortlib: %w", err)
	}
	return library, nil
}

// Find returns the library that $ONNXRUNTIME_LIB names or the cache holds. It
// installs nothing. The error wraps ErrUnavailable where the cache holds none.
func Find(b Build) (Library, error) {
	if path := os.Getenv(LibraryVariable); path != "" {
		return named(path)
	}
	in, err := installerFor(runtime.GOOS, runtime.GOARCH, Options{Build: b})
	if err != nil {
		return Library{}, err
	}
	library, err := in.find()
	if err != nil {
		return Library{}, &UnavailableError{Build: b, Reasons: []error{err}}
	}
	return library, nil
}

// Locate returns the library that Find finds, or installs one. The error wraps
// ErrUnavailable where no source delivers, and ctx's where ctx ended. Where none
// delivered within the last day, none is asked unless the options say so.
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

// named returns the library that the environment names.
func named(path string) (Library, error) {
	library, err := file(path)
	if err != nil {
		return Library{}, fmt.Errorf("ortlib: $%s: %w; remedy: name ONNX Runtime's shared library there, or unset it",
			LibraryVariable, err)
	}
	library.Source = LibraryVariable
	return library, nil
}

// file returns a library by its path, which is made absolute because the loader would
// look for a bare file name elsewhere.
func file(path string) (Library, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a file", path)
	}
	if err == nil {
		path, err = filepath.Abs(path)
	}
	return Library{Path: path, Source: "file"}, err
}

// installerFor returns the installer for a platform.
func installerFor(system, arch string, options Options) (*installer, error) {
	b := options.Build
	sources := pinned[b][system+"/"+arch]
	if len(sources) == 0 {
		return nil, &UnavailableError{Build: b, Reasons: []error{fmt.Errorf("no library for %v is known for %s/%s", b, system, arch)}}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, &UnavailableError{Build: b, Reasons: []error{fmt.Errorf("no folder for the cache, which XDG_CACHE_HOME may name: %w", err)}}
	}
	folder := filepath.Join(cache, "rgm", "onnxruntime-"+b.Version()+suffixes[b], system+"-"+arch)
	return &installer{build: b, folder: folder, sources: sources, progress: options.Progress, again: options.Again}, nil
}

// suffixes tell the builds apart in paths.
var suffixes = [...]string{CPU: "", CUDA: "-cuda"}

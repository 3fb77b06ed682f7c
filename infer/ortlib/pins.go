package ortlib

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
)

// A source is one place that has the library, inside a gzipped tarball.
type source struct {
	name    string // recorded beside the library
	fetch   fetcher
	from    string // what fetch asks for: a package or an address
	archive pin
	member  string // the library's path in the tarball
	library pin    // without sha256 where only the archive's is known
}

// A fetcher writes the tarball of s to file, which does not exist yet, in a
// folder of its own.
type fetcher func(ctx context.Context, s source, file string, report meter) error

// A pin is what a file from outside must be.
type pin struct {
	sha256 string // in hexadecimal
	size   int64  // at most so many bytes are read
}

// pinned lists the sources by operating system and architecture, in the order
// in which they are tried. The package's hashes were computed from the package;
// the release's is quoted, so that a release that differs is refused.
var pinned = map[string][]source{
	"linux/amd64": {
		nodePackage("x64", pin{"ffb75a925ba05e47b235bb66e3e3911714a80b328a9c9425539feb204aa32a23", 45828512}),
		{
			name:    "release",
			fetch:   fetchAddress,
			from:    "https://github.com/microsoft/onnxruntime/releases/download/v" + Version + "/onnxruntime-linux-x64-" + Version + ".tgz",
			archive: pin{"a5ed5a3cac51fbb2e90da632ae43d19212faaa20e76484e62bcb7c23ddb3b3fd", 64 << 20},
			member:  "onnxruntime-linux-x64-" + Version + "/lib/libonnxruntime.so." + Version,
			library: pin{"", 256 << 20},
		},
	},
	"linux/arm64": {
		nodePackage("arm64", pin{"1f549d46250b005580b597f4164984aaf75b3bcb9f3aeb07c7f8a8fe60b23c76", 25135496}),
	},
}

// nodePackage is the npm package, which holds the libraries of all platforms.
func nodePackage(arch string, library pin) source {
	return source{
		name:    "npm",
		fetch:   fetchPackage,
		from:    "onnxruntime-node@" + Version,
		archive: pin{"6e3390d6b783e7be946fad629292799da28d0b42f84856e50d2c1b0383291e75", 113507888},
		member:  "package/bin/napi-v6/linux/" + arch + "/libonnxruntime.so.1",
		library: library,
	}
}

// check fails if the file is larger than the pin's size or has another sha256.
// It fails closed: a pin that is no sha256 matches no file.
func (p pin) check(ctx context.Context, file string) error {
	if digest, err := hex.DecodeString(p.sha256); err != nil || len(digest) != sha256.Size {
		return fmt.Errorf("the pinned sha256 %q is not %d hexadecimal digits", p.sha256, 2*sha256.Size)
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if info.Size() > p.size {
		return fmt.Errorf("have %d bytes, want at most %d", info.Size(), p.size)
	}
	sum, err := hashFile(ctx, file)
	if err != nil {
		return err
	}
	if sum != p.sha256 {
		return fmt.Errorf("have sha256 %s, want %s", sum, p.sha256)
	}
	return nil
}

// hashFile returns the sha256 of a file in hexadecimal.
func hashFile(ctx context.Context, file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, &reader{ctx: ctx, from: f}); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

package ortlib

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
)

// A source is one place that has the files of a build, inside gzipped tarballs.
type source struct {
	name     string // recorded beside the library
	archives []archive
}

// files returns what the source installs.
func (s source) files() []member {
	var files []member
	for _, a := range s.archives {
		files = append(files, a.members...)
	}
	return files
}

// An archive is a tarball.
type archive struct {
	fetch   fetcher
	from    string // what fetch asks for: a package or an address
	pin     pin
	members []member
}

// A member is a file in a tarball.
type member struct {
	path string // in the tarball
	file string // its name once installed; the library's is Build.libraryFile
	pin  pin    // without sha256 where only the archive's is known
}

// A fetcher writes the tarball a to file, which does not exist yet, in a folder of
// its own.
type fetcher func(ctx context.Context, a archive, file string, report meter) error

// A pin is what a file from outside must be.
type pin struct {
	sha256 string // in hexadecimal
	size   int64  // at most so many bytes are read
}

// The files that make the library run on CUDA, beside it.
const (
	cudaFile   = "libonnxruntime_providers_cuda.so"
	bridgeFile = "libonnxruntime_providers_shared.so"
)

// pinned lists the sources of each build by operating system and architecture, in
// the order in which they are tried. The packages' hashes were computed from the
// packages; the release's is quoted, so that a release that differs is refused. No
// hash of the release for CUDA is known, so that is no source.
var pinned = [...]map[string][]source{
	CPU: {
		"linux/amd64": {
			nodePackage("x64", pin{"ffb75a925ba05e47b235bb66e3e3911714a80b328a9c9425539feb204aa32a23", 45828512}),
			{"release", []archive{{
				fetch: fetchAddress,
				from:  "https://github.com/microsoft/onnxruntime/releases/download/v" + Version + "/onnxruntime-linux-x64-" + Version + ".tgz",
				pin:   pin{"a5ed5a3cac51fbb2e90da632ae43d19212faaa20e76484e62bcb7c23ddb3b3fd", 64 << 20},
				members: []member{
					{"onnxruntime-linux-x64-" + Version + "/lib/libonnxruntime.so." + Version, CPU.libraryFile(), pin{"", 256 << 20}},
				},
			}}},
		},
		"linux/arm64": {
			nodePackage("arm64", pin{"1f549d46250b005580b597f4164984aaf75b3bcb9f3aeb07c7f8a8fe60b23c76", 25135496}),
		},
	},
	CUDA: {
		"linux/amd64": {cudaPackages},
	},
}

// nodePackage is the npm package, which holds the libraries of all platforms.
func nodePackage(arch string, library pin) source {
	return source{"npm", []archive{{
		fetch:   fetchPackage,
		from:    "onnxruntime-node@" + Version,
		pin:     pin{"6e3390d6b783e7be946fad629292799da28d0b42f84856e50d2c1b0383291e75", 113507888},
		members: []member{{"package/bin/napi-v6/linux/" + arch + "/libonnxruntime.so.1", CPU.libraryFile(), library}},
	}}}
}

// cudaPackages are the library from one npm package and its part for CUDA 13 from
// another, which somebody else publishes: of the same version of ONNX Runtime.
var cudaPackages = source{"npm", []archive{
	{
		fetch: fetchPackage,
		from:  "onnxruntime-node@" + CUDAVersion,
		pin:   pin{"cfdfb45ec4044b1fdca43e5d2e180fb6817e649ff8ad1e0dfc90e18e51b67037", 111735068},
		members: []member{
			{"package/bin/napi-v6/linux/x64/libonnxruntime.so.1", CUDA.libraryFile(),
				pin{"89688f5cf51c7e31befbb7b9101bc027799009b18d1baa9a5b1146a72e69538d", 44726808}},
		},
	},
	{
		fetch: fetchPackage,
		from:  "com.github.asus4.onnxruntime.linux-x64-gpu@0.4.9",
		pin:   pin{"2b459e0c17f340c92970c10ed86de4f37a3009f93c14053e6ad4334cbb6be412", 179145956},
		members: []member{
			{"package/Plugins/Linux/x64/" + cudaFile, cudaFile,
				pin{"56cf3254b118ad837ccc4ed8f6d1b23504bbf7ef91b34cbc0b289cb7f10b3037", 229780440}},
			{"package/Plugins/Linux/x64/" + bridgeFile, bridgeFile,
				pin{"c6a12593396095f5670160e284c35d1700b7708cf3037b7042e2a5200ccae772", 14632}},
		},
	},
}}

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

package ortlib

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

var fakeProvider = []byte("not a provider; ")

// fakeCUDA is a source as that for CUDA is one: files from two packages.
func fakeCUDA(second archive) source {
	first := archive{fetchPackage, "core@1", pinOf(fakeTarball), []member{{fakeMember, CUDA.libraryFile(), pinOf(fakeLibrary)}}}
	return source{"npm", []archive{first, second}}
}

func providerArchive() (content []byte, a archive) {
	const path = "package/" + cudaFile
	content = tarball(path, fakeProvider)
	return content, archive{fetchPackage, "provider@1", pinOf(content), []member{{path, cudaFile, pinOf(fakeProvider)}}}
}

// deliverBoth copies the first tarball, or the one beside it for provider@1.
const deliverBoth = `case "$*" in *provider@1) cp $TARBALL.provider fake-1.tgz;; *) cp $TARBALL fake-1.tgz;; esac`

func TestInstallForCUDAFromTwoPackages(t *testing.T) {
	content, second := providerArchive()
	calls := fakeNPM(t, deliverBoth)
	write(t, filepath.Join(filepath.Dir(calls), "tarball.provider"), content)
	in := &installer{build: CUDA, folder: t.TempDir(), sources: []source{fakeCUDA(second)}}
	for range 2 { // the second call finds what the first installed
		library := must.Get(in.locate(t.Context()))(t)
		want := Library{filepath.Join(in.folder, "libonnxruntime.so."+CUDAVersion), CUDAVersion, "npm"}
		if library != want || !library.HasCUDA() {
			t.Errorf("located %+v, want %+v with CUDA", library, want)
		}
		wantFiles(t, in.folder, stampFile, CUDA.libraryFile(), cudaFile, lockFile)
	}
	if n := countLines(t, calls); n != 2 {
		t.Errorf("npm ran %d times, want twice", n)
	}

	// Damage to the part for CUDA is seen and repaired.
	write(t, filepath.Join(in.folder, cudaFile), []byte("damaged"))
	if _, err := in.find(); err == nil || !strings.Contains(err.Error(), cudaFile+" is damaged") {
		t.Errorf("damage was not seen: %v", err)
	}
	if _, err := in.locate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := in.find(); err != nil {
		t.Error(err)
	}
}

// TestHalfOfCUDAIsNotInstalled: where the second package fails, nothing is in place.
func TestHalfOfCUDAIsNotInstalled(t *testing.T) {
	_, second := providerArchive()
	fakeNPM(t, deliver) // the first tarball for both packages
	in := &installer{build: CUDA, folder: t.TempDir(), sources: []source{fakeCUDA(second)}}
	_, err := in.locate(t.Context())
	if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "provider@1 as fetched is not what was published") ||
		!strings.HasSuffix(err.Error(), "official release for CUDA 13") {
		t.Errorf("error %v", err)
	}
	wantFiles(t, in.folder, "failed", lockFile)
}

func TestBuildsAreKeptApart(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	var folders []string
	for _, b := range []Build{CPU, CUDA} {
		in := must.Get(installerFor("linux", "amd64", Options{Build: b}))(t)
		folders = append(folders, in.folder)
	}
	if folders[0] == folders[1] {
		t.Errorf("both builds live in %s", folders[0])
	}
	_, err := installerFor("linux", "arm64", Options{Build: CUDA})
	if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "no library for CUDA is known for linux/arm64;") {
		t.Errorf("error %v, want ErrUnavailable", err)
	}
}

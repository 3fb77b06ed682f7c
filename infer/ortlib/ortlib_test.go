package ortlib

import (
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

func TestNamedLibrary(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "libonnxruntime.so")
	write(t, file, fakeLibrary)
	t.Chdir(folder)
	for _, path := range []string{file, "libonnxruntime.so"} {
		t.Setenv(LibraryVariable, path)
		found := must.Get(Find(CPU))(t)
		located := must.Get(Locate(t.Context(), Options{}))(t)
		want := Library{Path: file, Source: LibraryVariable}
		if found != want || located != want {
			t.Errorf("%s: found %+v, located %+v, want %+v", path, found, located, want)
		}
	}
}

// A wrong name must not be passed over: the user would run another library than
// the one asked for.
func TestNamedLibraryMissing(t *testing.T) {
	folder := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(folder, "none.so"): "no such file",
		folder:                           "is not a file",
	} {
		t.Setenv(LibraryVariable, path)
		_, err := Locate(t.Context(), Options{})
		if err == nil || errors.Is(err, ErrUnavailable) {
			t.Fatalf("error %v, want one that is not ErrUnavailable", err)
		}
		for _, part := range []string{"ortlib: $ONNXRUNTIME_LIB: ", path, want, "unset it"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("error %v\ndoes not say %q", err, part)
			}
		}
	}
}

func TestFindInstallsNothing(t *testing.T) {
	if len(pinned[CPU][runtime.GOOS+"/"+runtime.GOARCH]) == 0 {
		t.Skip("no library is known for this platform")
	}
	cache := t.TempDir()
	t.Setenv(LibraryVariable, "")
	t.Setenv("XDG_CACHE_HOME", cache)
	_, err := Find(CPU)
	if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "is not installed; remedy: set ONNXRUNTIME_LIB") {
		t.Errorf("error %v, want ErrUnavailable with the remedy", err)
	}
	if entries, err := os.ReadDir(cache); err != nil || len(entries) != 0 {
		t.Errorf("Find made %v in the cache (%v)", entries, err)
	}
}

func TestNoCacheFolder(t *testing.T) {
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData", "home"} {
		t.Setenv(name, "")
	}
	_, err := installerFor("linux", "amd64", Options{})
	if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "which XDG_CACHE_HOME may name: ") {
		t.Errorf("error %v, want ErrUnavailable with the remedy", err)
	}
}

func TestUnknownPlatform(t *testing.T) {
	_, err := installerFor("plan9", "mips", Options{})
	want := "ortlib: ONNX Runtime cannot be had; no library for the CPU is known for plan9/mips; " +
		"remedy: set ONNXRUNTIME_LIB=/path/to/libonnxruntime.so"
	if !errors.Is(err, ErrUnavailable) || err.Error() != want {
		t.Errorf("error %v\nwant  %s", err, want)
	}
}

// TestPins: what was published is known of every archive, and every file in it
// unless it is the release's library, for which the archive's hash vouches.
func TestPins(t *testing.T) {
	check := func(where, sha256 string) {
		if digest, err := hex.DecodeString(sha256); err != nil || len(digest) != 32 {
			t.Errorf("%s: %q is no sha256", where, sha256)
		}
	}
	for b, platforms := range pinned {
		for platform, sources := range platforms {
			for _, s := range sources {
				libraries := 0
				for _, a := range s.archives {
					check(platform+", "+a.from, a.pin.sha256)
					for _, m := range a.members {
						library := m.file == Build(b).libraryFile()
						if library {
							libraries++
						}
						if !library || s.name != "release" {
							check(platform+", "+m.path, m.pin.sha256)
						}
					}
				}
				if libraries != 1 {
					t.Errorf("%s, %s: %d libraries, want 1", platform, s.name, libraries)
				}
			}
		}
	}
}

package ortlib

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
)

// A test installs a small made-up library: these bytes, in this tarball.
var (
	fakeLibrary = bytes.Repeat([]byte("not a library; "), 20_000)
	fakeMember  = "package/bin/libonnxruntime.so.1"
	fakeTarball = tarball(fakeMember, fakeLibrary)
)

var libraryFile = CPU.libraryFile()

func tarball(member string, content []byte) []byte {
	var buffer bytes.Buffer
	zipped := gzip.NewWriter(&buffer)
	members := tar.NewWriter(zipped)
	members.WriteHeader(&tar.Header{Name: member, Mode: 0o644, Size: int64(len(content))})
	members.Write(content)
	members.Close()
	zipped.Close()
	return buffer.Bytes()
}

func pinOf(content []byte) pin {
	sum := sha256.Sum256(content)
	return pin{hex.EncodeToString(sum[:]), int64(len(content))}
}

func fakePackage() source {
	return source{"npm", []archive{{fetchPackage, "fake@1", pinOf(fakeTarball), []member{{fakeMember, libraryFile, pinOf(fakeLibrary)}}}}}
}

// fakeRelease is a source as the official release is one: the hash of the
// library in it is not known.
func fakeRelease(url string) source {
	return source{"release", []archive{{fetchAddress, url, pinOf(fakeTarball), []member{{fakeMember, libraryFile, pin{"", 1 << 20}}}}}}
}

// fakeNPM puts a script in place of npm. The script notes each call in the file
// calls, and then does what it is told; $TARBALL is the made-up tarball.
func fakeNPM(t *testing.T, script string) (calls string) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh to run a made-up npm with")
	}
	folder := t.TempDir()
	calls = filepath.Join(folder, "calls")
	tarball := filepath.Join(folder, "tarball")
	write(t, tarball, fakeTarball)
	write(t, filepath.Join(folder, "npm"), []byte("#!/bin/sh\necho \"$@\" >> "+calls+"\nTARBALL="+tarball+"\n"+script))
	if err := os.Chmod(filepath.Join(folder, "npm"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	return calls
}

const deliver = "cp $TARBALL fake-1.tgz"

func write(t *testing.T, file string, content []byte) {
	t.Helper()
	if err := os.WriteFile(file, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// wantInstalled checks the library and that nothing else is left in the folder.
func wantInstalled(t *testing.T, in *installer, source string) {
	t.Helper()
	library := must.Get(in.find())(t)
	want := Library{filepath.Join(in.folder, libraryFile), Version, source}
	if library != want {
		t.Errorf("found %+v, want %+v", library, want)
	}
	if content, err := os.ReadFile(library.Path); err != nil || !bytes.Equal(content, fakeLibrary) {
		t.Errorf("the installed library has other bytes (%v)", err)
	}
	wantFiles(t, in.folder, stampFile, libraryFile, lockFile)
}

func wantFiles(t *testing.T, folder string, want ...string) {
	t.Helper()
	entries := must.Get(os.ReadDir(folder))(t)
	var have []string
	for _, entry := range entries {
		have = append(have, entry.Name())
	}
	if strings.Join(have, " ") != strings.Join(want, " ") {
		t.Errorf("in the folder: %q, want %q", have, want)
	}
}

func countLines(t *testing.T, file string) int {
	t.Helper()
	content := must.Get(os.ReadFile(file))(t)
	return bytes.Count(content, []byte("\n"))
}

func TestInstallFromPackage(t *testing.T) {
	calls := fakeNPM(t, deliver)
	var stages []string
	in := &installer{folder: t.TempDir(), sources: []source{fakePackage()}}
	in.progress = func(stage string, done, total int64) {
		if len(stages) == 0 || stages[len(stages)-1] != stage {
			stages = append(stages, stage)
		}
		if done > total {
			t.Errorf("%s: %d of %d bytes", stage, done, total)
		}
	}
	for range 2 { // the second call finds what the first installed
		if _, err := in.locate(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantInstalled(t, in, "npm")
	}
	if n := countLines(t, calls); n != 1 {
		t.Errorf("npm ran %d times, want once", n)
	}
	if line, _ := os.ReadFile(calls); !strings.HasPrefix(string(line), "pack --ignore-scripts ") {
		t.Errorf("npm was called with %q", line)
	}
	if got := strings.Join(stages, " "); !strings.HasSuffix(got, Extracting) {
		t.Errorf("stages %q do not end with extracting", got)
	}
}

func TestInstallFromRelease(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(fakeTarball) }))
	defer server.Close()
	fakeNPM(t, "echo no network >&2; exit 1")
	var downloaded int64
	in := &installer{folder: t.TempDir(), sources: []source{fakePackage(), fakeRelease(server.URL)}}
	in.progress = func(stage string, done, total int64) {
		if stage == Downloading {
			downloaded = done
		}
	}
	if _, err := in.locate(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantInstalled(t, in, "release")
	if downloaded != int64(len(fakeTarball)) {
		t.Errorf("progress ended at %d bytes, want %d", downloaded, len(fakeTarball))
	}

	// The recorded hash, the only one there is, guards it.
	write(t, filepath.Join(in.folder, libraryFile), []byte("damaged"))
	if _, err := in.find(); err == nil || !strings.Contains(err.Error(), "is damaged: have sha256 ") {
		t.Errorf("a damaged library was found: %v", err)
	}
}

func TestDamageIsMended(t *testing.T) {
	flipped := bytes.Clone(fakeLibrary)
	flipped[len(flipped)/2] ^= 1
	for name, damage := range map[string]func(t *testing.T, in *installer){
		"a flipped bit":     func(t *testing.T, in *installer) { write(t, filepath.Join(in.folder, libraryFile), flipped) },
		"a missing half":    func(t *testing.T, in *installer) { write(t, filepath.Join(in.folder, libraryFile), fakeLibrary[:1000]) },
		"no library":        func(t *testing.T, in *installer) { os.Remove(filepath.Join(in.folder, libraryFile)) },
		"no stamp":          func(t *testing.T, in *installer) { os.Remove(filepath.Join(in.folder, stampFile)) },
		"a damaged stamp":   func(t *testing.T, in *installer) { write(t, filepath.Join(in.folder, stampFile), []byte("{")) },
		"an unknown source": func(t *testing.T, in *installer) { write(t, filepath.Join(in.folder, stampFile), []byte("{}")) },
		"a stamp that vouches for other bytes": func(t *testing.T, in *installer) {
			write(t, filepath.Join(in.folder, libraryFile), flipped)
			write(t, filepath.Join(in.folder, stampFile), []byte(`{"source":"npm","sha256":"`+pinOf(flipped).sha256+`"}`))
		},
	} {
		t.Run(name, func(t *testing.T) {
			calls := fakeNPM(t, deliver)
			in := &installer{folder: t.TempDir(), sources: []source{fakePackage()}}
			if _, err := in.locate(t.Context()); err != nil {
				t.Fatal(err)
			}
			damage(t, in)
			if _, err := in.find(); err == nil {
				t.Error("the damage was not seen")
			}
			if _, err := in.locate(t.Context()); err != nil {
				t.Fatal(err)
			}
			wantInstalled(t, in, "npm")
			if n := countLines(t, calls); n != 2 {
				t.Errorf("npm ran %d times, want twice", n)
			}
		})
	}
}

func TestNothingDelivers(t *testing.T) {
	truncated := fakeTarball[:len(fakeTarball)/2]
	serve := func(status int, body []byte) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			w.Write(body)
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	with := func(s source, change func(*archive)) source {
		change(&s.archives[0])
		return s
	}
	served := serve(http.StatusOK, fakeTarball)
	for name, test := range map[string]struct {
		npm  string // script; "" for no npm
		from source
		want string
	}{
		"no npm":           {"", fakePackage(), "; npm: npm is not on PATH; remedy: set ONNXRUNTIME_LIB="},
		"npm fails":        {"echo npm error code E404 >&2; echo npm error a long log >&2; exit 3", fakePackage(), "npm: npm pack fake@1: exit status 3 (E404); "},
		"npm does nothing": {"exit 0", fakePackage(), "npm: npm pack fake@1 left 0 tarballs, want 1; "},
		"wrong tarball":    {"echo > fake-1.tgz", fakePackage(), "npm: fake@1 as fetched is not what was published: have sha256 "},
		"truncated tarball": {"head -c 100 $TARBALL > fake-1.tgz", fakePackage(),
			"npm: fake@1 as fetched is not what was published: have sha256 "},
		"large tarball": {"cat $TARBALL $TARBALL > fake-1.tgz", fakePackage(), "npm: fake@1 as fetched is not what was published: have "},
		"wrong library": {deliver, with(fakePackage(), func(a *archive) { a.members[0].pin.sha256 = strings.Repeat("0", 64) }),
			"npm: " + fakeMember + ": have sha256 "},
		"large library": {deliver, with(fakePackage(), func(a *archive) { a.members[0].pin.size = 1000 }),
			fmt.Sprintf("npm: fake@1: %s: have %d bytes, want at most 1000; ", fakeMember, len(fakeLibrary))},
		"no such member": {deliver, with(fakePackage(), func(a *archive) { a.members[0].path = "other" }), "npm: fake@1: the tarball has no other; "},
		"member not whole": {"", with(fakeRelease(serve(http.StatusOK, truncated)), func(a *archive) { a.pin = pinOf(truncated) }),
			": unexpected EOF; "},
		"no pin": {"", with(fakeRelease(served), func(a *archive) { a.pin.sha256 = "" }),
			`the pinned sha256 "" is not 64 hexadecimal digits; `},
		"short pin": {"", with(fakeRelease(served), func(a *archive) { a.pin.sha256 = a.pin.sha256[:62] }),
			` is not 64 hexadecimal digits; `},
		"not found":        {"", fakeRelease(serve(http.StatusNotFound, nil)), ": 404 Not Found; "},
		"endless download": {"", with(fakeRelease(served), func(a *archive) { a.pin.size = 100 }), "have 101 bytes, want at most 100; "},
		"nobody there":     {"", fakeRelease("http://127.0.0.1:1/"), "; release: Get "},
	} {
		t.Run(name, func(t *testing.T) {
			if test.npm != "" {
				fakeNPM(t, test.npm)
			} else {
				t.Setenv("PATH", t.TempDir())
			}
			in := &installer{folder: t.TempDir(), sources: []source{test.from}}
			_, err := in.locate(t.Context())
			if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v\nwant ErrUnavailable with %q", err, test.want)
			}
			for _, remedy := range []string{" is not installed; ", "ONNXRUNTIME_LIB="} {
				if !strings.Contains(err.Error(), remedy) {
					t.Errorf("error %v\ndoes not say %q", err, remedy)
				}
			}
			for _, alien := range []string{"--", "rgm ", "long log"} {
				if strings.Contains(err.Error(), alien) {
					t.Errorf("error %v\nsays %q", err, alien)
				}
			}
			wantFiles(t, in.folder, "failed", lockFile)
		})
	}
}

func TestFolderNotWritable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, nil)
	in := &installer{folder: filepath.Join(file, "folder"), sources: []source{fakePackage()}}
	if _, err := in.locate(t.Context()); !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), file) {
		t.Errorf("error %v, want ErrUnavailable that names %s", err, file)
	}
}

func TestCancel(t *testing.T) {
	fakeNPM(t, "sleep 20")
	in := &installer{folder: t.TempDir(), sources: []source{fakePackage()}}
	ctx, cancel := context.WithCancel(t.Context())
	in.progress = func(stage string, _, _ int64) { cancel() }
	start := time.Now()
	_, err := in.locate(ctx)
	if !errors.Is(err, context.Canceled) || errors.Is(err, ErrUnavailable) {
		t.Errorf("error %v, want the context's", err)
	}
	if elapsed := time.Since(start); elapsed > 10*time.Second {
		t.Errorf("took %v to stop", elapsed)
	}
	wantFiles(t, in.folder, lockFile)
}

func TestCancelWhileWaiting(t *testing.T) {
	in := &installer{folder: t.TempDir(), sources: []source{fakePackage()}}
	held := must.Get(lock(t.Context(), filepath.Join(in.folder, lockFile), nil))(t)
	defer held.Close()
	ctx, cancel := context.WithCancel(t.Context())
	in.progress = func(stage string, _, _ int64) {
		if stage == Waiting {
			cancel()
		}
	}
	if _, err := in.locate(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
}

func TestParallelGoroutinesInstallOnce(t *testing.T) {
	calls := fakeNPM(t, "sleep 0.2\n"+deliver)
	folder := t.TempDir()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			in := &installer{folder: folder, sources: []source{fakePackage()}}
			if _, err := in.locate(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	wantInstalled(t, &installer{folder: folder, sources: []source{fakePackage()}}, "npm")
	if n := countLines(t, calls); n != 1 {
		t.Errorf("npm ran %d times, want once", n)
	}
}

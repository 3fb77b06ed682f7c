package ortlib

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// Variables that make this test binary a process that installs into a folder,
// and kills itself at the first report of a stage.
const (
	childFolder = "RGM_ORTLIB_TEST_FOLDER"
	childDiesAt = "RGM_ORTLIB_TEST_DIES_AT"
)

func TestMain(m *testing.M) {
	if folder := os.Getenv(childFolder); folder != "" {
		os.Exit(child(folder))
	}
	os.Exit(m.Run())
}

func child(folder string) int {
	in := &installer{folder: folder, sources: []source{fakePackage()}}
	in.progress = func(stage string, _, _ int64) {
		if stage == os.Getenv(childDiesAt) {
			self, _ := os.FindProcess(os.Getpid())
			self.Kill()
			select {}
		}
	}
	library, err := in.locate(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Print(library.Path)
	return 0
}

func startChild(t *testing.T, folder, diesAt string) *exec.Cmd {
	t.Helper()
	self := must.Get(os.Executable())(t)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), childFolder+"="+folder, childDiesAt+"="+diesAt)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

func TestParallelProcessesInstallOnce(t *testing.T) {
	calls := fakeNPM(t, "sleep 0.5\n"+deliver)
	folder := t.TempDir()
	var children []*exec.Cmd
	for range 4 {
		children = append(children, startChild(t, folder, ""))
	}
	for _, cmd := range children {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	wantInstalled(t, &installer{folder: folder, sources: []source{fakePackage()}}, "npm")
	if n := countLines(t, calls); n != 1 {
		t.Errorf("npm ran %d times, want once", n)
	}
}

func TestKilledInstallLeavesNothingInPlace(t *testing.T) {
	for stage, script := range map[string]string{
		Downloading: "head -c 100 $TARBALL > half.tgz\nsleep 1\n" + deliver,
		Extracting:  deliver,
	} {
		t.Run(stage, func(t *testing.T) {
			fakeNPM(t, script)
			in := &installer{folder: t.TempDir(), sources: []source{fakePackage()}}
			if err := startChild(t, in.folder, stage).Wait(); err == nil {
				t.Fatal("the process was not killed")
			}
			if library, err := in.find(); err == nil {
				t.Fatalf("found %+v after a killed install", library)
			}
			fakeNPM(t, deliver)
			if _, err := in.locate(t.Context()); err != nil {
				t.Fatal(err)
			}
			wantInstalled(t, in, "npm")
		})
	}
}

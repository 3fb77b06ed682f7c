package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rgm-go/rgm/infer/ortlib"
)

// reason is one for which tests are skipped.
type reason struct {
	about   string
	message *regexp.Regexp // of the tests
	holds   func() bool    // on this machine, seen from this folder
	most    int            // how many tests there are where it holds, subtests too; 0: as many as there are
}

var reasons = []reason{
	{
		"data that are not part of the repository (CONTRIBUTING, test data)", regexp.MustCompile(`needs data that are not part`),
		func() bool { return os.Getenv("RGM_TESTDATA") == "" && !exists("../../shared/data") }, 23,
	},
	{"a measurement or a campaign, which a variable of the environment asks for", regexp.MustCompile(`RGM_TEST_|OUTSIDE_[A-Z]`), func() bool { return true }, 8},
	{
		"a method that does not serve the kind of instance",
		regexp.MustCompile(`lifted relaxation takes|branch and bound takes|has no pretrained model|needs? an affinity matrix|needs a Koopmans|align: (it is for flows|edges alone count|the first matrix joins)`),
		func() bool { return true }, 50,
	},
	{"a user whose rights folders limit (not root)", regexp.MustCompile(`root may write everywhere`), func() bool { return os.Geteuid() == 0 }, 8},
	{"a part of another test, which starts it as a process", regexp.MustCompile(`a process of Test`), func() bool { return true }, 1},
	{"ONNX Runtime's library (rgm setup)", regexp.MustCompile(`needs ONNX Runtime`), func() bool { return !installed(ortlib.CPU) }, 0},
	{
		"a GPU and the build for CUDA (rgm setup --cuda)", regexp.MustCompile(`needs the build for CUDA|needs a GPU|see above`),
		func() bool { return !installed(ortlib.CUDA) || missing("nvidia-smi") }, 3,
	},
	{"Chromium", regexp.MustCompile(`needs chromium`), func() bool { return missing("chromium", "chromium-browser", "google-chrome") }, 0},
	{
		"Node.js and its packages (npm install in serve/outside)", regexp.MustCompile("needs node|needs npm|needs `npm install"),
		func() bool { return missing("node") || !exists("../serve/outside/node_modules") }, 0,
	},
	{
		"Python's module onnx (Debian: python3-onnx)", regexp.MustCompile(`no python3 with onnx`),
		func() bool { return !imports("python3") && !imports("/usr/bin/python3") }, 0,
	},
	{"a clone with its history", regexp.MustCompile(`no clone with its history`), func() bool { return !complete() }, 2},
	{"strace, or the right to use it", regexp.MustCompile(`strace cannot`), func() bool { return missing("strace") || !traces() }, 0},
}

// complete reports whether this is a clone with its history.
func complete() bool {
	shallow, err := exec.Command("git", "rev-parse", "--is-shallow-repository").Output()
	return err == nil && strings.TrimSpace(string(shallow)) == "false"
}

func exists(path ...string) bool {
	_, err := os.Stat(filepath.Join(path...))
	return err == nil
}

// missing reports whether none of the programs is installed.
func missing(programs ...string) bool {
	for _, name := range programs {
		if _, err := exec.LookPath(name); err == nil {
			return false
		}
	}
	return true
}

func installed(b ortlib.Build) bool {
	_, err := ortlib.Find(b)
	return err == nil
}

func imports(python string) bool { return exec.Command(python, "-c", "import onnx").Run() == nil }

func traces() bool { return exec.Command("strace", "-f", "true").Run() == nil }

// allowed returns how many tests may be skipped for a reason: those that there are where it
// holds, and none elsewhere. A negative number is no bound.
func (r reason) allowed() int {
	switch {
	case !r.holds():
		return 0
	case r.most == 0:
		return -1
	}
	return r.most
}

// reasonOf returns the reason for which a test was skipped, from its output, or the message of
// t.Skip, where no reason fits.
func reasonOf(output string) string {
	for _, r := range reasons {
		if r.message.MatchString(output) {
			return r.about
		}
	}
	message := ""
	for line := range strings.Lines(output) {
		if _, said, found := strings.Cut(line, ".go:"); found {
			_, message, _ = strings.Cut(strings.TrimSpace(said), ": ")
		}
	}
	return message
}

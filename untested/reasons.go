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
	most    int            // how many there are, subtests too, on a machine that has everything else
	holds   func() bool    // on this machine
}

var reasons = []reason{
	{"data that are not part of the repository (CONTRIBUTING, test data)", regexp.MustCompile(`needs data that are not part`), 21, func() bool { return !exists("../../shared/data") && os.Getenv("RGM_TESTDATA") == "" }},
	{"ONNX Runtime's library (rgm setup)", regexp.MustCompile(`needs ONNX Runtime`), 60, func() bool { _, err := ortlib.Find(ortlib.CPU); return err != nil }},
	{"a GPU and the build for CUDA (rgm setup --cuda)", regexp.MustCompile(`needs the build for CUDA|needs a GPU|see above`), 3, func() bool { _, err := ortlib.Find(ortlib.CUDA); return err != nil }},
	{"Chromium", regexp.MustCompile(`needs chromium`), 9, func() bool { return missing("chromium", "chromium-browser", "google-chrome") }},
	{"Node.js's packages (npm install in serve/outside)", regexp.MustCompile("needs node|needs npm|needs `npm install"), 30, func() bool { return missing("node") || !exists("../serve/outside/node_modules") }},
	{"Python's module onnx (Debian: python3-onnx)", regexp.MustCompile(`no python3 with onnx`), 3, func() bool {
		return exec.Command("python3", "-c", "import onnx").Run() != nil && exec.Command("/usr/bin/python3", "-c", "import onnx").Run() != nil
	}},
	{"strace, or the right to use it", regexp.MustCompile(`strace cannot`), 2, func() bool { return missing("strace") }},
	{"a measurement or campaign that a variable of the environment asks for", regexp.MustCompile(`RGM_TEST_|OUTSIDE_[A-Z]`), 10, func() bool { return true }},
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

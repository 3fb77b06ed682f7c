// Package clitest is what tests of the programs share: their scripts, their settings, and
// how they end where a disk is full or a signal comes.
package clitest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/ortlib"
)

// Scripts runs the command lines of testdata/script, each in an empty folder and environment.
func Scripts(t *testing.T, program string) {
	available := HasONNXRuntime(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			cache, err := os.UserCacheDir()
			if err != nil {
				return err
			}
			path, err := exec.LookPath(program)
			if err != nil {
				return err
			}
			env.Setenv("XDG_CACHE_HOME", cache)
			env.Setenv(ortlib.LibraryVariable, os.Getenv(ortlib.LibraryVariable))
			env.Setenv("PROGRAM", filepath.Dir(path))
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name == "onnxruntime" {
				return available, nil
			}
			return false, fmt.Errorf("unknown condition %s", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": cmdStatus, "npy": cmdNPY, "damage": cmdDamage, "stop-clock": cmdStopClock,
		},
	})
}

// HasONNXRuntime reports whether there is a library, after installing it if need be.
func HasONNXRuntime(t *testing.T) bool {
	t.Helper()
	_, err := networks.RuntimeVersion(context.Background(), infer.SessionOptions{Install: true})
	if err != nil && !errors.Is(err, ortlib.ErrUnavailable) {
		t.Fatal(err)
	}
	return err == nil
}

// cmdStatus runs a program and checks its exit status: status 1 rgm solve ….
func cmdStatus(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	have := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		have = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if have != want {
		ts.Fatalf("exit status %d, want %d", have, want)
	}
}

// cmdNPY writes a .npy file that claims a shape, with the numbers that follow:
// npy k.npy 2,2 0 1 1 0.
func cmdNPY(ts *testscript.TestScript, _ bool, args []string) {
	const length = 118
	dict := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }", args[1])
	file := fmt.Appendf(nil, "\x93NUMPY\x01\x00%c\x00%-*s\n", length, length-1, dict)
	for _, text := range args[2:] {
		v, err := strconv.ParseFloat(text, 64)
		ts.Check(err)
		file = binary.LittleEndian.AppendUint64(file, math.Float64bits(v))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), file, 0o666))
}

// cmdDamage flips a bit in the middle of a file.
func cmdDamage(ts *testscript.TestScript, _ bool, args []string) {
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	data[len(data)/2] ^= 0x10
	ts.Check(os.WriteFile(path, data, 0o666))
}

// cmdStopClock writes the last standard output to a file, all seconds 0.
func cmdStopClock(ts *testscript.TestScript, _ bool, args []string) {
	seconds := regexp.MustCompile(`("[a-z_]*seconds[a-z_]*":)[0-9.e+-]+`)
	text := seconds.ReplaceAllString(ts.ReadFile("stdout"), "${1}0")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}

// Campaign reports whether tests run at the scale of lab/notes/RELIABILITY.md.
var Campaign = os.Getenv("RGM_TEST_CAMPAIGN") != ""

// MustRun runs a program, which must succeed.
func MustRun(t *testing.T, program string, args ...string) {
	t.Helper()
	if output, err := exec.Command(program, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, output)
	}
}

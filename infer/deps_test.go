package infer_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// TestInferStaysLean: an embedding program does not pay for what trains, draws or
// reads command lines.
func TestInferStaysLean(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command")
	}
	out := must.Get(exec.Command("go", "list", "-deps", ".").Output())(t)
	const module = "github.com/rgm-go/rgm/"
	unwanted := []string{
		module + "train", module + "export", module + "models", module + "datasets", module + "cmd",
		"gonum.org/", "github.com/spf13/", "github.com/schollz/", "github.com/sbinet/",
	}
	for path := range strings.FieldsSeq(string(out)) {
		for _, prefix := range unwanted {
			if strings.HasPrefix(path, prefix) {
				t.Errorf("infer depends on %s", path)
			}
		}
	}
}

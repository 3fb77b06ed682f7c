package infer_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// TestInferStaysLean: a program that embeds it pays for no training, reading of files, drawing or command line,
// nor for gonum or models.
func TestInferStaysLean(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command")
	}
	const module = "github.com/rgm-go/rgm/"
	unwanted := []string{
		module + "train", module + "export", module + "datasets", module + "cmd", module + "models",
		"gonum.org/", "github.com/spf13/", "github.com/schollz/", "github.com/sbinet/",
	}
	for path := range strings.FieldsSeq(string(must.Get(exec.Command("go", "list", "-deps", ".").Output())(t))) {
		if slices.ContainsFunc(unwanted, func(prefix string) bool { return strings.HasPrefix(path, prefix) }) {
			t.Errorf("package infer depends on %s", path)
		}
	}
}

package portfolio_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// TestPortfolioStaysLean: a program that embeds it, or only infer, pays for no training, reading
// of files, drawing or command line, nor for gonum; of models it has the pretrained.
func TestPortfolioStaysLean(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command")
	}
	const module = "github.com/rgm-go/rgm/"
	unwanted := []string{
		module + "train", module + "export", module + "datasets", module + "cmd", module + "models",
		"gonum.org/", "github.com/spf13/", "github.com/schollz/", "github.com/sbinet/",
	}
	for folder, besides := range map[string]string{"..": "", ".": module + "models/pretrained"} {
		for path := range strings.FieldsSeq(string(must.Get(exec.Command("go", "list", "-deps", folder).Output())(t))) {
			if path != besides && slices.ContainsFunc(unwanted, func(prefix string) bool { return strings.HasPrefix(path, prefix) }) {
				t.Errorf("%s depends on %s", folder, path)
			}
		}
	}
}

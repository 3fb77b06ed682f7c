package portfolio_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// TestPortfolioStaysLean: a program that embeds it pays for no training, reading of
// files, drawing or command line, nor for gonum.
func TestPortfolioStaysLean(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command")
	}
	out := must.Get(exec.Command("go", "list", "-deps", ".").Output())(t)
	const module = "github.com/rgm-go/rgm/"
	unwanted := []string{
		module + "train", module + "export", module + "datasets", module + "cmd",
		"gonum.org/", "github.com/spf13/", "github.com/schollz/", "github.com/sbinet/",
	}
	for path := range strings.FieldsSeq(string(out)) {
		for _, prefix := range unwanted {
			if strings.HasPrefix(path, prefix) {
				t.Errorf("portfolio depends on %s", path)
			}
		}
		if strings.HasPrefix(path, module+"models") && path != module+"models/pretrained" {
			t.Errorf("portfolio depends on %s", path)
		}
	}
}

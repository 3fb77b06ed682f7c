package service

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/serve"
)

// TestModels: those of a folder, whatever it is called, come before pretrained ones of
// their names.
func TestModels(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "mine[1]*")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Models(folder); err == nil {
		t.Error("a folder without models is taken")
	}
	for _, name := range []string{"qap", "new"} {
		if err := os.WriteFile(filepath.Join(folder, name+".onnx"), []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	models, err := Models(folder)
	if err != nil || len(models) != len(pretrained.Names())+1 {
		t.Fatalf("%d models, %v", len(models), err)
	}
	for _, name := range []string{"qap", "new"} {
		if !slices.ContainsFunc(models, func(m serve.ModelFile) bool { return m.Name == name && string(m.Data) == name }) {
			t.Errorf("%s is not that of the folder", name)
		}
	}
}

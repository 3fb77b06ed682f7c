package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/service"
	"github.com/rgm-go/rgm/internal/must"
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
	if _, err := service.Models(folder); err == nil {
		t.Error("a folder without models is taken")
	}
	for _, name := range []string{"qap", "new"} {
		if err := os.WriteFile(filepath.Join(folder, name+".onnx"), []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	models, err := service.Models(folder)
	if err != nil || len(models) != len(pretrained.Names())+1 {
		t.Fatalf("%d models, %v", len(models), err)
	}
	for _, name := range []string{"qap", "new"} {
		if !slices.ContainsFunc(models, func(m serve.ModelFile) bool { return m.Name == name && string(m.Data) == name }) {
			t.Errorf("%s is not that of the folder", name)
		}
	}
}

// TestModelsOutliveTheirFolder: a service whose folder of models is taken away while it tries
// them becomes ready, lists them and solves with them. The next start fails.
func TestModelsOutliveTheirFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "models")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for mine, name := range map[string]string{"mine": "qap", "other": "matching"} {
		data := must.Get(pretrained.Model(name))(t)
		if err := os.WriteFile(filepath.Join(folder, mine+".onnx"), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	models := must.Get(service.Models(folder))(t)
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	p := must.Get(service.OpenSolver(console.Discard(), "go", "", models))(t)
	defer p.Close()
	h := serve.NewHandler(p, serve.Options{Models: models})
	defer h.Close()
	ask := func(method, path, body string) (int, string) {
		r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
	for begin := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if status, _ := ask(http.MethodGet, "/v2/health/ready", ""); status == http.StatusOK {
			break
		}
		if time.Since(begin) > time.Minute {
			t.Fatal("not ready")
		}
	}
	_, listed := ask(http.MethodGet, "/v2/models", "")
	for _, mine := range []string{"mine", "other"} {
		if status, _ := ask(http.MethodGet, "/v2/models/"+mine+"/ready", ""); status != http.StatusOK || !strings.Contains(listed, `"`+mine+`"`) {
			t.Errorf("%s: status %d, listed are %s", mine, status, listed)
		}
	}
	status, result := ask(http.MethodPost, "/v1/solve", `{"instance":{"kind":"qaplib","name":"nug12"},"options":{"method":"rgm","model":"mine","max_steps":5}}`)
	if status != http.StatusOK || !strings.Contains(result, `"model":"mine"`) {
		t.Errorf("status %d: %s", status, result)
	}
	if _, err := service.Models(folder); err == nil {
		t.Error("a folder that is gone is taken")
	}
}

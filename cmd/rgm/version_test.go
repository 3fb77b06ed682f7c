package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"github.com/rgm-go/rgm/cli"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/version"
	"github.com/rgm-go/rgm/models/pretrained"
)

// TestVersions: rgm version and the description of the service have the number that
// the header, the wheel and the package for npm have by capi's test. rgm version names every model.
func TestVersions(t *testing.T) {
	var printed bytes.Buffer
	root := cli.Root(console.Discard())
	root.SetArgs([]string{"version"})
	root.SetOut(&printed)
	if err := root.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	if words := strings.Fields(printed.String()); len(words) < 2 || words[0] != "rgm" || words[1] != version.Number {
		t.Errorf("rgm version: %s", printed.String())
	}
	for _, name := range append(pretrained.Names(), pretrained.Align) {
		if !strings.Contains(printed.String(), "\nmodel "+name+" ") {
			t.Errorf("rgm version has no model %s: %s", name, printed.String())
		}
	}

	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	service := cli.Root(console.New(write))
	service.SetArgs([]string{"serve", "--listen", "127.0.0.1:0", "--provider", "go"})
	go func() {
		err := service.ExecuteContext(ctx)
		write.Close() // where it never listened, the line below does not come
		ended <- err
	}()
	line := must.Get(bufio.NewReader(read).ReadString('\n'))(t)
	response := must.Get(http.Get(strings.TrimSpace(strings.TrimPrefix(line, "listening on ")) + "/openapi.json"))(t)
	defer response.Body.Close()
	var described struct{ Info struct{ Version string } }
	if err := json.NewDecoder(response.Body).Decode(&described); err != nil || described.Info.Version != version.Number {
		t.Errorf("the service is of %q, want %s; %v", described.Info.Version, version.Number, err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

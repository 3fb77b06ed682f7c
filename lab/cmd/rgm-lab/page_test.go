package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rgm-go/rgm/serve/outside/processes"
)

// TestReportInABrowser opens the page of rgm-lab report, in light and dark, at 360 px.
func TestReportInABrowser(t *testing.T) {
	const outside = "../../../serve/outside/"
	browser := processes.Browser(t, outside)
	t.Parallel()
	dir := t.TempDir()
	if out, err := exec.Command("rgm-lab", "report", "--parts", "table3,figure3,figure5", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command("node", outside+"report.mjs", browser, filepath.Join(dir, "report.html")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

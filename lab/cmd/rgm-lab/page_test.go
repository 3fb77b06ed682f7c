package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestReportInABrowser opens the page of rgm-lab report, in light and dark, at 360 px.
func TestReportInABrowser(t *testing.T) {
	const outside = "../../../serve/outside/"
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("needs node")
	}
	if _, err := os.Stat(outside + "node_modules"); err != nil {
		t.Skip("needs `npm install` in serve/outside")
	}
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("needs chromium")
	}
	t.Parallel()
	dir := t.TempDir()
	if out, err := exec.Command("rgm-lab", "report", "--parts", "table3,figure3,figure5", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command("node", outside+"report.mjs", browser, filepath.Join(dir, "report.html")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

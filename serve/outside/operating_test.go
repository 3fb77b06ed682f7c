package outside

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// TestBundle: what rgm bundle writes solves with ONNX Runtime in an empty network
// namespace with an empty home, and leaves that empty.
func TestBundle(t *testing.T) {
	if testing.Short() {
		t.Skip("starts programs: not in short tests")
	}
	t.Parallel()
	if out, err := exec.Command(program, "setup", "--check").CombinedOutput(); err != nil {
		t.Skipf("needs ONNX Runtime's library: %s", out)
	}
	folder, home := filepath.Join(t.TempDir(), "bundle"), t.TempDir()
	if out, err := exec.Command(program, "bundle", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	check := exec.Command("sha256sum", "--strict", "-c", "SHA256SUMS")
	check.Dir = folder
	if out, err := check.CombinedOutput(); err != nil || strings.Count(string(out), ": OK") < 6 {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := exec.Command("unshare", "-rn", "true").CombinedOutput(); err != nil {
		t.Skipf("needs unshare: %v %s", err, out)
	}
	solve := exec.Command("unshare", "-rn", filepath.Join(folder, "rgm.sh"), "solve", "--provider", "cpu", "--method", "rgm", "--max-steps", "5", "--format", "json", "nug12")
	solve.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	out, err := solve.CombinedOutput()
	if err != nil || !strings.Contains(string(out), `"provider":"onnxruntime-cpu"`) {
		t.Errorf("%v\n%s", err, out)
	}
	if left, err := os.ReadDir(home); len(left) != 0 || err != nil {
		t.Errorf("the home has %v, %v", left, err)
	}
}

// TestUnit: systemd has nothing to say against docs/operating/rgm.service.
func TestUnit(t *testing.T) {
	if testing.Short() {
		t.Skip("names the program: not in short tests")
	}
	t.Parallel()
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("needs systemd-analyze")
	}
	text := must.Get(os.ReadFile("../../docs/operating/rgm.service"))(t)
	unit := filepath.Join(t.TempDir(), "rgm.service")
	there := strings.ReplaceAll(string(text), "/usr/local/bin/rgm-cluster", program)
	if err := os.WriteFile(unit, []byte(there), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("systemd-analyze", "verify", "--man=no", "--recursive-errors=no", unit).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "" {
		t.Errorf("%v\n%s", err, out)
	}
}

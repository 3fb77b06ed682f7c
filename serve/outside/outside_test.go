// Package outside tests rgm serve as its clients see it: over plain HTTP, and in a
// browser. It imports nothing of the project.
package outside

import (
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/serve/outside/processes"
)

// program is the path of rgm.
var program string

func TestMain(m *testing.M) { processes.Main(m, "../../cmd/rgm", &program) }

// needs skips the test unless the packages of package.json and the programs are there.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts programs: not in short tests")
	}
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("needs %s", name)
		}
	}
	if _, err := os.Stat("node_modules"); errors.Is(err, fs.ErrNotExist) {
		t.Skip("needs `npm install --no-package-lock` in serve/outside")
	}
}

// start starts a service and returns its process and address.
func start(t *testing.T, arguments ...string) (*exec.Cmd, string) {
	t.Helper()
	c := exec.Command(program, processes.ServeArguments(arguments...)...)
	return c, processes.Start(t, c)
}

// node runs a script of this folder.
func node(t *testing.T, arguments ...string) {
	t.Helper()
	c := exec.Command("node", arguments...)
	c.Env = append(os.Environ(), "CI=1", "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("node %s: %v\n%s", strings.Join(arguments, " "), err, out)
	}
	t.Logf("%s", out)
}

// TestContract tries every route and every error, and then the exit after SIGTERM.
func TestContract(t *testing.T) {
	needs(t, "node")
	t.Parallel()
	c, url := start(t, "--workers", "1", "--queue", "2", "--max-body", "64KiB", "--max-nodes", "40", "--max-time", "60s", "--token", "secret", "--drain", "2s")
	begin := time.Now()
	node(t, "contract.mjs", url, strconv.Itoa(c.Process.Pid))
	if err := c.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v, want exit status 0", err)
	}
	t.Logf("%v in all", time.Since(begin))
}

// TestOpenAPI: a linter finds nothing wrong with the description.
func TestOpenAPI(t *testing.T) {
	needs(t, "node")
	t.Parallel()
	c, url := start(t)
	document := filepath.Join(t.TempDir(), "openapi.json")
	node(t, "-e", "fetch(process.argv[1]).then(a => a.text()).then(t => require('fs').writeFileSync(process.argv[2], t))", url+"/openapi.json", document)
	node(t, "node_modules/@redocly/cli/bin/cli.js", "lint", "--extends=recommended", "--skip-rule=no-server-example.com", document)
	c.Process.Signal(syscall.SIGTERM)
	if err := c.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v, want exit status 0", err)
	}
}

// needsBrowser returns the path of a browser, or skips the test.
func needsBrowser(t *testing.T) string {
	t.Helper()
	needs(t)
	return processes.Browser(t, ".")
}

// TestPage drives the page with the keyboard, in light and dark, at 360 px.
func TestPage(t *testing.T) {
	browser := needsBrowser(t)
	t.Parallel()
	_, url := start(t, "--workers", "1")
	_, tokenURL := start(t, "--workers", "1", "--token", "secret")
	node(t, "page.mjs", browser, url, tokenURL)
}

// TestBrowser: the page as static files, and that of rgm serve --browser, compute in the browser and send nothing.
func TestBrowser(t *testing.T) {
	browser := needsBrowser(t)
	t.Parallel()
	site := t.TempDir()
	if out, err := exec.Command("../../web/build", "--site", site).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	_, url := start(t, "--workers", "1", "--browser", site)
	node(t, "browser.mjs", browser, site, url, "../../docs/tutorials/data")
}

// TestTutorial: the request of docs/tutorials/serve.md is answered as the page prints,
// but for the seconds.
func TestTutorial(t *testing.T) {
	if testing.Short() {
		t.Skip("starts programs: not in short tests")
	}
	t.Parallel()
	page := must.Get(os.ReadFile("../../docs/tutorials/serve.md"))(t)
	_, rest, _ := strings.Cut(string(page), "'{")
	body, rest, _ := strings.Cut(rest, "'")
	_, rest, _ = strings.Cut(rest, "```\n```\n")
	printed, _, found := strings.Cut(rest, "\n```")
	printed = strings.ReplaceAll(printed, "\n ", "") // it is one line
	if !found {
		t.Fatal("the page has no request with its answer")
	}
	_, url := start(t)
	answer, err := http.Post(url+"/v1/solve", "application/json", strings.NewReader("{"+body))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text := must.Get(io.ReadAll(answer.Body))(t)
	seconds := regexp.MustCompile(`"seconds":[0-9.e-]+`)
	got, want := seconds.ReplaceAllString(strings.TrimSpace(string(text)), ""), seconds.ReplaceAllString(printed, "")
	if got != want {
		t.Errorf("answered\n%s\nthe page prints\n%s", got, want)
	}
}

// TestPythonClient runs examples/python/rgm_client.py.
func TestPythonClient(t *testing.T) {
	if testing.Short() {
		t.Skip("starts programs: not in short tests")
	}
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("needs python3")
	}
	_, url := start(t, "--token", "secret", "--max-body", "1MiB")
	file := filepath.Join(t.TempDir(), "two.dat")
	if err := os.WriteFile(file, []byte("2\n0 1\n1 0\n0 3\n3 0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for instance, objective := range map[string]string{"nug12": `"objective": 578,`, file: `"objective": 6,`} {
		c := exec.Command("python3", "../../examples/python/rgm_client.py", url, instance, "0.2")
		c.Env = append(os.Environ(), "RGM_TOKEN=secret")
		if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), objective) {
			t.Errorf("%s: %v\n%s", instance, err, out)
		}
	}
	large := filepath.Join(t.TempDir(), "large.dat")
	if err := os.WriteFile(large, make([]byte, 8<<20), 0o666); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("python3", "../../examples/python/rgm_client.py", url, large)
	c.Env = append(os.Environ(), "RGM_TOKEN=secret")
	if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), "413: ") {
		t.Errorf("of 8 MiB, of which 1 is allowed: %v\n%s", err, out)
	}
	if out, err := exec.Command("python3", "../../examples/python/rgm_client.py", url, "nug12").CombinedOutput(); err == nil || !strings.Contains(string(out), "401") {
		t.Errorf("without the token: %v\n%s", err, out)
	}
}

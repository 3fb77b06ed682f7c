// Package processes starts programs for tests that see a service as its clients do.
package processes

import (
	"bufio"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// Main runs the tests of a package with a program, from the folder of its source, built where tests are not short; its
// path is set before they begin.
func Main(m *testing.M, source string, program *string) {
	flag.Parse()
	flag.Set("test.parallel", "8") // most of the time they wait for programs
	if testing.Short() {           // every test is skipped
		os.Exit(m.Run())
	}
	folder, err := os.MkdirTemp("", "rgm-outside-")
	if err != nil {
		panic(err)
	}
	*program = filepath.Join(folder, filepath.Base(source))
	if out, err := exec.Command("go", "build", "-o", *program, source).CombinedOutput(); err != nil {
		panic(string(out))
	}
	status := m.Run()
	os.RemoveAll(folder)
	os.Exit(status)
}

// Browser returns the path of Chromium for a script that node runs in the folder serve/outside; where the browser, node or
// its modules are missing, it skips the test.
func Browser(t *testing.T, folder string) string {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("needs node")
	}
	if _, err := os.Stat(filepath.Join(folder, "node_modules")); err != nil {
		t.Skip("needs `npm install --no-package-lock` in serve/outside")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("needs chromium")
	return ""
}

// ServeArguments are what all services of tests have.
func ServeArguments(arguments ...string) []string {
	return append([]string{"serve", "--listen", "127.0.0.1:0", "--provider", "go"}, arguments...)
}

// Start starts a service and returns its address; the process ends with the test.
func Start(t *testing.T, c *exec.Cmd) (url string) {
	t.Helper()
	stderr, err := c.StderrPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stderr)
	said := &strings.Builder{} // after the first line
	copied := make(chan struct{})
	t.Cleanup(func() {
		c.Process.Kill()
		<-copied
		c.Wait()
		if text := said.String(); t.Failed() && text != "" {
			t.Logf("the service said: %.3000s", text[max(strings.Index(text, "fatal error"), 0):])
		}
	})
	first, err := lines.ReadString('\n')
	if err != nil {
		t.Fatalf("%q %v", first, err)
	}
	url, listens := strings.CutPrefix(strings.TrimSpace(first), "listening on ")
	if !listens {
		t.Fatalf("the first line is %q", first)
	}
	go func() {
		io.Copy(said, io.LimitReader(lines, 16<<20))
		io.Copy(io.Discard, lines)
		close(copied)
	}()
	return url
}

// Number returns a setting of the environment: how large a test is.
func Number(t *testing.T, variable string, otherwise int) int {
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	return must.Get(strconv.Atoi(text))(t)
}

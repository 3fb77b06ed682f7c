package library

import (
	"os"
	"regexp"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/version"
)

// TestVersions: the header and the packages of Python and npm have the version of the programs. A
// release changes all four.
func TestVersions(t *testing.T) {
	for path, pattern := range map[string]string{
		"../../capi/rgm.h":             `#define RGM_VERSION "(.*)"`,
		"../../python/rgm/__init__.py": `(?m)^__version__ = "(.*)"$`,
		"../../web/npm/package.json":   `(?m)^  "version": "(.*)",$`,
	} {
		text := must.Get(os.ReadFile(path))(t)
		found := regexp.MustCompile(pattern).FindSubmatch(text)
		if found == nil || string(found[1]) != version.Number {
			t.Errorf("%s: %q, want %s", path, found, version.Number)
		}
	}
}

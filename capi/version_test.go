//go:build cgo

package main

import (
	"os"
	"regexp"
	"testing"

	"github.com/rgm-go/rgm/internal/version"
)

// TestVersions: the header and the Python package have the version of the programs. A release changes
// all three.
func TestVersions(t *testing.T) {
	for path, pattern := range map[string]string{
		"rgm.h":                     `#define RGM_VERSION "(.*)"`,
		"../python/rgm/__init__.py": `(?m)^__version__ = "(.*)"$`,
	} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(pattern).FindSubmatch(text)
		if found == nil || string(found[1]) != version.Number {
			t.Errorf("%s: %q, want %s", path, found, version.Number)
		}
	}
}

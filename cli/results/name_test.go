package results

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"
)

func TestResultNames(t *testing.T) {
	names := names{}
	for _, test := range []struct{ instance, want string }{
		{"nug12", "nug12.json"},
		{"nug12", "nug12~2.json"},
		{"NUG12", "NUG12~3.json"}, // the same file on some systems
		{"nug12~2", "nug12%7E2.json"},
		{"stack#3", "stack#3.json"},
		{"archive#a/b", "archive#a%2Fb.json"},
		{"../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd.json"},
		{"..", "%2E..json"},
		{`C:\con`, "C%3A%5Ccon.json"},
		{"100%", "100%25.json"},
		{"größe 5", "größe 5.json"},
		{"a\xff\x00\n", "a%FF%00%0A.json"},
		{"", "%.json"},
		{"nug12.error", "nug12%2Eerror.json"}, // not the failure of nug12
	} {
		if have := names.next(test.instance); have != test.want {
			t.Errorf("%q: %s, want %s", test.instance, have, test.want)
		}
	}
}

// FuzzSafeName: a name that stays in its folder, and from which the instance's own
// name can be told unless it was cut.
func FuzzSafeName(f *testing.F) {
	for _, name := range []string{"nug12", "..", "/", "a\xffb", "\ufffd", strings.Repeat("ü", 300), strings.Repeat("/", 90)} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		safe := safeName(name)
		if safe != filepath.Base(safe) || !filepath.IsLocal(safe) || safe[0] == '.' || len(safe) > longestName {
			t.Errorf("%q: %q is no name in a folder", name, safe)
		}
		if original, cut := nameBehind(t, safe); !cut && original != name {
			t.Errorf("%q: %q stands for %q", name, safe, original)
		}
	})
}

// nameBehind undoes safeName where nothing was cut.
func nameBehind(t *testing.T, safe string) (name string, cut bool) {
	t.Helper()
	if safe == "%" {
		return "", false
	}
	if strings.Contains(safe, "~") {
		return "", true
	}
	name, err := url.PathUnescape(safe)
	if err != nil {
		t.Fatalf("%q: %v", safe, err)
	}
	return name, false
}

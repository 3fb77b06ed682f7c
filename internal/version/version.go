// Package version is the one version of the programs, the service, the C library and the Python
// package.
package version

import "runtime/debug"

// Number is the version of this release, or -dev of the next one. A tag is v and this.
const Number = "0.3.0-dev"

// Commit returns the commit that the program was built from, as far as it is known, and whether
// files differed from it.
func Commit() (commit string, changed bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", false
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value
		case "vcs.modified":
			changed = s.Value == "true"
		}
	}
	return commit, changed
}

// Command apicheck guards the exported API of the packages that other modules can import.
// It lists what they export, a feature a line, and fails if a line of api/v*.txt (what a
// release exported) is missing, unless api/except.txt has it.
//
//	go run ./internal/apicheck                     # in the root of the module
//	go run ./internal/apicheck -write api/v0.3.0.txt # at a release: what is new since the one before
//
// The lines are those of Go's own api folder, in the words of go/types: names of parameters
// do not count, values of constants do. A method that is added to an interface changes its
// line, since types elsewhere may implement it, unless the interface has unexported methods.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/internal/atomicfile"
)

const exceptFile = "except.txt"

func main() {
	write := flag.String("write", "", "`file` for the features that the api folder does not have yet")
	flag.Parse()
	if err := run(*write); err != nil {
		fmt.Fprintln(os.Stderr, "apicheck:", err)
		os.Exit(1)
	}
}

// run compares the module in the working directory with its api folder, or writes a file of
// that folder.
func run(write string) error {
	now, err := exported(".")
	if err != nil {
		return err
	}
	folder := os.DirFS("api")
	released, err := readReleases(folder)
	if err != nil {
		return err
	}
	if write != "" {
		return writeFeatures(write, newSince(released, now))
	}
	except, err := readFeatures(folder, exceptFile)
	if err != nil {
		return err
	}
	if trouble := compare(released, except, now); len(trouble) > 0 {
		return fmt.Errorf("%d features of the exported API vanished or changed:\n%s\n"+
			"keep them, or, where a change is wanted, put the lines that are gone into api/%s and tell in CHANGELOG what to write instead",
			len(trouble), strings.Join(trouble, "\n"), exceptFile)
	}
	fmt.Printf("%d features are exported; all %d that were released are there, or among the %d accepted changes\n", len(now), len(released), len(except))
	return nil
}

// set is a set of features.
type set map[string]bool

// compare lists what is missing and not accepted, each with what is there instead, and the
// accepted changes that are none.
func compare(released, except, now set) []string {
	instead := map[string]string{}
	for feature := range now {
		instead[subject(feature)] = feature
	}
	var trouble []string
	for _, feature := range slices.Sorted(maps.Keys(released)) {
		if except[feature] || has(now, feature) {
			continue
		}
		line := "- " + feature
		if other, ok := instead[subject(feature)]; ok {
			line += "\n  now " + other
		}
		trouble = append(trouble, line)
	}
	for _, feature := range slices.Sorted(maps.Keys(except)) {
		if !released[feature] || has(now, feature) {
			trouble = append(trouble, fmt.Sprintf("- api/%s has a line that is no change: %s", exceptFile, feature))
		}
	}
	return trouble
}

// has reports whether a feature is there: a method of pointers also where it is one of values.
func has(now set, feature string) bool {
	return now[feature] || now[strings.Replace(feature, ", method (*", ", method (", 1)]
}

// subject is the part of a feature that names it: what stands before its type, without the
// star of a receiver.
func subject(feature string) string {
	feature = strings.Replace(feature, ", method (*", ", method (", 1)
	from := strings.Index(feature, ", ") + 2
	from += strings.Index(feature[from:], " ") + 1 // past the kind
	if strings.HasPrefix(feature[from:], "(") {    // a receiver
		from += strings.Index(feature[from:], ") ") + 2
	}
	if field := strings.Index(feature[from:], " struct, "); field >= 0 {
		from += field + len(" struct, ")
	}
	return feature[:from+len(feature[from:])-len(strings.TrimLeftFunc(feature[from:], isName))]
}

func isName(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
}

// newSince returns what the releases do not have.
func newSince(released, now set) set {
	added := maps.Clone(now)
	maps.DeleteFunc(added, func(feature string, _ bool) bool { return released[feature] })
	return added
}

// readReleases returns the features of all releases.
func readReleases(folder fs.FS) (set, error) {
	files, err := fs.Glob(folder, "v*.txt")
	if err != nil {
		return nil, err
	}
	all := set{}
	for _, file := range files {
		features, err := readFeatures(folder, file)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, features)
	}
	return all, nil
}

// readFeatures reads a file: a feature a line, apart from empty lines and comments, which
// begin with #.
func readFeatures(folder fs.FS, name string) (set, error) {
	text, err := fs.ReadFile(folder, name)
	if err != nil {
		return nil, err
	}
	features := set{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if !strings.HasPrefix(line, "pkg ") || strings.Count(line, ", ") == 0 {
			return nil, fmt.Errorf("%s: %q is no feature: want pkg PACKAGE, …", path.Join("api", name), line)
		}
		features[line] = true
	}
	return features, nil
}

func writeFeatures(file string, features set) error {
	var text bytes.Buffer
	for _, feature := range slices.Sorted(maps.Keys(features)) {
		fmt.Fprintln(&text, feature)
	}
	return atomicfile.Write(file, atomicfile.Bytes(text.Bytes()))
}

package results

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// names gives results the names of their files. It counts how many have
// asked for a name, in lower case: some file systems do not tell a from A.
type names map[string]int

// next returns the name of the file of an instance's result: that of the instance,
// made safe. The second instance of a name gets NAME~2, the third NAME~3.
func (n names) next(instance string) string {
	name := safeName(instance)
	folded := strings.ToLower(name)
	n[folded]++
	if k := n[folded]; k > 1 {
		name = fmt.Sprintf("%s~%d", name, k)
	}
	return name + Ending
}

// Namer returns what gives results the names of their files, one after the other.
func Namer() (fileName func(instance string) string) { return names{}.next }

// The endings of the files of results and of failures; the latter end in both.
const (
	Ending      = ".json"
	errorEnding = ".error.json"
)

// errorFile returns the name of the file for a failure beside that for a result.
func errorFile(file string) string { return strings.TrimSuffix(file, Ending) + errorEnding }

// longestName is how many bytes of a name are kept; file systems take 255, and an
// extension and the end of a temporary name follow.
const longestName = 200

// safeName returns a name that stands for a file in the same folder, on any
// system: letters, digits and harmless signs stay, other bytes are written %2F, as
// in an address. What is too long ends in a digest, and none ends as files of failures
// do. Different names stay different.
func safeName(name string) string {
	const harmless = "-_.#+=@, ()[]" // not ~, which numbers equal names
	var safe strings.Builder
	for k := 0; k < len(name); {
		r, size := utf8.DecodeRuneInString(name[k:])
		hides := k == 0 && r == '.' // the file, or leads out of the folder
		if !hides && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(harmless, r)) {
			safe.WriteRune(r)
		} else {
			for _, b := range []byte(name[k : k+size]) {
				fmt.Fprintf(&safe, "%%%02X", b)
			}
		}
		k += size
	}
	whole := safe.String()
	if rest, is := strings.CutSuffix(whole, strings.TrimSuffix(errorEnding, Ending)); is {
		whole = rest + "%2Eerror"
	}
	switch {
	case whole == "":
		return "%"
	case len(whole) > longestName:
		digest := fmt.Sprintf("~%x", sha256.Sum256([]byte(name)))
		return strings.ToValidUTF8(whole[:longestName-len(digest)], "") + digest
	default:
		return whole
	}
}

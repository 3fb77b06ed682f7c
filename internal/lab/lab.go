// Package lab names what the program rgm-lab has and rgm has not, so that rgm can say where it
// is. It is a list of names: nothing of rgm-lab is linked.
package lab

import (
	"fmt"
	"slices"
)

// What rgm-lab registers besides rgm's.
var (
	Methods       = []string{"ngm", "lcs", "gagm", "psm", "gnccp", "bpf", "zacr", "skja", "sa"}
	Architectures = []string{"ngm", "lcs", "rewriter", "paper", "paper-weighted", "paper-matched", "gain-unskilled"}
	Learners      = []string{"a2c", "ppo", "trpo", "acer"}
	Presets       = []string{"a2c", "ppo", "trpo", "acer", "paper", "paper-matching", "paper-weighted", "paper-matched"}
	Models        = []string{"paper-matched", "ngm"}
)

// Hint returns where a name is that one asks rgm for in vain, "" for a name that rgm-lab has
// neither: of says what it is a name of.
func Hint(of, name string, names []string) string {
	if !slices.Contains(names, name) {
		return ""
	}
	return fmt.Sprintf("%s is %s of rgm-lab: run the same command with rgm-lab in the place of rgm", name, of)
}

// Note says of a method that rgm-lab has, after its name, where it is; of others it is "".
func Note(method string) string {
	if !slices.Contains(Methods, method) {
		return ""
	}
	return " (a method of the program rgm-lab)"
}

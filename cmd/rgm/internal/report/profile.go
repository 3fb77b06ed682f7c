package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/qap"
)

// Size is the best matching of one size, as rgm solve --profile prints it.
type Size struct {
	Matched   int          `json:"matched"`
	Objective float64      `json:"objective"`
	Matching  qap.Matching `json:"matching"`
}

// Sizes returns the sizes that a search reached.
func Sizes(in *qap.Instance, p qap.Profile) []Size {
	var sizes []Size
	for m, best := range p {
		if best.Matching != nil {
			sizes = append(sizes, Size{m, in.Objective(best.Score), best.Matching})
		}
	}
	return sizes
}

// profileText lists a profile as size:objective.
func profileText(sizes []Size) string {
	var words []string
	for _, s := range sizes {
		words = append(words, strconv.Itoa(s.Matched)+":"+ExactText(s.Objective))
	}
	return strings.Join(words, " ")
}

// writeProfiles prints the objective against the size of all answers that have a
// profile, and marks the size that was chosen.
func writeProfiles(out io.Writer, answers []Answer) error {
	var rows [][]string
	for _, a := range answers {
		for _, s := range a.Profile {
			mark := ""
			if s.Matched == a.Matched {
				mark = "chosen"
			}
			rows = append(rows, []string{a.Instance, strconv.Itoa(s.Matched), numberText(s.Objective), mark})
		}
	}
	if rows == nil {
		return nil
	}
	if _, err := fmt.Fprintln(out); err != nil {
		return err
	}
	return WriteTable(out, []string{"instance", "matched", "best objective", ""}, rows)
}

package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/infer/portfolio"
)

// profileText lists a profile as size:objective.
func profileText(sizes []portfolio.Size) string {
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

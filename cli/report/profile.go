package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/internal/lists"
)

// profileText lists a profile as size:objective.
func profileText(sizes []rgm.Size) string {
	return strings.Join(lists.Of(sizes, func(s rgm.Size) string { return strconv.Itoa(s.Matched) + ":" + ExactText(s.Objective) }), " ")
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
			rows = append(rows, []string{a.Instance, strconv.Itoa(s.Matched), NumberText(s.Objective), mark})
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

package graphpairs

import (
	"fmt"
	"strconv"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/compare"
)

// columns are those of Aligned in tables of pairs.
var columns = []string{"witnesses", "margin", "sure", "group"}

// cells returns the columns of a node of graph 1; groups are numbered from 1, and what is not known is empty.
func cells(a *rgm.Result, i int, group map[int]int) []string {
	sure, number := "", ""
	if a.Sure != nil {
		sure = strconv.FormatBool(a.Sure[i])
	}
	if g := group[i]; g > 0 {
		number = strconv.Itoa(g)
	}
	return []string{strconv.Itoa(a.Witnesses[i]), strconv.Itoa(a.Margins[i]), sure, number}
}

// groupOf returns the number of the group of every node that is in one.
func groupOf(a *compare.Aligned) map[int]int {
	of := map[int]int{}
	for k, group := range a.Groups {
		for _, i := range group {
			of[i] = k + 1
		}
	}
	return of
}

// summary says in a line how good an alignment is.
func summary(a *rgm.Result) string {
	sure := "no time was left to see which matches are sure"
	if a.SureMatches != nil {
		sure = fmt.Sprintf("%d of %d matches are sure", *a.SureMatches, a.Matched)
	}
	text := fmt.Sprintf("%d shared edges of at most %d (edge correctness %.1f %%, S3 %.3f); %s; groups of nodes that could be exchanged: %d",
		a.SharedEdges, a.SharedBound, 100*a.EdgeCorrectness, a.S3, sure, len(a.Groups))
	if a.Automorphisms != "" {
		text += "; the graphs are the same, with symmetries: " + a.Automorphisms
	}
	return text
}

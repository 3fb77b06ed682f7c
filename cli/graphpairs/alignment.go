package graphpairs

import (
	"fmt"
	"strconv"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/compare"
)

// columns are those of Aligned in tables of pairs.
var columns = []string{"witnesses", "margin", "sure", "group"}

// cells returns the columns of a node of graph 1; groups are numbered from 1.
func cells(a *rgm.Result, i int, group map[int]int) []string {
	number := ""
	if g := group[i]; g > 0 {
		number = strconv.Itoa(g)
	}
	return []string{strconv.Itoa(a.Witnesses[i]), strconv.Itoa(a.Margins[i]), strconv.FormatBool(a.Sure[i]), number}
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
	text := fmt.Sprintf("%d shared edges of at most %d (edge correctness %.1f %%, S3 %.3f); %d of %d matches are sure; groups of nodes that could be exchanged: %d",
		a.SharedEdges, a.SharedBound, 100*a.EdgeCorrectness, a.S3, *a.SureMatches, a.Matched, len(a.Groups))
	if a.Automorphisms != "" {
		text += "; the graphs are the same, with symmetries: " + a.Automorphisms
	}
	return text
}

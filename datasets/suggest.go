package datasets

import (
	"cmp"
	"slices"
	"strings"
)

// suggestion ends an error about an unknown QAPLIB name: the at most three most
// similar names, or where to find a list.
func suggestion(name string) string {
	const tolerated, shown = 2, 3
	near := slices.DeleteFunc(QAPLIBNames(), func(other string) bool { return editDistance(name, other) > tolerated })
	slices.SortStableFunc(near, func(x, y string) int {
		return cmp.Compare(editDistance(name, x), editDistance(name, y))
	})
	if len(near) == 0 {
		return " (names look like nug30 or tai64c)"
	}
	return "; near it are " + strings.Join(near[:min(shown, len(near))], ", ")
}

// editDistance returns the least number of characters to insert, delete or
// replace that turns x into y (Levenshtein).
func editDistance(x, y string) int {
	row := make([]int, len(y)+1) // distances of a prefix of x to the prefixes of y
	for k := range row {
		row[k] = k
	}
	for i := range len(x) {
		diagonal := row[0]
		row[0] = i + 1
		for k := range len(y) {
			replaced := diagonal
			if x[i] != y[k] {
				replaced++
			}
			diagonal = row[k+1]
			row[k+1] = min(replaced, row[k]+1, row[k+1]+1)
		}
	}
	return row[len(y)]
}

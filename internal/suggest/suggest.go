// Package suggest finds the names that a misspelt one may have been meant for.
package suggest

import (
	"cmp"
	"slices"
	"strings"
)

// Near returns the known names that differ from a name in two characters at most, the
// nearest three, nearest first.
func Near(name string, known []string) []string {
	const tolerated, shown = 2, 3
	near := slices.DeleteFunc(slices.Clone(known), func(other string) bool { return distance(name, other) > tolerated })
	slices.SortStableFunc(near, func(x, y string) int { return cmp.Compare(distance(name, x), distance(name, y)) })
	return near[:min(shown, len(near))]
}

// OneOf lists what a value may be: "a, b or c".
func OneOf(choices ...string) string {
	last := len(choices) - 1
	if last < 1 {
		return strings.Join(choices, "")
	}
	return strings.Join(choices[:last], ", ") + " or " + choices[last]
}

// Meant returns a question that ends an error about an unknown name, "" where no known one
// is near.
func Meant(name string, known []string) string {
	if near := Near(name, known); len(near) > 0 {
		return "; did you mean " + near[0] + "?"
	}
	return ""
}

// distance returns the least number of characters to insert, delete or replace that turns
// x into y (Levenshtein).
func distance(x, y string) int {
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

// Package lists makes lists out of lists.
package lists

// Of returns what of makes of each element, nil where there is none.
func Of[From, To any](from []From, of func(From) To) []To {
	var to []To
	for _, x := range from {
		to = append(to, of(x))
	}
	return to
}

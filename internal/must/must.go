// Package must has what tests need before they can test anything.
package must

import "testing"

// Get returns the value of a call that must not fail, and ends the test where it does:
//
//	in := must.Get(qaplib.Open("nug12"))(t)
func Get[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

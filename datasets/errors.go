package datasets

import "fmt"

// Error says which instance could not be read, and where in which file.
type Error struct {
	Instance string // what the instance would have been called: "nug12", "stack#3"
	File     string // as it was opened; empty where Err names it
	Line     int    // counted from 1; 0 where the format has no lines
	Err      error
}

// Error returns the place and the reason, as in
// "datasets: nug12.dat:14: want 144 numbers for matrix B, have 132".
func (e *Error) Error() string {
	switch {
	case e.File == "":
		return fmt.Sprintf("datasets: %v", e.Err)
	case e.Line == 0:
		return fmt.Sprintf("datasets: %s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("datasets: %s:%d: %v", e.File, e.Line, e.Err)
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// Package request is what is asked of rgm from outside, as JSON or in the memory of another
// language: instances, graphs and options, read for package rgm, which solves
// them. The service, the C library and the browser share it.
//
// What is wrong with a request is an *Error, which names the field and the remedy.
package request

import "fmt"

// Kind says what is wrong with a request.
type Kind int

const (
	KindInvalid    Kind = iota // readable, but of no use
	KindUnreadable             // not what it is said to be: no JSON, a damaged file
	KindTooLarge               // over a limit
	KindType                   // of another type than the field, or of no field
)

// Error is what is wrong with a request.
type Error struct {
	Kind    Kind
	Pointer string // the field, as a JSON pointer (RFC 6901); "" for the whole
	Detail  string // what is wrong and what would be right
}

// Error returns the detail, after the field.
func (e *Error) Error() string {
	if e.Pointer == "" {
		return e.Detail
	}
	return e.Pointer + ": " + e.Detail
}

// Invalid returns the error of a field that can be read but not used.
func Invalid(pointer, format string, args ...any) *Error {
	return &Error{KindInvalid, pointer, fmt.Sprintf(format, args...)}
}

// WrongType returns the error of a value of another type, or of a field that there is not.
func WrongType(pointer, format string, args ...any) *Error {
	return &Error{KindType, pointer, fmt.Sprintf(format, args...)}
}

// Unreadable returns the error of text that is not what it is said to be.
func Unreadable(format string, args ...any) *Error {
	return &Error{KindUnreadable, "", fmt.Sprintf(format, args...)}
}

// TooLarge names a limit that a request is over.
func TooLarge(pointer, format string, args ...any) *Error {
	return &Error{KindTooLarge, pointer, fmt.Sprintf(format, args...)}
}

// Package request is what is asked of rgm from outside, as JSON or in the memory of another
// language: instances, graphs and options, read and checked against each other, and solved as rgm
// solve and rgm match do. The service, the C library and the browser share it.
//
// What is wrong with a request is an *Error, which names the field and the remedy.
package request

import (
	"fmt"

	"github.com/rgm-go/rgm/infer/alignment"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

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

// Limits bound what a request may ask for. The zero value bounds nothing.
type Limits struct {
	Nodes       int     // of a graph
	Pairs       int     // of nodes, of what is not aligned
	EdgePairs   int     // pairs of edges that are compared (as package graphs allows)
	Comparisons float64 // operations that compare the nodes of two graphs
}

// CheckNodes returns the error of graphs that are too large.
func (l Limits) CheckNodes(n1, n2 int) error {
	if l.Nodes > 0 && max(n1, n2) > l.Nodes {
		return TooLarge("/instance", "graphs of %d and %d nodes: the limit is %d", n1, n2, l.Nodes)
	}
	return nil
}

// CheckInstance returns the error of an instance that is too large.
func (l Limits) CheckInstance(n1, n2 int) error {
	if err := l.CheckNodes(n1, n2); err != nil {
		return err
	}
	if l.Pairs > 0 && float64(n1)*float64(n2) > float64(l.Pairs) {
		return TooLarge("/instance", "graphs of %d and %d nodes have %.0f pairs: the limit is %d", n1, n2, float64(n1)*float64(n2), l.Pairs)
	}
	return nil
}

// checkWork returns the error of so many operations.
func (l Limits) checkWork(pointer, what string, work float64) error {
	if l.Comparisons > 0 && work > l.Comparisons {
		return TooLarge(pointer, "%s %.2g operations to compare: the limit is %.2g", what, work, l.Comparisons)
	}
	return nil
}

// Subject returns what is searched of a problem, which is an instance or a pair of graphs; the
// other is nil.
func (o *SolveOptions) Subject(in *qap.Instance) (*Subject, error) {
	switch o.Method {
	case alignment.BeliefPropagation, alignment.Grampa:
		return nil, Invalid("/options/method", "%s aligns two graphs, and the instance is none", o.Method)
	case alignment.Method:
		if _, err := align.OfAssignment(in); err != nil {
			return nil, AsError(err)
		}
	}
	in.Complete = in.Complete || o.Complete
	return &Subject{Instance: in}, nil
}

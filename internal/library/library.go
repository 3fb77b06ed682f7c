// Package library is what the C library does: graphs, problems and results that C knows by
// handles, and searches that C is told of on its own thread. It knows nothing of C's types, so
// that what comes over the boundary is checked, tested and fuzzed in Go.
//
// An error of the caller is an *Error with a code of rgm.h. A panic of a search becomes one too.
package library

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/internal/table"
)

// Code is what a function of rgm.h returns.
type Code int32

// The codes of rgm.h.
const (
	OK       Code = 0
	Invalid  Code = 1 // an argument is of no use
	NoHandle Code = 2 // there is no such handle, or no longer, or of another kind
	Busy     Code = 3 // a search uses what is to be freed
	Internal Code = 4 // a fault of rgm
	Forked   Code = 5 // the process is a child of the one that loaded the library
	Stopped  Code = 6 // the caller ended the search before it had a matching
)

// Error is what a function of rgm.h tells of a failure.
type Error struct {
	Code   Code
	Detail string // what is wrong, where, and the remedy
}

func (e *Error) Error() string { return e.Detail }

// invalid returns the error of an argument.
func invalid(format string, args ...any) *Error { return &Error{Invalid, fmt.Sprintf(format, args...)} }

// asError returns what C is told of any error.
func asError(err error) error {
	var own *Error
	var wrong *request.Error
	err = request.AsError(err, "")
	switch {
	case err == nil || errors.As(err, &own):
		return err
	case errors.As(err, &wrong):
		return &Error{Invalid, wrong.Error()}
	case errors.Is(err, context.Canceled):
		return &Error{Stopped, "the search was ended before it had a matching"}
	}
	return &Error{Internal, err.Error()}
}

// Recover turns a panic into an error; it is deferred.
func Recover(err *error) {
	if r := recover(); r != nil {
		stack := strings.TrimSpace(string(debug.Stack()))
		*err = &Error{Internal, fmt.Sprintf("a fault of rgm, please report it: %v\n%s", r, stack)}
	}
}

// Library is what C has of rgm. The zero value is ready for use; threads share it.
type Library struct {
	once    sync.Once
	solver  *rgm.Solver
	choices table.Choices

	mutex sync.Mutex
	last  uint64 // no handle comes again
	held  map[uint64]any
	users map[uint64]int // searches of a problem
}

// put returns the handle of a graph, problem or result.
func (l *Library) put(v any) uint64 {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.held == nil {
		l.held, l.users = map[uint64]any{}, map[uint64]int{}
	}
	l.last++
	l.held[l.last] = v
	return l.last
}

// kindOf names what a handle is of.
func kindOf(v any) string {
	switch v.(type) {
	case *Graph:
		return "a graph"
	case *Problem:
		return "a problem"
	}
	return "a result"
}

// take returns what a handle is of. The caller holds l.mutex.
func take[T any](l *Library, handle uint64) (of T, err error) {
	v, there := l.held[handle]
	if !there {
		return of, &Error{NoHandle, fmt.Sprintf("handle %d: there is none, or it was freed", handle)}
	}
	of, is := v.(T)
	if !is {
		return of, &Error{NoHandle, fmt.Sprintf("handle %d is of %s: want %s", handle, kindOf(v), kindOf(of))}
	}
	return of, nil
}

// get is take for callers without the mutex.
func get[T any](l *Library, handle uint64) (T, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return take[T](l, handle)
}

// use returns a problem, which cannot be freed until release is called.
func (l *Library) use(handle uint64) (p *Problem, release func(), err error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if p, err = take[*Problem](l, handle); err != nil {
		return nil, nil, err
	}
	l.users[handle]++
	return p, func() {
		l.mutex.Lock()
		defer l.mutex.Unlock()
		if l.users[handle]--; l.users[handle] == 0 {
			delete(l.users, handle)
		}
	}, nil
}

// Free forgets a graph, a problem or a result. Handle 0 is of nothing, and is not an error.
func (l *Library) Free(handle uint64) error {
	if handle == 0 {
		return nil
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if _, err := take[any](l, handle); err != nil {
		return err
	}
	if n := l.users[handle]; n > 0 {
		return &Error{Busy, fmt.Sprintf("handle %d: %d searches use the problem: end them first", handle, n)}
	}
	delete(l.held, handle)
	return nil
}

// open makes the solver that all searches share. Go evaluates networks, so that no other
// library is loaded into the process.
func (l *Library) open() {
	l.once.Do(func() {
		s, err := rgm.Open(rgm.Config{Provider: rgm.ProviderGo})
		if err != nil {
			panic(err) // the configuration is this one
		}
		l.solver = s
		l.choices = table.Choices{"method": append(s.Methods(), rgm.GraphMethodsAlone()...), "affinity": rgm.Affinities()}
	})
}

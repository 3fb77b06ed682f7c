// Package queue holds jobs until a worker solves them, and their results until
// they expire.
//
// Memory keeps all of it in one process; package jetstream keeps it on disk, for
// any number of processes. What is in a job and in a result is not its concern:
// both are bytes. Every implementation passes queuetest.Run.
package queue

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"
)

// Errors that callers branch on.
var (
	ErrFull     = errors.New("queue: full")                               // Submit: as many jobs wait as may
	ErrConflict = errors.New("queue: another job has this id")            // Submit: the id is taken by other work
	ErrUnknown  = errors.New("queue: no such job, or its result expired") // of an id
	ErrClosed   = errors.New("queue: takes no more jobs")                 // Submit, after Stop
	ErrBusy     = errors.New("queue: the job runs: cancel it beforehand") // Forget
)

// State says how far a job is.
type State string

// The states: of a job that waits, runs, and ended with a result, an error, or by Cancel.
const (
	Queued    State = "queued"
	Running   State = "running"
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Finished reports whether a job in this state changes no more.
func (s State) Finished() bool { return s == Done || s == Failed || s == Cancelled }

// Job is work for a worker.
type Job struct {
	ID      string // letters, digits and hyphens
	Work    Work
	Created time.Time // when it was asked for
	Hidden  bool      // left out of Records: somebody waits for it and will Forget it
}

// Work is what a job asks for. Memory hands any on to its workers; a queue that outlives the process takes Bytes alone.
type Work interface {
	Digest() string // the same of the same work
	Release()       // called once, when nothing needs it any more, also where Submit does not take the job
}

// Bytes is work that any process reads.
type Bytes []byte

// Digest returns that of the bytes.
func (b Bytes) Digest() string { return Digest(b) }

// Release does nothing.
func (Bytes) Release() {}

// ValidID reports whether an id is of letters, digits and hyphens. Other characters have
// a meaning where a queue keeps jobs by their names.
func ValidID(id string) bool {
	for _, c := range []byte(id) {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '-') {
			return false
		}
	}
	return id != ""
}

// Digest returns what tells payloads apart, of one in pieces.
func Digest(payload ...[]byte) string {
	h := sha256.New()
	for _, piece := range payload {
		h.Write(piece)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Record is what is known of a job.
type Record struct {
	ID       string    `json:"id"`
	State    State     `json:"state"`
	Created  time.Time `json:"created"`
	Started  time.Time `json:"started,omitzero"`
	Finished time.Time `json:"finished,omitzero"`
	Attempts int       `json:"attempts,omitempty"` // how often a worker began it
	Result   []byte    `json:"result,omitempty"`   // of a finished job; nil where there is none
	Best     []byte    `json:"best,omitempty"`     // the last incumbent of a running job
	Error    string    `json:"error,omitempty"`    // why it Failed
	Reason   string    `json:"reason,omitempty"`   // the kind of failure, for programs
}

// Outcome is how a worker leaves a job.
type Outcome struct {
	State  State // Done, Failed or Cancelled
	Result []byte
	Error  string
	Reason string
}

// Event is a notice of a running job.
type Event struct {
	Seq  int64  `json:"seq"` // grows within a job
	Name string `json:"name"`
	Data []byte `json:"data"`
}

// Names of events. Of IncumbentEvent the last Kept ones are at hand, of
// ProgressEvent the last one.
const (
	IncumbentEvent = "incumbent"
	ProgressEvent  = "progress"

	Kept = 64
)

// Solve solves a job. When ctx ends it returns its best so far at once. publish
// tells those who watch; it does not block. A panic makes the job Failed.
type Solve func(ctx context.Context, job Job, publish func(name string, data []byte)) Outcome

// Queue is a queue of jobs with their results. Its methods may be called by
// several goroutines.
type Queue interface {
	// Submit appends a job. One whose id and work are known already is not
	// appended again: its record is returned.
	Submit(ctx context.Context, job Job) (Record, error)
	// Record returns what is known of a job.
	Record(ctx context.Context, id string) (Record, error)
	// Records returns at most limit jobs in the order of their submission, without
	// Result and Best: those after the cursor, which is "" at first. next is the
	// cursor of the following page, "" after the last one.
	Records(ctx context.Context, cursor string, limit int) (page []Record, next string, err error)
	// Events returns the events of a job after a sequence number, and a channel
	// that is closed when there is more to see, a new state included.
	Events(ctx context.Context, id string, after int64) ([]Event, <-chan struct{}, error)
	// Wait returns the record once the job is finished, or an error when ctx ends.
	Wait(ctx context.Context, id string) (Record, error)
	// Cancel ends a job: a queued one without a result, a running one with its best
	// so far, which may follow later (see Wait). Finished ones stay as they are.
	Cancel(ctx context.Context, id string) error
	// Forget drops a finished job.
	Forget(ctx context.Context, id string) error
	// Waiting returns how many jobs wait for a worker.
	Waiting(ctx context.Context) (int, error)
	// Work solves jobs, up to n at a time, until ctx ends; it then takes no more and
	// returns when those it began are finished.
	Work(ctx context.Context, n int, solve Solve) error
	// Stop takes no more jobs from Submit. A queue that does not outlive the process
	// ends those that wait as Failed with the reason "stopped".
	Stop()
	// Close frees what the queue holds, after Work returned.
	Close() error
}

// ReasonStopped is that of jobs which Stop ended, ReasonPanic that of a solver that
// panicked, ReasonAttempts that of a job whose workers died again and again.
const (
	ReasonStopped  = "stopped"
	ReasonPanic    = "panic"
	ReasonAttempts = "attempts"
)

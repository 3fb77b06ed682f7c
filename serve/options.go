package serve

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"runtime"
	"time"

	"github.com/rgm-go/rgm/serve/queue"
)

// Options of a service. The zero value is ready for use.
type Options struct {
	MaxBody     int64         // bytes of a request's body (32 MiB)
	MaxNodes    int           // nodes of a graph (1000)
	DefaultTime time.Duration // of a search that sets no limit (1s)
	MaxTime     time.Duration // of any search (60s)
	Memory      int64         // bytes of the process, all in all; NewHandler bounds what requests take of it (4 GiB, or three quarters of what the system allows where that is less)
	Workers     int           // jobs solved at a time (one a core); NoWorkers: others solve
	Waiting     int           // jobs that wait in the memory queue (64)
	Keep        time.Duration // how long the memory queue keeps results (1h)
	MaxResults  int64         // bytes of results that the memory queue keeps; the oldest go first (256 MiB)
	BodyTimeout time.Duration // for a body to arrive (30s)
	WriteTime   time.Duration // for a client to take a piece of an answer (10s)
	Drain       time.Duration // in which running jobs end after SIGTERM (30s)
	Token       string        // what clients must show; "" asks for none
	AnyHost     bool          // without a token and over a loopback address: answer whatever host is asked for, as behind a proxy (only names of this machine)
	Version     string        // of the program
	Browser     fs.FS         // what web/build --site makes: the page then also computes in the browser (it does not)
	Models      []ModelFile   // networks that clients may name (the pretrained ones)
	Queue       queue.Queue   // where jobs wait (memory); the service closes it
	Log         *slog.Logger  // requests and failures (none)
}

// NoWorkers is the value of Options.Workers of a service whose queue is worked on
// by other processes.
const NoWorkers = -1

// withDefaults fills in what is 0.
func (o Options) withDefaults() Options {
	o.MaxBody = cmp.Or(o.MaxBody, 32<<20)
	o.MaxNodes = cmp.Or(o.MaxNodes, 1000)
	o.DefaultTime = cmp.Or(o.DefaultTime, time.Second)
	o.MaxTime = cmp.Or(o.MaxTime, time.Minute)
	o.Memory = cmp.Or(o.Memory, defaultMemory())
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	o.Waiting = cmp.Or(o.Waiting, 64)
	o.Keep = cmp.Or(o.Keep, time.Hour)
	o.MaxResults = cmp.Or(o.MaxResults, queue.DefaultResults)
	o.BodyTimeout = cmp.Or(o.BodyTimeout, 30*time.Second)
	o.WriteTime = cmp.Or(o.WriteTime, 10*time.Second)
	o.Drain = cmp.Or(o.Drain, 30*time.Second)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// results returns the bytes of results that the process holds.
func (o *Options) results() int64 {
	if o.Queue != nil { // which keeps them elsewhere
		return 0
	}
	return o.MaxResults
}

// untilStop returns how long running searches go on after the service began to
// drain: what is left of Drain serves to write their answers.
func (o *Options) untilStop() time.Duration { return o.Drain - min(o.Drain/4, 2*time.Second) }

// untilLast returns after which part of Drain the requests that still wait for a result, of
// a worker elsewhere, are answered that there is none.
func (o *Options) untilLast() time.Duration { return o.Drain - min(o.Drain/8, time.Second) }

// Check returns an error that lists everything the options have wrong, among it
// bodies that would not fit into memory.
func (o Options) Check() error {
	_, err := o.check()
	return err
}

// check returns the models, or an error that lists everything that is wrong.
func (o Options) check() ([]Model, error) {
	o = o.withDefaults()
	files := o.Models
	var models []Model
	var err error
	if files == nil {
		files, err = pretrainedModels()
	}
	if err == nil {
		models, err = describeModels(files)
	}
	return models, errors.Join(err, o.checkLimits(), o.checkBrowser())
}

// checkLimits returns an error that lists the limits that cannot be.
func (o *Options) checkLimits() error {
	var errs []error
	for _, field := range []struct {
		name string
		bad  bool
	}{
		{"MaxBody", o.MaxBody < 0}, {"MaxNodes", o.MaxNodes < 0}, {"DefaultTime", o.DefaultTime < 0},
		{"MaxTime", o.MaxTime < 0}, {"Workers", o.Workers < NoWorkers}, {"Waiting", o.Waiting < 0}, {"Keep", o.Keep < 0},
		{"MaxResults", o.MaxResults < 0}, {"Memory", o.Memory < 0},
		{"BodyTimeout", o.BodyTimeout < 0}, {"WriteTime", o.WriteTime < 0}, {"Drain", o.Drain < 0},
	} {
		if field.bad {
			errs = append(errs, fmt.Errorf("serve: %s is negative", field.name))
		}
	}
	if o.DefaultTime > o.MaxTime {
		errs = append(errs, fmt.Errorf("serve: the default time %v is over the greatest time %v", o.DefaultTime, o.MaxTime))
	}
	if len(errs) == 0 {
		errs = append(errs, o.checkMemory(systemMemory()))
	}
	return errors.Join(errs...)
}

// GoMemory returns what debug.SetMemoryLimit takes so that the process keeps to Memory: all but
// what libraries hold that are not Go's.
func (o Options) GoMemory() int64 {
	o = o.withDefaults()
	return o.Memory - baseMemory/2
}

// defaultMemory is Options.Memory where that is 0.
func defaultMemory() int64 {
	const most = 4 << 30
	if system := systemMemory(); system > 0 {
		return min(most, system/4*3)
	}
	return most
}

// leastBodies is how many of the largest bodies there must be room for among what waits: one, and
// the matrices in it.
const leastBodies = 5

// checkMemory returns an error unless the memory holds what it must, and the system has it.
func (o *Options) checkMemory(system int64) error {
	least := baseMemory + o.results() + 2*leastBodies*o.MaxBody
	switch {
	case system > 0 && o.Memory > system:
		return fmt.Errorf("serve: %d MiB of memory, but the system (its memory, the control group's, or ulimit -v) allows %d MiB", o.Memory>>20, system>>20)
	case o.Memory < least:
		return fmt.Errorf("serve: %d MiB of memory, but bodies of %d MiB and %d MiB of results take %d MiB at least: allow smaller bodies, fewer results or more memory",
			o.Memory>>20, o.MaxBody>>20, o.results()>>20, least>>20)
	}
	return nil
}

// NewServer returns a server that cuts slow clients: headers must arrive within
// header, and a connection may be idle for idle; 0 stands for 5 s and 60 s.
func NewServer(h http.Handler, header, idle time.Duration) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: cmp.Or(header, 5*time.Second),
		IdleTimeout:       cmp.Or(idle, time.Minute),
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug), // faults of clients are not logged
	}
}

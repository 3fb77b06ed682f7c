package serve

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/rgm-go/rgm/serve/queue"
)

// Options of a service. The zero value is ready for use.
type Options struct {
	MaxBody     int64         // bytes of a request's body (32 MiB)
	MaxNodes    int           // nodes of a graph (1000)
	DefaultTime time.Duration // of a search that sets no limit (1s)
	MaxTime     time.Duration // of any search (60s)
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

// bodies returns how many bodies the service holds at a time.
func (o *Options) bodies() int { return max(o.Workers, 1) + o.Waiting }

// results returns the bytes of results that the process holds.
func (o *Options) results() int64 {
	if o.Queue != nil { // which keeps them elsewhere
		return 0
	}
	return o.MaxResults
}

// untilHurry returns how long running searches go on after the service began to
// drain: what is left of Drain serves to write their answers.
func (o *Options) untilHurry() time.Duration { return o.Drain - min(o.Drain/4, 2*time.Second) }

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
	return models, errors.Join(err, o.checkLimits())
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
		{"MaxResults", o.MaxResults < 0},
		{"BodyTimeout", o.BodyTimeout < 0}, {"WriteTime", o.WriteTime < 0}, {"Drain", o.Drain < 0},
	} {
		if field.bad {
			errs = append(errs, fmt.Errorf("serve: %s is negative", field.name))
		}
	}
	if o.DefaultTime > o.MaxTime {
		errs = append(errs, fmt.Errorf("serve: the default time %v is over the greatest time %v", o.DefaultTime, o.MaxTime))
	}
	if memory := memoryBytes(); len(errs) == 0 && memory > 0 && o.MaxBody > (memory-o.results())/int64(o.bodies()) {
		errs = append(errs, fmt.Errorf("serve: %d bodies of %d MiB (workers and queue) and %d MiB of results do not fit into %d MiB of memory: allow smaller bodies, a shorter queue or fewer results",
			o.bodies(), o.MaxBody>>20, o.results()>>20, memory>>20))
	}
	return errors.Join(errs...)
}

// memoryBytes returns the memory that the process may use, 0 where the system does
// not tell: the machine's or, where that is less, its control group's.
func memoryBytes() int64 {
	var memory int64
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		if fields := strings.Fields(string(text)); len(fields) > 1 && fields[0] == "MemTotal:" {
			kibibytes, _ := strconv.ParseInt(fields[1], 10, 64)
			memory = kibibytes << 10
		}
	}
	paths := []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}
	if text, err := os.ReadFile("/proc/self/cgroup"); err == nil {
		if _, own, unified := strings.Cut(strings.TrimSpace(string(text)), "0::"); unified {
			paths = append(paths, filepath.Join("/sys/fs/cgroup", own, "memory.max"))
		}
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && limit > 0 {
			memory = min(cmp.Or(memory, limit), limit)
		}
	}
	return memory
}

// NewServer returns a server that cuts slow clients: headers must arrive within
// header, and a connection may be idle for idle; 0 stands for 5 s and 60 s.
func NewServer(h http.Handler, header, idle time.Duration) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: cmp.Or(header, 5*time.Second),
		IdleTimeout:       cmp.Or(idle, time.Minute),
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug), // clients that misbehave are no news
	}
}

// Package jetstream is a queue on NATS JetStream: durable, for any number of machines.
//
// What counts is in two streams. A submission is stored under its id before it is
// queued, a result under its id before the job is acknowledged; each subject holds one
// message, and a second one is refused (DiscardNewPerSubject), so that every step may
// happen twice. The work queue holds ids alone: a watchdog compares submissions with
// results and queues again what got lost. Attempts are counted in a stream of their
// own, since the server's own count (MaxDeliver) is not relied upon; a job that its
// workers did not survive five times is Failed, and a dead letter.
//
// The messages are
//
//	rgm.submitted.ID  the payload, or in headers where it lies in the object store
//	rgm.jobs.ID       empty: ID waits for a worker, or is with one
//	rgm.attempts.ID   how often a worker began it, and when the last one did
//	rgm.results.ID    the queue.Record of a finished job
//	rgm.dead.ID       the record of a job that was given up
//	rgm.events.ID     events of a running job, not stored
//	rgm.cancel.ID     asks the worker to end it, not stored
package jetstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/rgm-go/rgm/internal/filelock"
)

// Options of Open. The zero value is ready for use.
type Options struct {
	Keep     time.Duration // how long results of jobs submitted here are kept (1h)
	AckWait  time.Duration // after which a job whose worker fell silent goes to another (10s)
	Watchdog time.Duration // how often lost jobs are looked for (30s); negative: by others
	Replicas int           // copies of every message (3 in a cluster, else 1)
	Waiting  int           // jobs that may wait (1,000,000)
	Log      *slog.Logger  // what the queue repaired (none)
}

const (
	embedded      = "embedded:"
	maxMessage    = 512 << 10 // larger payloads go to the object store
	maxAttempts   = 5
	callTime      = 10 * time.Second // for one call of the server
	consumerName  = "workers"
	inactiveAfter = 10 * time.Minute // since a job was looked at: its events are dropped
	endedAfter    = time.Minute      // the same, of a job with a result
)

// Queue implements queue.Queue.
type Queue struct {
	options    Options
	connection *nats.Conn
	js         jetstream.JetStream
	submitted  jetstream.Stream
	jobs       jetstream.Stream
	attempts   jetstream.Stream
	results    jetstream.Stream
	dead       jetstream.Stream
	bodies     jetstream.ObjectStore
	workers    jetstream.Consumer
	server     *server.Server // of embedded:
	lock       io.Closer
	folder     string      // of it
	made       os.FileInfo // what folder was when it was opened

	life context.Context // ends with Close
	end  context.CancelFunc
	tend sync.WaitGroup // what runs in the background

	alone sync.RWMutex // held by what runs here, for writing by what runs alone

	mu      sync.Mutex
	watched map[string]*watched
	running map[string]*attempt // here
	stopped bool
}

// Open connects to a NATS server, or with embedded:DIR runs one in this process, which
// stores in DIR and listens on no port. The streams are made where they are missing.
func Open(ctx context.Context, address string, o Options) (*Queue, error) {
	if o.Keep == 0 {
		o.Keep = time.Hour
	}
	if o.AckWait == 0 {
		o.AckWait = 10 * time.Second
	}
	if o.Watchdog == 0 {
		o.Watchdog = 30 * time.Second
	}
	if o.Waiting == 0 {
		o.Waiting = 1_000_000
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	q := &Queue{options: o, watched: map[string]*watched{}, running: map[string]*attempt{}}
	q.life, q.end = context.WithCancel(context.Background())
	if err := q.open(ctx, address); err != nil {
		return nil, errors.Join(fmt.Errorf("jetstream: %w", err), q.Close())
	}
	return q, nil
}

func (q *Queue) open(ctx context.Context, address string) error {
	if err := q.connect(address); err != nil {
		return err
	}
	var err error
	if q.js, err = jetstream.New(q.connection, jetstream.WithDefaultTimeout(callTime)); err != nil {
		return err
	}
	if err := q.makeStreams(ctx); err != nil {
		return err
	}
	if _, err := q.connection.Subscribe("rgm.events.*", q.onEvent); err != nil {
		return err
	}
	if _, err := q.connection.Subscribe("rgm.cancel.*", q.onCancel); err != nil {
		return err
	}
	if err := q.watchResults(ctx); err != nil {
		return err
	}
	if q.options.Watchdog > 0 {
		q.tend.Go(q.watch)
	}
	return nil
}

// connect connects to the server at an address, or starts one.
func (q *Queue) connect(address string) error {
	forever := []nats.Option{
		nats.Name("rgm"), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond), nats.Timeout(callTime),
	}
	folder, inProcess := strings.CutPrefix(address, embedded)
	if !inProcess {
		var err error
		q.connection, err = nats.Connect(address, forever...)
		return err
	}
	lock, err := filelock.MakeFolder(folder)
	if err != nil {
		return err
	}
	q.lock, q.folder = lock, folder
	if q.made, err = os.Stat(folder); err != nil {
		return err
	}
	q.server, err = server.NewServer(&server.Options{
		ServerName: "rgm", DontListen: true, JetStream: true, StoreDir: folder, SyncAlways: true, NoSigs: true, NoLog: true,
	})
	if err != nil {
		return err
	}
	q.server.Start()
	if !q.server.ReadyForConnections(callTime) {
		return fmt.Errorf("the server in %s does not start", folder)
	}
	q.connection, err = nats.Connect("", append(forever, nats.InProcessServer(q.server))...)
	return err
}

// makeStreams makes what is missing.
func (q *Queue) makeStreams(ctx context.Context) error {
	replicas := q.options.Replicas
	if replicas == 0 {
		replicas = 1
		if q.connection.ConnectedClusterName() != "" {
			replicas = 3
		}
	}
	one := jetstream.StreamConfig{Storage: jetstream.FileStorage, Replicas: replicas, MaxMsgsPerSubject: 1}
	first := one // the first message of a subject stays
	first.Discard, first.DiscardNewPerSubject = jetstream.DiscardNew, true
	work := first
	work.Retention = jetstream.WorkQueuePolicy
	for _, s := range []struct {
		name   string
		config jetstream.StreamConfig
		to     *jetstream.Stream
	}{
		{"submitted", first, &q.submitted}, {"jobs", work, &q.jobs}, {"attempts", one, &q.attempts},
		{"results", first, &q.results}, {"dead", first, &q.dead},
	} {
		s.config.Name, s.config.Subjects = streamName(s.name), []string{"rgm." + s.name + ".*"}
		stream, err := q.js.CreateOrUpdateStream(ctx, s.config)
		if err != nil {
			return fmt.Errorf("stream %s: %w", s.config.Name, err)
		}
		*s.to = stream
	}
	var err error
	q.bodies, err = q.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: "RGM_BODIES", Replicas: replicas})
	if err != nil {
		return fmt.Errorf("object store: %w", err)
	}
	q.workers, err = q.jobs.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: consumerName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: q.options.AckWait, MaxDeliver: -1, MaxAckPending: 10_000,
	})
	if err != nil {
		return fmt.Errorf("consumer: %w", err)
	}
	return nil
}

// streamName returns the name of the stream of rgm.NAME.*.
func streamName(name string) string { return "RGM_" + strings.ToUpper(name) }

// Stop takes no more jobs from Submit. Those that wait stay.
func (q *Queue) Stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stopped = true
}

// Close ends the connection, and the server of embedded:.
func (q *Queue) Close() error {
	q.end()
	q.tend.Wait()
	if q.connection != nil {
		q.connection.Close()
	}
	if q.server != nil {
		q.server.Shutdown()
		q.server.WaitForShutdown()
	}
	var lost error
	if q.lock != nil {
		lost = errors.Join(q.checkFolder(), q.lock.Close())
	}
	return lost
}

// checkFolder returns an error if the folder of a queue in this process was removed, or
// another is in its place: the server goes on with the files that it has open, and what it
// accepts is lost with the process.
func (q *Queue) checkFolder() error {
	if q.made == nil {
		return nil
	}
	if now, err := os.Stat(q.folder); err != nil || !os.SameFile(now, q.made) {
		return fmt.Errorf("jetstream: the folder %s was removed or replaced while it was in use: its jobs are lost; start the service again", q.folder)
	}
	return nil
}

// refused reports whether a stream refused a message because its subject has one.
func refused(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && strings.Contains(api.Description, "per subject")
}

// last returns the message of a subject, nil if there is none.
func last(ctx context.Context, s jetstream.Stream, subject string) (*jetstream.RawStreamMsg, error) {
	msg, err := s.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, nil
	}
	return msg, err
}

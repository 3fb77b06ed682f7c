// Command rgm-cluster is rgm with a durable queue on NATS JetStream: the same verbs, --nats of serve, and the verbs
// worker and batch, which solve the queue's jobs and fill it.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/rgm-go/rgm/cli"
	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cluster/jetstream"
	"github.com/rgm-go/rgm/serve/queue"
)

// options make it of rgm.
var options = []cli.Option{cli.Named("rgm-cluster"), cli.WithQueue(openQueue), cli.With(newWorker, newBatch)}

func main() { os.Exit(cli.Main(os.Args[1:], options...)) }

// openQueue opens the durable queue at an address: a NATS server's, or embedded:DIR. Lost jobs are looked for
// every three times as long as a worker may be silent.
func openQueue(ctx context.Context, c *console.Console, address string, keep, silence time.Duration) (queue.Queue, error) {
	if silence <= 0 {
		return nil, settings.Usage(fmt.Errorf("--silence %v: want more than 0", silence))
	}
	q, err := jetstream.Open(ctx, address, jetstream.Options{Keep: keep, AckWait: silence, Watchdog: 3 * silence, Log: c.Log})
	if err != nil {
		return nil, fmt.Errorf("--nats %s: %w", address, err)
	}
	return q, nil
}

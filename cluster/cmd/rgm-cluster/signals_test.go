//go:build unix

package main

import (
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/rgm-go/rgm/cli/clitest"
	"github.com/rgm-go/rgm/internal/must"
)

// natsServer starts a durable NATS server and returns its address.
func natsServer(t *testing.T) string {
	t.Helper()
	s := must.Get(server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true}))(t)
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the NATS server does not start")
	}
	return s.ClientURL()
}

func TestTerminate(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	long := clitest.LongCommands{
		Program: "rgm-cluster",
		Commands: map[string]string{
			"serve --nats":      "serve --listen 127.0.0.1:0 --provider go --nats embedded:OUT/queue",
			"worker":            "worker --provider go --drain 3s --nats NATS",
			"worker, searching": "worker --provider go --drain 3s --workers 2 --nats NATS",
			"batch":             "batch --time-limit 1h --out OUT/results --nats NATS nug12 tai100a tai256c",
		},
		Few:     []string{"worker, searching"},
		Replace: []string{"NATS", natsServer(t)},
		Before:  map[string]string{"worker, searching": "batch"}, // which leaves jobs in the queue
	}
	long.Terminate(t)
}

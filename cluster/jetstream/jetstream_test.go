package jetstream_test

import (
	"testing"
	"time"

	"github.com/rgm-go/rgm/cluster/jetstream"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/serve/queue"
	"github.com/rgm-go/rgm/serve/queue/queuetest"
)

// open returns a queue in a folder of the test.
func open(t testing.TB, o jetstream.Options) *jetstream.Queue {
	t.Helper()
	return must.Get(jetstream.Open(t.Context(), "embedded:"+t.TempDir(), o))(t)
}

func TestConforms(t *testing.T) {
	queuetest.Run(t, func(t *testing.T) queue.Queue { return open(t, jetstream.Options{Watchdog: 100 * time.Millisecond}) })
}

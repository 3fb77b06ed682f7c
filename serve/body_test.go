package serve

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm"
)

// TestBodiesThatWaitCount: what was read of a request counts among the bodies that the
// service holds until it is in the queue, also while it waits for its turn to be
// understood, and no longer.
func TestBodiesThatWaitCount(t *testing.T) {
	h := &Handler{solver: fuzzedBy, options: Options{}.withDefaults(), limits: rgm.Limits{Nodes: 100}, memory: newMemory(&Options{Memory: 1 << 30}), searches: context.Background()}
	const text = `{"instance":{"kind":"qaplib","name":"nug12"},"matching":[11,6,8,2,3,7,10,0,4,5,9,1]}`
	held, work := &h.memory.held, &h.memory.work
	work.TryAcquire(work.all) // another instance is being read
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/evaluate", strings.NewReader(text))
	request.Header.Set("Content-Type", typeJSON)
	answer := httptest.NewRecorder()
	ended := make(chan error)
	go func() { ended <- h.evaluate(answer, request) }()
	for begin := time.Now(); held.free() == held.all; time.Sleep(time.Millisecond) {
		if time.Since(begin) > time.Minute {
			t.Fatal("a body that waits does not count")
		}
	}
	if taken := held.all - held.free(); taken != int64(len(text)) {
		t.Errorf("%d bytes are taken while a body waits, want %d", taken, len(text))
	}
	work.Release(work.all)
	if err := <-ended; err != nil || answer.Code != http.StatusOK {
		t.Errorf("%d %v", answer.Code, err)
	}
	if held.free() != held.all || work.free() != work.all {
		t.Errorf("%d and %d bytes are free afterwards, want all of %d", held.free(), work.free(), held.all)
	}
}

// free returns how many bytes of a pool are free, while nobody takes any.
func (p *pool) free() (bytes int64) {
	for step := p.all; step > 0; step /= 2 {
		for p.TryAcquire(step) {
			bytes += step
		}
	}
	p.Release(bytes)
	return bytes
}

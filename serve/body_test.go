package serve

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestBodiesThatWaitCount: what was read of a request counts among the bodies that the
// service holds until it is in the queue, also while it waits for its turn to be
// understood, and no longer.
func TestBodiesThatWaitCount(t *testing.T) {
	h := &Handler{options: Options{}.withDefaults(), limits: limits{100}, memory: newMemory(&Options{Memory: 1 << 30}), hurry: context.Background()}
	const text = `{"instance":{"kind":"qaplib","name":"nug12"},"matching":[11,6,8,2,3,7,10,0,4,5,9,1]}`
	held, work := &h.memory.held, &h.memory.work
	work.try(work.all) // another instance is being read
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/evaluate", strings.NewReader(text))
	request.Header.Set("Content-Type", typeJSON)
	answer := httptest.NewRecorder()
	ended := make(chan error)
	go func() { ended <- h.evaluate(answer, request) }()
	for begin := time.Now(); held.available() == held.all; time.Sleep(time.Millisecond) {
		if time.Since(begin) > time.Minute {
			t.Fatal("a body that waits does not count")
		}
	}
	if taken := held.all - held.available(); taken != int64(len(text)) {
		t.Errorf("%d bytes are taken while a body waits, want %d", taken, len(text))
	}
	work.release(work.all)
	if err := <-ended; err != nil || answer.Code != http.StatusOK {
		t.Errorf("%d %v", answer.Code, err)
	}
	if held.available() != held.all || work.available() != work.all {
		t.Errorf("%d and %d bytes are free afterwards, want all of %d", held.available(), work.available(), held.all)
	}
}

func (p *pool) available() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.free
}

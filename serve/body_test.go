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
	const budget = 1 << 20
	h := &Handler{options: Options{}.withDefaults(), limits: limits{100}, reading: make(chan struct{}, 1), hurry: context.Background()}
	h.budget.free.Store(budget)
	h.reading <- struct{}{} // another instance is being read
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/evaluate", strings.NewReader(
		`{"instance":{"kind":"qaplib","name":"nug12"},"matching":[11,6,8,2,3,7,10,0,4,5,9,1]}`))
	request.Header.Set("Content-Type", typeJSON)
	answer := httptest.NewRecorder()
	ended := make(chan error)
	go func() { ended <- h.evaluate(answer, request) }()
	for begin := time.Now(); h.budget.free.Load() == budget; time.Sleep(time.Millisecond) {
		if time.Since(begin) > time.Minute {
			t.Fatal("a body that waits does not count")
		}
	}
	time.Sleep(100 * time.Millisecond)
	if free := h.budget.free.Load(); free != budget-chunk {
		t.Errorf("%d bytes are free while a body waits, want %d", free, budget-chunk)
	}
	<-h.reading
	if err := <-ended; err != nil || answer.Code != http.StatusOK {
		t.Errorf("%d %v", answer.Code, err)
	}
	if free := h.budget.free.Load(); free != budget {
		t.Errorf("%d bytes are free afterwards, want %d", free, budget)
	}
}

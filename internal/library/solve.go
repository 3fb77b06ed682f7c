package library

import (
	"context"
	"encoding/json"
	"math"
	"sync"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/infer/request"
)

// Result is what a search found: a matching, or a distance.
type Result struct {
	rgm.Result
	distance *rgm.DistanceResult
}

// readOptions reads options in JSON; "" stands for none.
func (l *Library) readOptions(text []byte) (o rgm.Options, err error) {
	if len(text) == 0 {
		return o, nil
	}
	return o, (&request.Decoder{Choices: l.choices}).Decode(text, &o, "/options")
}

// tellEvery is how long a search runs at most between two calls of tell.
const tellEvery = 50 * time.Millisecond

// Solve searches a problem, and returns the handle of the result. On the goroutine of the caller it
// calls tell with each better matching that it hears of, and with nil at least every tellEvery; where
// tell returns false the search ends with its best so far.
func (l *Library) Solve(problem uint64, text []byte, tell func(*rgm.Incumbent) (goOn bool)) (handle uint64, err error) {
	p, release, err := l.use(problem)
	if err != nil {
		return 0, err
	}
	defer release()
	l.open()
	o, err := l.readOptions(text)
	if err != nil {
		return 0, asError(err)
	}
	var result Result
	err = run(tell, func(ctx context.Context, found func(rgm.Incumbent)) error {
		of, err := p.prepare(ctx, l.solver, o)
		if err == nil {
			result.Result, err = request.Search(ctx, of, found)
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	return l.put(&result), nil
}

// search is a search on a goroutine of its own.
type search struct {
	changed chan struct{} // holds a token while best is news
	ended   chan struct{}
	err     error

	mutex sync.Mutex
	best  *rgm.Incumbent
}

// run searches on another goroutine, and meanwhile calls tell on this one. Where tell returns false the search's context
// ends.
func run(tell func(*rgm.Incumbent) bool, do func(ctx context.Context, found func(rgm.Incumbent)) error) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := search{changed: make(chan struct{}, 1), ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		defer Recover(&s.err)
		s.err = do(ctx, s.found)
	}()
	s.listen(cancel, tell)
	return asError(s.err)
}

// found keeps the best so far.
func (s *search) found(i rgm.Incumbent) {
	s.mutex.Lock()
	s.best = &i
	s.mutex.Unlock()
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// listen calls tell until the search has ended.
func (s *search) listen(cancel func(), tell func(*rgm.Incumbent) bool) {
	ticker := time.NewTicker(tellEvery)
	defer ticker.Stop()
	goOn := true
	for {
		var best *rgm.Incumbent
		select {
		case <-s.ended:
			return
		case <-ticker.C:
		case <-s.changed:
			s.mutex.Lock()
			best, s.best = s.best, nil
			s.mutex.Unlock()
		}
		if goOn && !tell(best) {
			goOn = false
			cancel()
		}
	}
}

// record is a result without what each node has, and without names.
type record struct {
	rgm.Result
	Matching  *int `json:"matching,omitempty"`
	Names1    *int `json:"names1,omitempty"`
	Names2    *int `json:"names2,omitempty"`
	Witnesses *int `json:"witnesses,omitempty"`
	Margins   *int `json:"margins,omitempty"`
	Sure      *int `json:"sure,omitempty"`

	Confidence *int `json:"confidence,omitempty"`
}

// distanceRecord is a distance without the matching.
type distanceRecord struct {
	rgm.DistanceResult
	Matching *int `json:"matching,omitempty"`
}

// Record returns a result as JSON, the service's fields without those that Nodes returns.
func (l *Library) Record(result uint64) ([]byte, error) {
	r, err := get[*Result](l, result)
	if err != nil {
		return nil, err
	}
	if r.distance != nil {
		without := *r.distance
		without.Matching = nil
		text, err := json.Marshal(distanceRecord{DistanceResult: without})
		return text, asError(err)
	}
	text, err := json.Marshal(record{Result: r.Result})
	return text, asError(err)
}

// The parts of a result that have a number for each node of graph 1, as in rgm.h.
const (
	PartMatching = iota
	PartWitnesses
	PartMargins
	PartSure
	PartConfidence // in ten thousandths
)

// Nodes calls put with what a result has of each node of graph 1, and returns how many there are:
// none of a part that it lacks. With count below that it is an error.
func (l *Library) Nodes(result uint64, part int32, count int64, put func(i, value int)) (int64, error) {
	r, err := get[*Result](l, result)
	if err != nil {
		return 0, err
	}
	var values []int
	if a := r.Aligned; part == PartMatching {
		values = r.Matching
		if r.distance != nil {
			values = r.distance.Matching
		}
	} else if part == PartConfidence {
		for _, told := range r.Confidence {
			values = append(values, int(math.Round(1e4*told)))
		}
	} else if part == PartSure {
		values = make([]int, len(r.Sure))
		for i, sure := range r.Sure {
			if sure {
				values[i] = 1
			}
		}
	} else if a != nil {
		switch part {
		case PartWitnesses:
			values = a.Witnesses
		case PartMargins:
			values = a.Margins
		}
	}
	if part < PartMatching || part > PartConfidence {
		return 0, invalid("part %d: want RGM_MATCHING, RGM_WITNESSES, RGM_MARGINS, RGM_SURE or RGM_CONFIDENCE", part)
	}
	if int64(len(values)) > count {
		return 0, invalid("room for %d numbers: want %d", count, len(values))
	}
	for i, v := range values {
		put(i, v)
	}
	return int64(len(values)), nil
}

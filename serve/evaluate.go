package serve

import (
	"fmt"
	"net/http"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/qap"
)

// EvaluateRequest is the body of POST /v1/evaluate.
type EvaluateRequest struct {
	Instance request.Instance     `json:"instance"`
	Options  request.SolveOptions `json:"options,omitempty" doc:"complete counts, and for two graphs what decides whether they are aligned; the others do not"`
	Matching qap.Matching         `json:"matching" doc:"graph 2's node for each node of graph 1, from 0; -1 unmatched"`
}

// Evaluation is what a matching is worth.
type Evaluation struct {
	Instance   string   `json:"instance"`
	N1         int      `json:"n1"`
	N2         int      `json:"n2"`
	Sense      string   `json:"sense" enum:"min,max"`
	Valid      bool     `json:"valid" doc:"whether it is a solution: without conflicts, and complete where the instance wants that"`
	Matched    int      `json:"matched"`
	Objective  *float64 `json:"objective,omitempty" doc:"of a matching without conflicts"`
	BestKnown  *float64 `json:"best_known,omitempty"`
	GapPercent *float64 `json:"gap_percent,omitempty"`
	Conflicts  []string `json:"conflicts" doc:"what is wrong with it"`
}

// answered reads a request that is answered at once, and lets answer do that.
func (h *Handler) answered(w http.ResponseWriter, r *http.Request, answer func(*request.Request, fields) (any, error), more ...string) error {
	if h.draining.Load() {
		return problem(http.StatusServiceUnavailable, "the service is draining and takes no more work")
	}
	body := h.bodyReader(w, r)
	defer body.release()
	asked, others, err := h.readRequest(body, r, more...)
	if err != nil {
		return err
	}
	value, err := answer(asked, others)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, value)
}

// draw answers POST /v1/graphs.
func (h *Handler) draw(w http.ResponseWriter, r *http.Request) error {
	return h.answered(w, r, func(asked *request.Request, _ fields) (any, error) {
		bytes := readingBytes(asked, h.limits)
		if !h.memory.work.TryAcquire(bytes) {
			return nil, h.full("there is no memory for a picture: try again later")
		}
		defer h.memory.work.Release(bytes)
		return asked.Drawing(h.limits)
	})
}

// evaluate answers POST /v1/evaluate.
func (h *Handler) evaluate(w http.ResponseWriter, r *http.Request) error {
	return h.answered(w, r, func(asked *request.Request, others fields) (any, error) { return h.evaluation(r, asked, others) }, "matching")
}

func (h *Handler) evaluation(r *http.Request, asked *request.Request, others fields) (any, error) {
	if others["matching"] == nil {
		return nil, request.Invalid("/matching", "the matching is missing")
	}
	var m qap.Matching
	if err := (&request.Decoder{}).Decode(others["matching"], &m, "/matching"); err != nil {
		return nil, err
	}
	work, err := h.readTask(r.Context(), asked)
	if err != nil {
		return nil, err
	}
	n1, _ := work.Size()
	if len(m) != n1 {
		return nil, request.Invalid("/matching", "%d entries: want %d, one a node of graph 1", len(m), n1)
	}
	return evaluationOf(&work.Subject, m), nil
}

// evaluationOf recomputes the objective of a matching, or lists what is wrong.
func evaluationOf(s *request.Subject, m qap.Matching) Evaluation {
	n1, n2 := s.Size()
	if a := s.Aligned; a != nil {
		e := Evaluation{Instance: a.Name, N1: n1, N2: n2, Sense: qap.Maximize.String(), Matched: m.Size(), Conflicts: conflicts(m, n2)}
		if len(e.Conflicts) == 0 {
			objective := a.Objective(m)
			e.Objective = &objective
			e.complete(!a.Complete)
		}
		return e
	}
	in := s.Instance
	e := Evaluation{Instance: in.Name, N1: n1, N2: n2, Sense: in.Sense.String(), Matched: m.Size(), Conflicts: conflicts(m, n2)}
	if len(e.Conflicts) > 0 {
		return e
	}
	objective := in.Objective(in.Score(m))
	e.Objective = &objective
	e.BestKnown, e.GapPercent = datasets.Compared(in, objective)
	e.complete(in.IsSolution(m))
	return e
}

// complete takes note of whether a matching without conflicts is a solution: all are that match
// all nodes of the smaller graph.
func (e *Evaluation) complete(solution bool) {
	most := min(e.N1, e.N2)
	if e.Valid = solution || e.Matched == most; !e.Valid {
		e.Conflicts = append(e.Conflicts, fmt.Sprintf("%d of %d matches: solutions are complete", e.Matched, most))
	}
}

// conflicts lists the entries that no matching has.
func conflicts(m qap.Matching, n2 int) []string {
	found := []string{}
	owner := map[int]int{}
	for i, a := range m {
		first, taken := owner[a]
		switch {
		case a == qap.Unmatched:
		case a < 0 || a >= n2:
			found = append(found, fmt.Sprintf("node %d: graph 2 has no node %d", i, a))
		case taken:
			found = append(found, fmt.Sprintf("nodes %d and %d are both matched to node %d", first, i, a))
		default:
			owner[a] = i
		}
	}
	return found
}

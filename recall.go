package rgm

import (
	"context"

	"github.com/rgm-go/rgm/internal/recall"
	"github.com/rgm-go/rgm/qap"
)

// Recalled is what a search knew of problems like it, by Config.Recall.
type Recalled struct {
	Kept       int      `json:"kept"`                 // problems of this size
	Instance   string   `json:"instance,omitempty"`   // of the one whose assignment a part of the search began at
	Objective  *float64 `json:"objective,omitempty"`  // of that, for the problem at hand
	Renumbered bool     `json:"renumbered,omitempty"` // nodes were brought into order by their flows
}

// openRecall opens the folder of the configuration, if it names one.
func openRecall(folder string) (*recall.Store, error) {
	if folder == "" {
		return nil, nil
	}
	store, err := recall.Open(folder)
	if err != nil {
		return nil, &OptionError{Option: "Recall", Reason: err.Error() + ": want a folder that can be read and written"}
	}
	return store, nil
}

// recalls reports whether the search is one that begins beside what was found before, and keeps what it finds.
func (s *solve) recalls() bool {
	return s.solver.recall != nil && s.method.Name == MethodAuto && s.o.Goal.Fixed == nil && s.in == s.given && recall.Serves(s.in)
}

// recall looks for the assignment of a problem like this one.
func (s *solve) recall(ctx context.Context) {
	found, err := s.solver.recall.Recall(ctx, s.in)
	if err != nil {
		s.warnOfRecall("nothing is recalled", err)
		return
	}
	s.recalled = &Recalled{Kept: found.Kept, Instance: found.Name, Renumbered: found.Renumbered}
	if s.o.Recalled = found.Assignment; s.o.Recalled != nil {
		objective := s.in.Objective(found.Score)
		s.recalled.Objective = &objective
	}
}

// keep keeps what was found for problems to come.
func (s *solve) keep(r *qap.Result) {
	if s.in.IsSolution(r.Matching) {
		if err := s.solver.recall.Keep(s.in, r.Matching); err != nil {
			s.warnOfRecall("the result is not kept for problems to come", err)
		}
	}
}

// warnOfRecall has the log say, once for each reason, that a folder fails, which no search does by it.
func (s *solve) warnOfRecall(what string, err error) {
	if _, told := s.solver.told.LoadOrStore("recall: "+err.Error(), true); !told {
		s.solver.config.Log.Warn(what, "folder", s.solver.config.Recall, "error", err)
	}
}

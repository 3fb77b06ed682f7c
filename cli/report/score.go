package report

import (
	"errors"
	"fmt"
	"io"

	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/qap"
)

// Score is what rgm score prints; docs/CLI_JSON.md says what each field means.
type Score struct {
	Instance   string   `json:"instance"`
	N1         int      `json:"n1"`
	N2         int      `json:"n2"`
	Sense      string   `json:"sense"`
	Objective  float64  `json:"objective"`
	Stated     *float64 `json:"stated,omitempty"`
	BestKnown  *float64 `json:"best_known,omitempty"`
	GapPercent *float64 `json:"gap_percent,omitempty"`
	Matched    int      `json:"matched"`
	Right      bool     `json:"right"`
	Reason     string   `json:"reason,omitempty"`
}

// NewScore scores a matching, and compares it with what its file states, if it does.
func NewScore(in *qap.Instance, m qap.Matching, stated *Answer) Score {
	n1, n2 := in.Size()
	a := Score{Instance: in.Name, N1: n1, N2: n2, Sense: in.Sense.String(), Objective: in.Objective(in.Score(m)), Matched: m.Size()}
	a.BestKnown, a.GapPercent = qaplib.Compared(in, a.Objective)
	var err error
	if stated != nil {
		a.Stated = &stated.Objective
		_, err = stated.Recompute(in)
	}
	if !in.IsSolution(m) {
		a.BestKnown, a.GapPercent = nil, nil
		err = errors.Join(err, fmt.Errorf("it matches %d nodes, and a solution of this instance %d", m.Size(), min(a.N1, a.N2)))
	}
	if a.Right = err == nil; err != nil {
		a.Reason = err.Error()
	}
	return a
}

// Print writes the score, as JSON or as a table.
func (a *Score) Print(out io.Writer, format string) error {
	if format == JSON {
		return WriteJSON(out, a)
	}
	pairs := [][2]string{
		{"instance", a.Instance}, {"nodes", fmt.Sprintf("%d and %d", a.N1, a.N2)}, {"sense", a.Sense},
		{"objective", ExactText(a.Objective)}, {"matched", fmt.Sprint(a.Matched)},
	}
	for _, one := range []struct {
		name  string
		value *float64
	}{{"stated", a.Stated}, {"best known", a.BestKnown}, {"gap %", a.GapPercent}} {
		if one.value != nil {
			pairs = append(pairs, [2]string{one.name, ExactText(*one.value)})
		}
	}
	return WritePairs(out, pairs)
}

package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/rgm-go/rgm/qap"
)

// CheckAgainst returns an error unless the answer is a final one of this very
// instance: its objective is recomputed.
func (a *Answer) CheckAgainst(in *qap.Instance) error {
	switch {
	case a.Instance != in.Name:
		return a.notOf()
	case a.Status.Interrupted():
		return errors.New("its search was interrupted")
	case a.Status == "" || a.Method == "" || a.N1 == 0:
		return errors.New("it is not complete")
	}
	_, err := a.Recompute(in)
	return err
}

// Recompute returns the objective of the answer's matching in an instance, and an error
// unless it is the answer's own and the matching is one of the instance. An answer of another
// program need not state sizes and sense.
func (a *Answer) Recompute(in *qap.Instance) (float64, error) {
	states := a.N1 != 0 || a.N2 != 0 || a.Sense != ""
	if n1, n2 := in.Size(); states && (a.N1 != n1 || a.N2 != n2 || a.Sense != in.Sense.String()) {
		return 0, fmt.Errorf("%w; the instance has %d×%d, %s", a.notOf(), n1, n2, in.Sense)
	}
	if err := in.CheckMatching(a.Matching); err != nil {
		return 0, err
	}
	const rounding = 1e-9 // of a sum of products on another kind of machine
	objective := in.Objective(in.Score(a.Matching))
	if math.Abs(objective-a.Objective) > rounding*math.Abs(objective) {
		return objective, fmt.Errorf("its matching has objective %v in this instance, not %v", objective, a.Objective)
	}
	return objective, nil
}

// notOf is the error of an answer that is one of another instance.
func (a *Answer) notOf() error {
	return fmt.Errorf("it is of %q, %d×%d, %s", a.Instance, a.N1, a.N2, a.Sense)
}

// ReadAnswers reads what rgm solve printed with --format json, or wrote with --out: an
// object a line. A failure is an Answer with Err.
func ReadAnswers(in io.Reader) ([]Answer, error) {
	var all []Answer
	for decoder := json.NewDecoder(in); ; {
		var line struct {
			Answer
			Error string `json:"error"`
		}
		err := decoder.Decode(&line)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err == nil && line.Instance == "" {
			err = errors.New("there is no instance")
		}
		if err != nil {
			return all, noAnswer(len(all)+1, err)
		}
		if line.Error != "" {
			line.Err = errors.New(line.Error)
		}
		all = append(all, line.Answer)
	}
}

// noAnswer is the error of the k-th object, which is no answer, in words of the file: what of
// it is wrong, where there is an object at all.
func noAnswer(k int, err error) error {
	const want = "want what rgm solve --format json or --out wrote"
	mistyped := new(json.UnmarshalTypeError)
	switch {
	case errors.As(err, &mistyped) && mistyped.Field != "":
		field := mistyped.Field[strings.LastIndexByte(mistyped.Field, '.')+1:]
		err = fmt.Errorf("%q is a %s", field, mistyped.Value)
	case errors.As(err, &mistyped) || k == 1 && errors.As(err, new(*json.SyntaxError)):
		return errors.New("not a result: " + want)
	}
	return fmt.Errorf("object %d is not a result, %w: %s", k, err, want)
}

package request

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/qap"
)

// SolveOptions say how to search, with the meaning and defaults of the flags of rgm
// solve.
type SolveOptions struct {
	Method     string       `json:"method,omitempty" choices:"method" doc:"the method (auto)"`
	Model      string       `json:"model,omitempty" choices:"model" doc:"name of a loaded network, of a method with one (chosen by the kind of instance)"`
	Rollouts   int          `json:"rollouts,omitempty" minimum:"0" maximum:"1024" doc:"rollouts that advance together (0: as many as by default)"`
	TimeLimit  Duration     `json:"time_limit,omitempty" doc:"wall clock of the search: \"500ms\", or a number of seconds (0: the service's default)"`
	Deadline   Duration     `json:"deadline,omitempty" doc:"a search without time_limit ends by itself, as that of rgm solve does, and at the latest after this time (0: none)"`
	MaxSteps   int          `json:"max_steps,omitempty" minimum:"0" doc:"steps of a trajectory (0: no limit)"`
	Target     *float64     `json:"target,omitempty" doc:"objective that is good enough"`
	Seed       uint64       `json:"seed,omitempty" doc:"every random choice comes from it"`
	Inliers    int          `json:"inliers,omitempty" minimum:"0" doc:"match this many nodes (0: any number)"`
	Regularize string       `json:"regularize,omitempty" doc:"multiply the score of m matches by f(m), against outliers: none, f1, f2, f3, mean, mean:p or null"`
	Complete   bool         `json:"complete,omitempty" doc:"match min(n1, n2) nodes"`
	Fix        []string     `json:"fix,omitempty" doc:"matches that stay: \"i:a\", nodes of graph 1 and graph 2, from 0"`
	Affinity   string       `json:"affinity,omitempty" choices:"affinity" doc:"what matchings are sought by (given)"`
	Initial    qap.Matching `json:"initial,omitempty" doc:"a matching to start from; -1 unmatched"`
}

// gone is what to write in place of options that there were.
var gone = map[string]string{
	"polish": `a "method" is that search alone: name another one, or none, which combines searches`,
}

// maxVertices bounds the vertices of the states of all rollouts that a client asks for. The
// default number of rollouts is never too many.
const maxVertices = 1 << 23

// Duration is a time.Duration that is written "500ms", or as a number of seconds.
type Duration time.Duration

func (*Duration) Schema() map[string]any {
	return map[string]any{"oneOf": []map[string]any{{"type": "string"}, {"type": "number"}}}
}

// MarshalJSON writes the form with units.
func (d Duration) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(d).String()) }

// errDuration is that of what is no duration, errDurationRange that of one that cannot be.
var (
	errDuration      = errors.New(`want a number with its unit ("500ms"), or a number of seconds`)
	errDurationRange = fmt.Errorf("want 0 to %.0f seconds", maxSeconds)
)

const maxSeconds = 1e9

// UnmarshalJSON reads "500ms" or 0.5.
func (d *Duration) UnmarshalJSON(text []byte) error {
	var s string
	if json.Unmarshal(text, &s) == nil {
		parsed, err := time.ParseDuration(s)
		if err != nil {
			return errDuration
		}
		*d = Duration(parsed)
		return nil
	}
	var seconds float64
	switch {
	case json.Unmarshal(text, &seconds) != nil:
		return errDuration
	case seconds < 0 || seconds > maxSeconds:
		return errDurationRange
	}
	*d = Duration(seconds * float64(time.Second))
	return nil
}

// Portfolio returns the options in the portfolio's words, or the problem of options that do not
// serve the instance.
func (o *SolveOptions) Portfolio(of *Subject) (portfolio.Options, error) {
	p := portfolio.Options{Method: o.Method, Model: o.Model, Affinity: o.Affinity}
	n1, n2 := of.Size()
	if most := max(maxVertices/(n1*n2), infer.DefaultRollouts); o.Rollouts > most {
		return p, Invalid("/options/rollouts", "%d: want at most %d for graphs of %d and %d nodes", o.Rollouts, most, n1, n2)
	}
	goal, err := o.goal(n1, n2)
	if err != nil {
		return p, err
	}
	p.Options = infer.Options{
		Rollouts: o.Rollouts, MaxSteps: o.MaxSteps, TimeLimit: time.Duration(o.TimeLimit), Goal: goal,
		Initial: o.Initial, Seed: o.Seed,
	}
	if o.Target != nil {
		p.Target, p.HasTarget = *o.Target, true
	}
	if of.Aligned != nil {
		if !of.Aligned.Assigned {
			p.Method = ""
		}
		return p, nil
	}
	return p, AsError(p.Options.Validate(of.Instance))
}

// goal returns which matchings of graphs of n1 and n2 nodes are sought.
func (o *SolveOptions) goal(n1, n2 int) (goal qap.Goal, err error) {
	goal.Inliers = o.Inliers
	if o.Regularize != "" {
		if goal.Regularizer, err = qap.ParseRegularizer(o.Regularize); err != nil {
			return goal, Invalid("/options/regularize", "%v", err)
		}
	}
	if len(o.Fix) > 0 {
		goal.Fixed = qap.NewMatching(n1)
	}
	taken := map[int]bool{}
	for k, text := range o.Fix {
		left, right, _ := strings.Cut(text, ":")
		i, errI := strconv.Atoi(left)
		a, errA := strconv.Atoi(right)
		pointer := fmt.Sprintf("/options/fix/%d", k)
		switch {
		case errI != nil || errA != nil || i < 0 || a < 0:
			return goal, Invalid(pointer, "%q: want i:a, a node of each graph, from 0", text)
		case i >= n1 || a >= n2:
			return goal, Invalid(pointer, "%s: graphs of %d and %d nodes have no such pair", text, n1, n2)
		case goal.Fixed[i] != qap.Unmatched || taken[a]:
			return goal, Invalid(pointer, "%s conflicts with a match before it", text)
		}
		goal.Fixed[i], taken[a] = a, true
	}
	return goal, nil
}

// optionNames are the fields of portfolio.Options as clients know them.
var optionNames = map[string]string{
	"Method": "method", "Model": "model", "Rollouts": "rollouts", "TimeLimit": "time_limit", "MaxSteps": "max_steps",
	"Target": "target", "Goal": "inliers", "Goal.Inliers": "inliers", "Goal.Regularizer": "regularize", "Goal.Fixed": "fix",
	"Affinity": "affinity", "Initial": "initial", "Irrevocable": "method",
}

// AsError turns the error of an option, or of a method that does not serve the
// instance; others stay as they are.
func AsError(err error) error {
	var wrong *infer.OptionError
	firstLine := func(text string) string {
		line, _, _ := strings.Cut(text, "\n")
		return line
	}
	switch {
	case errors.As(err, &wrong):
		reason := firstLine(wrong.Reason)
		if wrong.Err != nil {
			reason = firstLine(WithoutPackage(wrong.Err))
		}
		if name, known := optionNames[wrong.Option]; known {
			return Invalid("/options/"+name, "%s", reason)
		}
		return Invalid("/options", "%s: %s", wrong.Option, reason)
	case errors.Is(err, qap.ErrUnsupported):
		return Invalid("/options/method", "%s", firstLine(WithoutPackage(err)))
	}
	return err
}

// FromQuery reads the documented fields of a struct from a query or form, where they have the
// names and the forms of JSON but for quotes, and lists have commas. It removes them from there.
func (d *Decoder) FromQuery(query url.Values, into any, pointer string) error {
	v := reflect.ValueOf(into).Elem()
	for _, f := range FieldsOf(v.Type()) {
		if f.Doc == "" || !query.Has(f.Name) {
			continue
		}
		text := query.Get(f.Name)
		query.Del(f.Name)
		to := v.Field(f.Index)
		var quoted any
		switch {
		case to.Type() == reflect.TypeFor[[]string]():
			quoted = strings.Split(text, ",")
		case to.Kind() == reflect.String || !json.Valid([]byte(text)):
			quoted = text
		default:
			quoted = json.RawMessage(text)
		}
		value, err := json.Marshal(quoted)
		if err != nil {
			return err
		}
		if err := d.value(value, to, &f, pointer+"/"+f.Name); err != nil {
			return err
		}
	}
	return nil
}

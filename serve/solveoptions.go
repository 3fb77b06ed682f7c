package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/qap"
)

// SolveOptions say how to search, with the meaning and defaults of the flags of rgm
// solve.
type SolveOptions struct {
	Method     string       `json:"method,omitempty" doc:"the method (rgm)"`
	Model      string       `json:"model,omitempty" doc:"name of a loaded network (chosen by the kind of instance)"`
	Rollouts   int          `json:"rollouts,omitempty" minimum:"1" maximum:"1024" doc:"rollouts that advance together"`
	TimeLimit  Duration     `json:"time_limit,omitempty" doc:"wall clock of the search: \"500ms\", or a number of seconds"`
	MaxSteps   int          `json:"max_steps,omitempty" minimum:"1" doc:"steps of a trajectory"`
	Target     *float64     `json:"target,omitempty" doc:"objective that is good enough"`
	Seed       uint64       `json:"seed,omitempty" doc:"every random choice comes from it"`
	Inliers    int          `json:"inliers,omitempty" minimum:"1" doc:"match this many nodes"`
	Regularize string       `json:"regularize,omitempty" doc:"multiply the score of m matches by f(m), against outliers: none, f1, f2, f3, mean or mean:p"`
	Complete   bool         `json:"complete,omitempty" doc:"match min(n1, n2) nodes"`
	Fix        []string     `json:"fix,omitempty" doc:"seeds that stay: \"i:a\", nodes of graph 1 and graph 2, from 0"`
	Affinity   string       `json:"affinity,omitempty" doc:"what matchings are sought by: given, learned, or a network that re-weighs"`
	Initial    qap.Matching `json:"initial,omitempty" doc:"a matching to start from; -1 unmatched"`
}

// What bounds the memory of a search: rollouts, and the vertices of the states of all
// that a client asks for. The default number of rollouts is never too many.
const (
	maxRollouts = 1024
	maxVertices = 1 << 23 // about 1 GB
)

// Duration is a time.Duration that is written "500ms", or as a number of seconds.
type Duration time.Duration

// Schema tells OpenAPI what UnmarshalJSON reads.
func (*Duration) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Description: `a number with its unit ("500ms"), or a number of seconds`,
		OneOf:       []*huma.Schema{{Type: "string"}, {Type: "number"}},
	}
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

// check returns the problem of options that no solver can use.
func (o *SolveOptions) check(maxTime time.Duration) error {
	limit := time.Duration(o.TimeLimit)
	switch {
	case limit < 0:
		return invalid("/options/time_limit", "%v: want 0, which is the default, or more", limit)
	case limit > maxTime:
		return invalid("/options/time_limit", "%v is over this service's limit of %v", limit, maxTime)
	case o.MaxSteps < 0:
		return invalid("/options/max_steps", "%d: want 1 or more", o.MaxSteps)
	case o.Rollouts < 0 || o.Rollouts > maxRollouts:
		return invalid("/options/rollouts", "%d: want 1 to %d", o.Rollouts, maxRollouts)
	case o.Inliers < 0:
		return invalid("/options/inliers", "%d: want 1 or more", o.Inliers)
	}
	if _, err := qap.ParseRegularizer(o.Regularize); o.Regularize != "" && err != nil {
		return invalid("/options/regularize", "%v", err)
	}
	if _, err := o.seeds(); err != nil {
		return err
	}
	return nil
}

// checkMemory returns the problem of more rollouts than an instance allows.
func (o *SolveOptions) checkMemory(in *qap.Instance) error {
	n1, n2 := in.Size()
	if most := max(maxVertices/(n1*n2), infer.DefaultRollouts); o.Rollouts > most {
		return invalid("/options/rollouts", "%d: want at most %d for graphs of %d and %d nodes", o.Rollouts, most, n1, n2)
	}
	return nil
}

// gone is what to write in place of options that there were.
var gone = map[string]string{
	"polish": `a "method" is that search alone: name another one, or none, which combines searches`,
}

// seeds reads Fix.
func (o *SolveOptions) seeds() ([][2]int, error) {
	var seeds [][2]int
	for k, text := range o.Fix {
		left, right, _ := strings.Cut(text, ":")
		i, errI := strconv.Atoi(left)
		a, errA := strconv.Atoi(right)
		pointer := fmt.Sprintf("/options/fix/%d", k)
		if errI != nil || errA != nil || i < 0 || a < 0 {
			return nil, invalid(pointer, "%q: want i:a, a node of each graph, from 0", text)
		}
		for _, other := range seeds {
			if other[0] == i || other[1] == a {
				return nil, invalid(pointer, "%d:%d conflicts with %d:%d", i, a, other[0], other[1])
			}
		}
		seeds = append(seeds, [2]int{i, a})
	}
	return seeds, nil
}

// textOptions and otherOptions are the options that a query may have: those whose
// JSON is a string, and the others.
var (
	textOptions  = []string{"method", "model", "regularize", "affinity"}
	otherOptions = []string{"rollouts", "max_steps", "target", "seed", "inliers", "complete", "initial"}
)

// queryOptions reads options from a query, where they have the same names as in
// JSON; fix is separated by commas. It removes them from the query.
func queryOptions(query url.Values) (SolveOptions, error) {
	fields := map[string]json.RawMessage{}
	take := func(name string, asJSON func(string) any) error {
		if !query.Has(name) {
			return nil
		}
		text, err := json.Marshal(asJSON(query.Get(name)))
		query.Del(name)
		if err != nil {
			return invalid("/options/"+name, "want a JSON value")
		}
		fields[name] = text
		return nil
	}
	raw := func(s string) any { return json.RawMessage(s) }
	var errs []error
	for _, name := range textOptions {
		errs = append(errs, take(name, func(s string) any { return s }))
	}
	for _, name := range otherOptions {
		errs = append(errs, take(name, raw))
	}
	errs = append(errs, take("fix", func(s string) any { return strings.Split(s, ",") }))
	errs = append(errs, take("time_limit", func(s string) any {
		if _, err := strconv.ParseFloat(s, 64); err == nil {
			return json.RawMessage(s)
		}
		return s
	}))
	for _, err := range errs {
		if err != nil {
			return SolveOptions{}, err
		}
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return SolveOptions{}, err
	}
	return readOptions(text)
}

// readOptions reads options from JSON.
func readOptions(text []byte) (o SolveOptions, err error) {
	err = strictJSON(text, &o, "/options")
	return o, err
}

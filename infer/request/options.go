package request

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/internal/table"
	"github.com/rgm-go/rgm/qap"
)

// gone is what to write in place of options that there were.
var gone = map[string]string{
	"polish": `a "method" is that search alone: name another one, or none, which combines searches`,
}

// maxVertices bounds the vertices of the states of all rollouts that a client asks for. The
// default number of rollouts is never too many.
const maxVertices = 1 << 23

// Duration is a time.Duration that is written "500ms", or as a number of seconds.
type Duration time.Duration

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

// AsError turns the error of an option, or of what is to be searched, into one that names its field; others
// stay as they are. The instance, or the graphs, are at pointer.
func AsError(err error, pointer string) error {
	var wrong *rgm.OptionError
	var fix *rgm.FixError
	var limit *rgm.LimitError
	var input *rgm.InputError
	switch {
	case errors.As(err, &fix):
		return Invalid(fmt.Sprintf("/options/fix/%d", fix.Index), "%s", fix.Reason)
	case errors.As(err, &wrong):
		reason := firstLine(wrong.Reason)
		if wrong.Err != nil {
			reason = firstLine(WithoutPackage(wrong.Err))
		}
		for _, f := range slices.Concat(rgm.OptionTable(), rgm.DistanceTable()) {
			if f.GoName == wrong.Option {
				return Invalid("/options/"+f.Name, "%s", reason)
			}
		}
		return Invalid("/options", "%s: %s", wrong.Option, reason)
	case errors.As(err, &limit):
		return TooLarge(pointer, "%s", limit.Reason)
	case errors.As(err, &input):
		return Invalid(pointer, "%s", WithoutPackage(input))
	case errors.Is(err, qap.ErrUnsupported):
		return Invalid("/options/method", "%s", firstLine(WithoutPackage(err)))
	}
	return err
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// checkStates returns the problem of more rollouts, or states of a beam, than graphs of n1 and n2 nodes may have.
func checkStates(o *rgm.Options, n1, n2 int) error {
	most := max(maxVertices/(n1*n2), infer.DefaultRollouts)
	for name, states := range map[string]int{"rollouts": o.Rollouts, "beam": o.Beam} {
		if states > most {
			return Invalid("/options/"+name, "%d: want at most %d for graphs of %d and %d nodes", states, most, n1, n2)
		}
	}
	return nil
}

// FromQuery reads the documented fields of a struct from a query or form, where they have the
// names and the forms of JSON but for quotes, and lists have commas. It removes them from there.
func (d *Decoder) FromQuery(query url.Values, into any, pointer string) error {
	v := reflect.ValueOf(into).Elem()
	for _, f := range table.Of(v.Type()) {
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

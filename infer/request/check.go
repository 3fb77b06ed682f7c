package request

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/rgm-go/rgm/internal/lab"
	"github.com/rgm-go/rgm/internal/suggest"
	"github.com/rgm-go/rgm/internal/table"
)

// check returns the problem of a value that the table does not allow.
func check(f *table.Field, v reflect.Value, c table.Choices, pointer string) error {
	number, isNumber := 0.0, true
	switch {
	case v.CanInt():
		number = float64(v.Int())
	case v.CanUint():
		number = float64(v.Uint())
	case v.CanFloat():
		number = v.Float()
	default:
		isNumber = false
	}
	if values := c.Values(f); values != nil && v.String() != "" && !slices.Contains(values, v.String()) {
		return Invalid(pointer, "%q%s: want %s", v.String(), lab.Note(v.String()), suggest.OneOf(values...))
	}
	if least, err := strconv.ParseFloat(f.Minimum, 64); err == nil && isNumber && number < least {
		return Invalid(pointer, "%v: want %s or more", v, f.Minimum)
	}
	if most, err := strconv.ParseFloat(f.Maximum, 64); err == nil && isNumber && number > most {
		return Invalid(pointer, "%v: want at most %s", v, f.Maximum)
	}
	if v.Kind() == reflect.String && f.MaxLength > 0 && len([]rune(v.String())) > f.MaxLength {
		return Invalid(pointer, "%d characters: want at most %d", len([]rune(v.String())), f.MaxLength)
	}
	return nil
}

package table

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/rgm-go/rgm/internal/suggest"
)

// Check returns an error unless a value is one that the table allows its field: in its bounds, finite, and one of the
// values of enum. The zero value stands for none.
func (f *Field) Check(v reflect.Value) error {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	switch {
	case v.Type() == reflect.TypeFor[time.Duration]():
		if v.Int() < 0 {
			return fmt.Errorf("%v: want 0 (none) or more", v.Interface())
		}
		return nil
	case v.Kind() == reflect.String:
		if f.Enum != nil && v.String() != "" && !slices.Contains(f.Enum, v.String()) {
			return fmt.Errorf("%q: want %s", v.String(), suggest.OneOf(f.Enum...))
		}
		return nil
	case v.CanInt():
		return f.checkNumber(v, float64(v.Int()))
	case v.CanUint():
		return f.checkNumber(v, float64(v.Uint()))
	case v.CanFloat():
		return f.checkNumber(v, v.Float())
	}
	return nil
}

// errNotFinite is that of what is no finite number.
var errNotFinite = errors.New("want a finite number")

func (f *Field) checkNumber(v reflect.Value, number float64) error {
	if number-number != 0 {
		return fmt.Errorf("%v: %w", v, errNotFinite)
	}
	if least, err := strconv.ParseFloat(f.Minimum, 64); err == nil && number < least {
		return fmt.Errorf("%v: want %s or more", v, f.Least())
	}
	if most, err := strconv.ParseFloat(f.Maximum, 64); err == nil && number > most {
		return fmt.Errorf("%v: want at most %s", v, f.Maximum)
	}
	return nil
}

// Least returns the least value that the field may be given: where it has a default, 0 stands for that.
func (f *Field) Least() string {
	if f.Minimum == "0" && f.Type.Kind() == reflect.Int && f.Default != "" {
		return "1"
	}
	return f.Minimum
}

package train

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Faults collects what a configuration has wrong.
type Faults struct{ errs []error }

// Require notes a fault where something is not so.
func (f *Faults) Require(ok bool, format string, args ...any) {
	if !ok {
		f.errs = append(f.errs, fmt.Errorf("train: "+format, args...))
	}
}

// Fields requires of the fields of a configuration what their tags want says: "share" is 0..1, "above 0" and "0 or more"
// finite numbers, "1.." and "1..N" whole ones, "a|b" one of words. Sections, embedded structs, are looked into.
func (f *Faults) Fields(config any) {
	v := reflect.ValueOf(config)
	for k := range v.NumField() {
		field, value := v.Type().Field(k), v.Field(k)
		if field.Anonymous {
			f.Fields(value.Interface())
			continue
		}
		name := field.Tag.Get("mapstructure")
		switch want := field.Tag.Get("want"); {
		case want == "":
		case want == "share":
			f.Require(value.Float() >= 0 && value.Float() <= 1, "%s is %v: want 0..1", name, value)
		case want == "above 0":
			f.Require(value.Float() > 0 && value.Float() <= math.MaxFloat64, "%s is %v: want a finite number above 0", name, value)
		case want == "0 or more":
			f.Require(value.Float() >= 0 && value.Float() <= math.MaxFloat64, "%s is %v: want a finite number of 0 or more", name, value)
		case strings.HasPrefix(want, "1.."):
			most, err := strconv.ParseInt(want[len("1.."):], 10, 64)
			if err != nil {
				most = mostCounted
			}
			f.Require(value.Int() > 0 && value.Int() <= most, "%s is %d: want 1 or more, at most %d", name, value.Int(), most)
		default:
			values := strings.Split(want, "|")
			f.Require(slices.Contains(values, value.String()), "%s %q: want one of %v", name, value, values)
		}
	}
}

// err returns all faults, sorted by their texts.
func (f *Faults) err() error {
	slices.SortFunc(f.errs, func(x, y error) int { return cmp.Compare(x.Error(), y.Error()) })
	return errors.Join(f.errs...)
}

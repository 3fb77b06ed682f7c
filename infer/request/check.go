package request

import (
	"reflect"
	"slices"

	"github.com/rgm-go/rgm/internal/lab"
	"github.com/rgm-go/rgm/internal/suggest"
	"github.com/rgm-go/rgm/internal/table"
)

// check returns the problem of a value that the table does not allow.
func check(f *table.Field, v reflect.Value, c table.Choices, pointer string) error {
	if values := c.Values(f); values != nil && v.String() != "" && !slices.Contains(values, v.String()) {
		return Invalid(pointer, "%q%s: want %s", v.String(), lab.Note(v.String()), suggest.OneOf(values...))
	}
	if err := f.Check(v); err != nil {
		return Invalid(pointer, "%v", err)
	}
	if v.Kind() == reflect.String && f.MaxLength > 0 && len([]rune(v.String())) > f.MaxLength {
		return Invalid(pointer, "%d characters: want at most %d", len([]rune(v.String())), f.MaxLength)
	}
	return nil
}

package request

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rgm-go/rgm/internal/lab"
	"github.com/rgm-go/rgm/internal/suggest"
)

// Field is a field of a struct that travels as JSON. Its tags are the one table from which
// /openapi.json and /docs are made, and to which Decoder holds what clients send:
//
//	json       its name
//	doc        what it is for
//	kinds      the kinds of instance that have it (all)
//	enum       its values, with commas
//	choices    the name of the values that are found out when a program starts: Choices
//	minimum, maximum, maxLength
//	null       set where an array may be null
type Field struct {
	Name, Doc        string
	Index            int
	Required         bool // no omitempty
	Null             bool
	Kinds, Enum      []string
	Choices          string
	Minimum, Maximum string // as in the tag
	MaxLength        int
}

// Choices are the values of fields by their tag choices: names of methods, models and
// affinities. A field whose values are not known here takes any.
type Choices map[string][]string

// Values returns what a field may have, nil for anything.
func (c Choices) Values(f *Field) []string {
	if f.Choices != "" {
		return c[f.Choices]
	}
	return f.Enum
}

// fieldTables has what FieldsOf found.
var fieldTables sync.Map

// FieldsOf returns the fields of a struct.
func FieldsOf(t reflect.Type) []Field {
	if known, found := fieldTables.Load(t); found {
		return known.([]Field)
	}
	var fields []Field
	for k := range t.NumField() {
		tag := t.Field(k).Tag
		name, rest, _ := strings.Cut(tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		f := Field{
			Name: name, Doc: tag.Get("doc"), Index: k, Required: !strings.Contains(rest, "omitempty"), Null: tag.Get("null") != "",
			Kinds: list(tag.Get("kinds")), Enum: list(tag.Get("enum")), Choices: tag.Get("choices"),
			Minimum: tag.Get("minimum"), Maximum: tag.Get("maximum"),
		}
		f.MaxLength, _ = strconv.Atoi(tag.Get("maxLength")) // 0 without the tag
		fields = append(fields, f)
	}
	fieldTables.Store(t, fields)
	return fields
}

func list(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

// About returns what the field is for, and of what.
func (f *Field) About() string {
	if f.Kinds == nil {
		return f.Doc
	}
	return "of kind " + strings.Join(f.Kinds, " or ") + ": " + f.Doc
}

// check returns the problem of a value that the table does not allow.
func (f *Field) check(v reflect.Value, c Choices, pointer string) error {
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

package serve

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rgm-go/rgm/internal/suggest"
)

// field is a field of a struct that travels as JSON. Its tags are the one table of which
// /openapi.json and /docs are made, and to which decoder holds what clients send:
//
//	json       its name
//	doc        what it is for
//	kinds      the kinds of instance that have it (all)
//	enum       its values, with commas
//	choices    the name of the values that the service finds out when it starts: choices
//	minimum, maximum, maxLength
//	null       set where an array may be null
type field struct {
	name, doc        string
	index            int
	required         bool // no omitempty
	null             bool
	kinds, enum      []string
	choices          string
	minimum, maximum string // as in the tag
	maxLength        int
}

// choices are the values of fields by their tag choices: names of methods, models and
// affinities. A field whose values are not known here takes any.
type choices map[string][]string

// values returns what a field may have, nil for anything.
func (c choices) values(f *field) []string {
	if f.choices != "" {
		return c[f.choices]
	}
	return f.enum
}

// fieldTables has what fieldsOf found.
var fieldTables sync.Map

// fieldsOf returns the fields of a struct.
func fieldsOf(t reflect.Type) []field {
	if known, found := fieldTables.Load(t); found {
		return known.([]field)
	}
	var fields []field
	for k := range t.NumField() {
		tag := t.Field(k).Tag
		name, rest, _ := strings.Cut(tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		f := field{
			name: name, doc: tag.Get("doc"), index: k, required: !strings.Contains(rest, "omitempty"), null: tag.Get("null") != "",
			kinds: list(tag.Get("kinds")), enum: list(tag.Get("enum")), choices: tag.Get("choices"),
			minimum: tag.Get("minimum"), maximum: tag.Get("maximum"),
		}
		f.maxLength, _ = strconv.Atoi(tag.Get("maxLength")) // 0 without the tag
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

// about returns what the field is for, and of what.
func (f *field) about() string {
	if f.kinds == nil {
		return f.doc
	}
	return "of kind " + strings.Join(f.kinds, " or ") + ": " + f.doc
}

// check returns the problem of a value that the table does not allow.
func (f *field) check(v reflect.Value, c choices, pointer string) error {
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
	if values := c.values(f); values != nil && v.String() != "" && !slices.Contains(values, v.String()) {
		return invalid(pointer, "%q: want %s", v.String(), suggest.OneOf(values...))
	}
	if least, err := strconv.ParseFloat(f.minimum, 64); err == nil && isNumber && number < least {
		return invalid(pointer, "%v: want %s or more", v, f.minimum)
	}
	if most, err := strconv.ParseFloat(f.maximum, 64); err == nil && isNumber && number > most {
		return invalid(pointer, "%v: want at most %s", v, f.maximum)
	}
	if v.Kind() == reflect.String && f.maxLength > 0 && len([]rune(v.String())) > f.maxLength {
		return invalid(pointer, "%d characters: want at most %d", len([]rune(v.String())), f.maxLength)
	}
	return nil
}

// schema is a JSON Schema.
type schema = map[string]any

// schemas are the components of an OpenAPI document, made from Go types.
type schemas struct {
	choices    choices
	components schema
}

// described is a type whose JSON its own methods read and write.
type described interface{ schema() schema }

// of returns the schema of a type: a reference, for a struct.
func (s *schemas) of(t reflect.Type) schema {
	if d, is := reflect.Zero(reflect.PointerTo(t)).Interface().(described); is {
		return d.schema()
	}
	switch {
	case t.Kind() == reflect.Pointer:
		return s.of(t.Elem())
	case t == reflect.TypeFor[time.Time]():
		return schema{"type": "string", "format": "date-time"}
	case t.Kind() == reflect.Struct:
		if _, known := s.components[t.Name()]; !known {
			s.components[t.Name()] = schema{} // of a type that refers to itself
			s.components[t.Name()] = s.object(t)
		}
		return schema{"$ref": "#/components/schemas/" + t.Name()}
	case t.Kind() == reflect.Slice:
		return schema{"type": "array", "items": s.of(t.Elem())}
	case t.Kind() == reflect.Map:
		return schema{"type": "object"}
	case t.Kind() == reflect.Bool:
		return schema{"type": "boolean"}
	case t.Kind() == reflect.String:
		return schema{"type": "string"}
	case t.Kind() == reflect.Float64:
		return schema{"type": "number"}
	case t.Kind() == reflect.Uint64:
		return schema{"type": "integer", "minimum": 0}
	case reflect.Zero(t).CanInt():
		return schema{"type": "integer"}
	}
	panic(fmt.Sprintf("serve: no schema of %v", t))
}

// object returns the schema of a struct.
func (s *schemas) object(t reflect.Type) schema {
	properties, required := schema{}, []string{}
	for k := range t.NumField() {
		if embedded := t.Field(k); embedded.Anonymous && embedded.Type.Kind() == reflect.Pointer { // may be missing
			maps.Copy(properties, s.object(embedded.Type.Elem())["properties"].(schema))
		} else if embedded.Anonymous {
			of := s.object(embedded.Type)
			maps.Copy(properties, of["properties"].(schema))
			required = append(required, of["required"].([]string)...)
		}
	}
	for _, f := range fieldsOf(t) {
		of := s.of(t.Field(f.index).Type)
		if about := f.about(); about != "" {
			of["description"] = about
		}
		if values := s.choices.values(&f); values != nil {
			of["enum"] = values
		}
		for name, text := range map[string]string{"minimum": f.minimum, "maximum": f.maximum} {
			if v, err := strconv.ParseFloat(text, 64); err == nil {
				of[name] = v
			}
		}
		if f.maxLength > 0 {
			of["maxLength"] = f.maxLength
		}
		if f.null {
			of["type"] = []any{of["type"], "null"}
		}
		properties[f.name] = of
		if f.required {
			required = append(required, f.name)
		}
	}
	return schema{"type": "object", "additionalProperties": false, "properties": properties, "required": required}
}

package serve

import (
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"time"

	"github.com/rgm-go/rgm/internal/table"
)

// schema is a JSON Schema.
type schema = map[string]any

// schemas are the components of an OpenAPI document, made from Go types.
type schemas struct {
	choices    table.Choices
	components schema
}

// described is a type whose JSON its own methods read and write.
type described interface{ Schema() map[string]any }

// of returns the schema of a type: a reference, for a struct.
func (s *schemas) of(t reflect.Type) schema {
	if d, is := reflect.Zero(reflect.PointerTo(t)).Interface().(described); is {
		return d.Schema()
	}
	switch {
	case t.Kind() == reflect.Pointer:
		return s.of(t.Elem())
	case t == reflect.TypeFor[time.Duration]():
		return schema{"oneOf": []schema{{"type": "string"}, {"type": "number"}}}
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
	for _, f := range table.Of(t) {
		of := s.of(t.Field(f.Index).Type)
		if about := f.About(); about != "" {
			of["description"] = about
		}
		if values := s.choices.Values(&f); values != nil {
			of["enum"] = values
		}
		for name, text := range map[string]string{"minimum": f.Minimum, "maximum": f.Maximum} {
			if v, err := strconv.ParseFloat(text, 64); err == nil {
				of[name] = v
			}
		}
		if f.MaxLength > 0 {
			of["maxLength"] = f.MaxLength
		}
		if f.Null {
			of["type"] = []any{of["type"], "null"}
		}
		properties[f.Name] = of
		if f.Required {
			required = append(required, f.Name)
		}
	}
	return schema{"type": "object", "additionalProperties": false, "properties": properties, "required": required}
}

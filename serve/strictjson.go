package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// strictJSON reads text, one JSON value, into v: unknown fields are problems of the
// field, as are values of a wrong type; what is no JSON is unreadable. pointer is
// where the value stands in the request.
func strictJSON(text []byte, v any, pointer string) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(v); err != nil {
		return jsonProblem(err, pointer)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return unreadable("the body goes on after its JSON value")
	}
	return nil
}

// jsonProblem returns the problem of an error of package json.
func jsonProblem(err error, pointer string) error {
	var p *Problem
	var wrongType *json.UnmarshalTypeError
	var wrongMatrix *matrixError
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &wrongMatrix):
		return invalid(pointer+wrongMatrix.pointer, "%s", wrongMatrix.reason)
	case errors.As(err, &wrongType):
		return invalid(pointer+pointerOf(wrongType.Field), "want %s, have %s", kindName(wrongType.Type.Kind().String()), wrongType.Value)
	case errors.Is(err, errDuration), errors.Is(err, errDurationRange):
		return invalid(pointer+"/time_limit", "%v", err)
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return unreadable("the JSON ends too early")
	}
	if name, is := strings.CutPrefix(err.Error(), "json: unknown field "); is {
		name = strings.Trim(name, `"`)
		return unknown(pointer, "field", name)
	}
	return unreadable("the body is not JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
}

// unknown is the problem of a name of a field or a parameter.
func unknown(pointer, what, name string) error {
	pointer += pointerOf(name)
	if instead := gone[name]; instead != "" {
		return invalid(pointer, "there is no %s %q any more: %s", what, name, instead)
	}
	return invalid(pointer, "there is no %s %q", what, name)
}

// pointerOf turns a path a.b into a JSON pointer /a/b.
func pointerOf(path string) string {
	if path == "" {
		return ""
	}
	escaped := strings.NewReplacer("~", "~0", "/", "~1").Replace(path)
	return "/" + strings.ReplaceAll(escaped, ".", "/")
}

// kindName says in JSON's words what a Go type takes.
func kindName(kind string) string {
	switch {
	case strings.HasPrefix(kind, "int"), strings.HasPrefix(kind, "uint"):
		return "a whole number"
	case strings.HasPrefix(kind, "float"):
		return "a number"
	case kind == "slice":
		return "an array"
	case kind == "struct", kind == "map":
		return "an object"
	case kind == "bool":
		return "true or false"
	}
	return "a " + kind
}

package request

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/rgm-go/rgm/internal/table"
)

// Decoder reads JSON into Go values by the table of their fields. Fields that the table does
// not have, or that come twice, are problems, as are values of another type, each with the
// place where it stands. Text is never copied, and a list is as long as its commas say: what a
// value takes is known from its text.
type Decoder struct{ Choices table.Choices }

// CheckJSON returns the problem of text that is not one JSON value.
func CheckJSON(text []byte) error {
	if json.Valid(text) {
		return nil
	}
	err := json.Unmarshal(text, new(struct{})) // says where, and reads nothing
	if errors.Is(err, io.ErrUnexpectedEOF) || strings.Contains(err.Error(), "unexpected end") {
		return Unreadable("the JSON ends too early")
	}
	return Unreadable("the body is not JSON: %v", err)
}

// Decode reads a JSON value that stands at pointer in the request.
func (d *Decoder) Decode(text []byte, v any, pointer string) error {
	if err := CheckJSON(text); err != nil {
		return err
	}
	return d.value(text, reflect.ValueOf(v).Elem(), &table.Field{}, pointer)
}

// value reads valid JSON. Null leaves a value as it is.
func (d *Decoder) value(text []byte, v reflect.Value, f *table.Field, pointer string) error {
	if string(text) == "null" {
		return nil
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	if own, is := v.Addr().Interface().(json.Unmarshaler); is {
		return at(pointer, own.UnmarshalJSON(text))
	}
	switch {
	case v.Type() == reflect.TypeFor[time.Duration]():
		return at(pointer, (*Duration)(v.Addr().Interface().(*time.Duration)).UnmarshalJSON(text))
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Int:
		return numbers(text, v.Addr().Convert(reflect.TypeFor[*[]int]()).Interface().(*[]int), pointer)
	case v.Type() == reflect.TypeFor[[]float64]():
		return numbers(text, v.Addr().Interface().(*[]float64), pointer)
	case v.Kind() == reflect.Struct:
		return Members(text, pointer, func(name, place string, member []byte) error {
			for _, f := range table.Of(v.Type()) {
				if f.Name == name {
					return d.value(member, v.Field(f.Index), &f, place)
				}
			}
			return Unknown(place, "field", name)
		})
	}
	if err := json.Unmarshal(text, v.Addr().Interface()); err != nil {
		return wrongType(text, v.Type(), pointer)
	}
	return check(f, v, d.Choices, pointer)
}

// Unknown is the problem of a name of a field or a parameter.
func Unknown(place, what, name string) error {
	if instead := gone[name]; instead != "" {
		return WrongType(place, "there is no %s %q any more: %s", what, name, instead)
	}
	return WrongType(place, "there is no %s %q", what, name)
}

// at places the error of a type that reads itself.
func at(pointer string, err error) error {
	var wrong *matrixError
	switch {
	case errors.As(err, &wrong):
		return &Error{wrong.kind, pointer + wrong.pointer, wrong.reason}
	case err != nil:
		return Invalid(pointer, "%v", err)
	}
	return nil
}

// wrongType is the problem of a value of another type.
func wrongType(text []byte, t reflect.Type, pointer string) error {
	want := map[reflect.Kind]string{
		reflect.Int: "a whole number", reflect.Uint64: "a whole number, 0 or more", reflect.Float64: "a number", reflect.Slice: "an array",
		reflect.Bool: "true or false", reflect.String: "a string",
	}[t.Kind()]
	if t == reflect.TypeFor[[]string]() {
		want = "an array of strings"
	}
	return WrongType(pointer, "want %s, have %s", want, typeName(text))
}

// typeName returns what JSON calls the type of a value, and a number as it is.
func typeName(text []byte) string {
	switch text[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	}
	return string(text[:min(len(text), 30)])
}

// Members calls each with the fields of an object, their places and their values.
func Members(text []byte, pointer string, each func(name, place string, value []byte) error) error {
	p := parser{text: text}
	if !p.take('{') {
		if string(bytes.TrimSpace(text)) == "null" {
			return nil
		}
		return WrongType(pointer, "want an object, have %s", typeName(bytes.TrimSpace(text)))
	}
	seen := map[string]bool{}
	for !p.take('}') {
		var name string
		if err := json.Unmarshal(p.value(), &name); err != nil {
			return err // not of valid JSON
		}
		p.take(':')
		place := pointer + PointerOf(name)
		if seen[name] {
			return Invalid(place, "the field %q is there twice", name)
		}
		seen[name] = true
		if err := each(name, place, p.value()); err != nil {
			return err
		}
		p.take(',')
	}
	return nil
}

// numbers reads a list of numbers.
func numbers[T int | float64](text []byte, to *[]T, pointer string) error {
	p := parser{text: text}
	if !p.take('[') {
		return WrongType(pointer, "want an array of numbers, have %s", typeName(text))
	}
	all := make([]T, 0, bytes.Count(text, []byte(","))+1)
	for !p.take(']') {
		value := p.value()
		v, err := strconv.ParseFloat(string(value), 64)
		if n := T(v); err == nil && float64(n) == v {
			all = append(all, n)
			p.take(',')
			continue
		}
		return wrongType(value, reflect.TypeFor[T](), pointer+"/"+strconv.Itoa(len(all)))
	}
	*to = all
	return nil
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// PointerOf returns the pointer to a field: JSON pointers escape ~ and /.
func PointerOf(name string) string {
	return "/" + pointerEscapes.Replace(name)
}

// parser walks over valid JSON.
type parser struct {
	text []byte
	at   int
}

// peek returns the next byte that is not blank, 0 at the end.
func (p *parser) peek() byte {
	for ; p.at < len(p.text); p.at++ {
		switch b := p.text[p.at]; b {
		case ' ', '\t', '\r', '\n':
		default:
			return b
		}
	}
	return 0
}

// take steps over a byte if it comes next.
func (p *parser) take(b byte) bool {
	if p.peek() != b {
		return false
	}
	p.at++
	return true
}

// value steps over the next value and returns its text.
func (p *parser) value() []byte {
	first := p.peek()
	from := p.at
	switch first {
	case '"':
		p.string()
	case '[', '{':
		p.nested()
	default:
		for p.at < len(p.text) && strings.IndexByte(",:]} \t\r\n", p.text[p.at]) < 0 {
			p.at++
		}
	}
	return p.text[from:p.at]
}

func (p *parser) string() {
	for p.at++; p.text[p.at] != '"'; p.at++ {
		if p.text[p.at] == '\\' {
			p.at++
		}
	}
	p.at++
}

// nested steps over an array or an object.
func (p *parser) nested() {
	for depth := 0; ; p.at++ {
		switch p.text[p.at] {
		case '"':
			p.string()
			p.at--
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				p.at++
				return
			}
		}
	}
}

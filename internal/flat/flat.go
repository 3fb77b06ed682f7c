// Package flat joins structs into one: what is kept in parts by those who use it is a single
// record in files, and one table of keys.
package flat

import "reflect"

// Join returns a struct of all exported fields of structs, with their values and tags, those
// of embedded structs in their place. Two of one name are a programmer's error.
func Join(parts ...any) any {
	var fields []reflect.StructField
	var values []reflect.Value
	for _, part := range parts {
		each(reflect.ValueOf(part), func(f reflect.StructField, v reflect.Value) {
			fields, values = append(fields, reflect.StructField{Name: f.Name, Type: f.Type, Tag: f.Tag}), append(values, v)
		})
	}
	joined := reflect.New(reflect.StructOf(fields)).Elem()
	for k, v := range values {
		joined.Field(k).Set(v)
	}
	return joined.Interface()
}

// Zero returns a pointer to a zero value of the type of another, to be decoded into.
func Zero(of any) any { return reflect.New(reflect.TypeOf(of)).Interface() }

// Copy returns a pointer to a copy of a value.
func Copy(value any) any {
	p := reflect.New(reflect.TypeOf(value))
	p.Elem().Set(reflect.ValueOf(value))
	return p.Interface()
}

// Value returns what a pointer points to.
func Value(pointer any) any { return reflect.ValueOf(pointer).Elem().Interface() }

// Get returns the field of a name, of a struct or a pointer to one.
func Get(joined any, name string) any {
	return reflect.Indirect(reflect.ValueOf(joined)).FieldByName(name).Interface()
}

// Split sets the fields of the structs that parts point to from those of the same names of
// one that Join made, or of a pointer to one.
func Split(joined any, parts ...any) {
	from := reflect.Indirect(reflect.ValueOf(joined))
	for _, part := range parts {
		each(reflect.ValueOf(part).Elem(), func(f reflect.StructField, to reflect.Value) {
			if v := from.FieldByName(f.Name); v.IsValid() {
				to.Set(v)
			}
		})
	}
}

// Field returns a struct with one field.
func Field(name string, value any) any {
	of := reflect.StructOf([]reflect.StructField{{Name: name, Type: reflect.TypeOf(value)}})
	s := reflect.New(of).Elem()
	s.Field(0).Set(reflect.ValueOf(value))
	return s.Interface()
}

// each calls do with the exported fields of a struct, but for interfaces, which no file holds.
func each(s reflect.Value, do func(reflect.StructField, reflect.Value)) {
	for k := range s.NumField() {
		f := s.Type().Field(k)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			each(s.Field(k), do)
		} else if f.IsExported() && f.Type.Kind() != reflect.Interface {
			do(f, s.Field(k))
		}
	}
}

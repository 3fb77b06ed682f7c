package settings

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/go-viper/mapstructure/v2"
	"github.com/pelletier/go-toml/v2"
)

// Table returns a struct of settings as nested tables of what TOML can
// hold.
func Table(s any) (map[string]any, error) {
	var table map[string]any
	if err := mapstructure.Decode(s, &table); err != nil {
		return nil, err
	}
	for key, value := range table {
		if d, ok := value.(time.Duration); ok {
			table[key] = d.String()
		}
	}
	return table, nil
}

// Keys returns the keys of a struct of settings, those in tables as "table.key".
func Keys(s any) []string {
	table, err := Table(s)
	if err != nil {
		panic(err) // the struct is part of the program
	}
	return slices.Sorted(maps.Keys(flattened(table)))
}

// typesOf returns the types of the settings of a struct by their keys.
func typesOf(s any) map[string]reflect.Type {
	var table map[string]any
	if err := mapstructure.Decode(s, &table); err != nil {
		panic(err) // the struct is part of the program
	}
	types := map[string]reflect.Type{}
	for key, value := range flattened(table) {
		types[key] = reflect.TypeOf(value)
	}
	return types
}

// Differing returns the keys whose values differ between two structs of settings of one type.
func Differing(x, y any) []string {
	left, errLeft := Table(x)
	right, errRight := Table(y)
	if err := errors.Join(errLeft, errRight); err != nil {
		panic(err) // the struct is part of the program
	}
	keys := []string{}
	of := flattened(right)
	for key, value := range flattened(left) {
		if fmt.Sprint(value) != fmt.Sprint(of[key]) { // an empty list is none
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// flattened returns the values of nested tables by their full keys.
func flattened(table map[string]any) map[string]any {
	flat := map[string]any{}
	for key, value := range table {
		inner, ok := value.(map[string]any)
		if !ok {
			flat[key] = value
		}
		for k, v := range flattened(inner) {
			flat[key+"."+k] = v
		}
	}
	return flat
}

// Write writes settings as TOML that --config reads back.
func Write(w io.Writer, s any) error {
	table, err := Table(s)
	if err != nil {
		return err
	}
	return toml.NewEncoder(w).Encode(table)
}

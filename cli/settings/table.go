package settings

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/go-viper/mapstructure/v2"
	"github.com/pelletier/go-toml/v2"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/internal/table"
)

// Table returns a struct of settings as nested tables of what TOML can
// hold.
func Table(s any) (map[string]any, error) {
	table, err := tableOf(s)
	for key, value := range table {
		switch v := value.(type) {
		case time.Duration:
			table[key] = v.String()
		case *float64:
			if table[key] = defaultOf(key); v != nil {
				table[key] = strconv.FormatFloat(*v, 'g', -1, 64)
			}
		}
	}
	return table, err
}

// tableOf returns the values of a struct of settings by their keys, which are the tags of the fields, or
// else their names: time-limit of TimeLimit.
func tableOf(s any) (map[string]any, error) {
	var table map[string]any
	if err := mapstructure.Decode(s, &table); err != nil {
		return nil, err
	}
	for _, key := range foreignOf(s) {
		delete(table, key)
	}
	for key, value := range table {
		if dashed := Dashed(key); dashed != key {
			delete(table, key)
			table[dashed] = value
		}
	}
	return table, nil
}

// foreignOf returns the fields of the options of one call within a struct of settings that this call does not have.
func foreignOf(s any) (names []string) {
	v := reflect.Indirect(reflect.ValueOf(s))
	if v.Kind() != reflect.Struct {
		return nil
	}
	for k := range v.NumField() {
		if !v.Type().Field(k).IsExported() {
			continue
		}
		if of, is := v.Field(k).Interface().(table.Caller); is {
			t := v.Field(k).Type()
			for i := range t.NumField() {
				if !slices.ContainsFunc(table.For(t, of.Call()), func(f table.Field) bool { return f.Index == i }) {
					names = append(names, t.Field(i).Name)
				}
			}
		}
	}
	return names
}

// Dashed returns the key of a field by its name: steps-per-node of StepsPerNode.
func Dashed(name string) string {
	var key strings.Builder
	for k, r := range name {
		if unicode.IsUpper(r) && k > 0 {
			key.WriteByte('-')
		}
		key.WriteRune(unicode.ToLower(r))
	}
	return key.String()
}

// defaultOf returns what stands for no number in an option.
func defaultOf(key string) string {
	for _, f := range slices.Concat(rgm.OptionTable(), rgm.DistanceTable()) {
		if Dashed(f.GoName) == key {
			return f.Default
		}
	}
	return ""
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
	table, err := tableOf(s)
	if err != nil {
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

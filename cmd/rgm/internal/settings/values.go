package settings

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/go-viper/mapstructure/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/viper"
)

// Values are settings by their keys, as file, environment and flags give them.
type Values struct {
	v    *viper.Viper
	cmd  *cobra.Command // nil without flags, environment and file
	file string         // of --config
}

// Text returns a value as text, "" where there is none.
func (m *Values) Text(key string) string { return m.v.GetString(key) }

// IsSet tells whether file, environment or flag gave a value, or set or setDefaults.
func (m *Values) IsSet(key string) bool { return m.v.IsSet(key) }

// Set puts a value before all others.
func (m *Values) Set(key string, value any) { m.v.Set(key, value) }

// SetDefaults takes the fields of a struct of settings for values that nobody gave.
func (m *Values) SetDefaults(s any) error {
	table, err := Table(s)
	for key, value := range flattened(table) {
		m.v.SetDefault(key, value)
	}
	return err
}

// Decode writes the merged values into the struct that s points to.
func (m *Values) Decode(s any) error {
	err := decode(m.v, s)
	if err == nil || m.cmd == nil {
		return err
	}
	var errs []error // of each value, with where it comes from
	for _, key := range Keys(reflect.ValueOf(s).Elem().Interface()) {
		one := viper.New()
		one.Set(key, m.v.Get(key))
		if err := decode(one, reflect.New(reflect.TypeOf(s).Elem()).Interface()); m.v.Get(key) != nil && err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", m.source(key), err))
		}
	}
	if len(errs) == 0 {
		return err
	}
	return errors.Join(errs...)
}

// Changed returns settings of which pairs key=value are changed.
func Changed[S any](s S, pairs []string) (S, error) {
	m := Values{v: viper.New()}
	if err := m.SetDefaults(s); err != nil {
		return s, err
	}
	for _, pair := range pairs {
		key, value, found := strings.Cut(pair, "=")
		if !found || !slices.Contains(Keys(s), key) {
			return s, fmt.Errorf("--set %s: want key=value, the key one of rgm train --print-config", pair)
		}
		m.Set(key, value)
	}
	var result S
	return result, m.Decode(&result)
}

// decode writes the merged values into the struct that s points to.
func decode(v *viper.Viper, s any) error {
	err := v.UnmarshalExact(s, viper.DecodeHook(mapstructure.ComposeDecodeHookFunc(
		refuseBending, mapstructure.StringToTimeDurationHookFunc(), mapstructure.StringToWeakSliceHookFunc(","),
	)))
	if err == nil {
		return nil
	}
	return fmt.Errorf("settings: %w", cmp.Or(errors.Unwrap(err), err)) // the outer one is two lines of preamble
}

// refuseBending refuses values that would otherwise be bent into another type: a
// fraction, a truth value or a negative number into a count, a bare number into a
// duration.
func refuseBending(from, to reflect.Value) (any, error) {
	value := from.Interface()
	switch {
	case from.Kind() == reflect.String || from.Type() == to.Type():
		return value, nil // text is parsed strictly
	case to.Type() == reflect.TypeFor[time.Duration]():
		return nil, fmt.Errorf("%v is no duration: want a number with its unit, such as \"1s\"", value)
	case to.Kind() == reflect.Bool:
		return nil, fmt.Errorf("%v is neither true nor false", value)
	case (to.CanInt() || to.CanUint()) && !isWhole(from):
		return nil, fmt.Errorf("%v is no whole number", value)
	case to.CanUint() && from.CanInt() && from.Int() < 0:
		return nil, fmt.Errorf("%v is negative: want 0 or more", value)
	}
	return value, nil
}

func isWhole(v reflect.Value) bool {
	return v.CanInt() || v.CanUint() || v.CanFloat() && v.Float() == math.Trunc(v.Float())
}

package settings

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-viper/mapstructure/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/viper"

	"github.com/rgm-go/rgm/internal/flat"
)

// Values are settings by their keys, as file, environment and flags give them.
type Values struct {
	v    *viper.Viper
	cmd  *cobra.Command // nil without flags, environment and file
	file string         // of --config
	sets []string       // the keys of --set key=value

	ignored []string // keys that Decode passes over
}

// Text returns a value as text, "" where there is none.
func (m *Values) Text(key string) string { return m.v.GetString(key) }

// IsSet reports whether file, environment or flag gave a value, or set or setDefaults.
func (m *Values) IsSet(key string) bool { return m.v.IsSet(key) }

// Set puts a value before all others.
func (m *Values) Set(key string, value any) { m.v.Set(key, value) }

// SetPair is Set for what --set key=value says.
func (m *Values) SetPair(key, value string) {
	m.sets = append(m.sets, key)
	m.Set(key, value)
}

// SetDefaults takes the fields of a struct of settings for values that nobody gave.
func (m *Values) SetDefaults(s any) error {
	table, err := Table(s)
	for key, value := range flattened(table) {
		m.v.SetDefault(key, value)
	}
	return err
}

// Ignore makes Decode pass over keys that what it writes to has not.
func (m *Values) Ignore(keys ...string) { m.ignored = append(m.ignored, keys...) }

// Decode writes the merged values into the struct that s points to. Its error names each
// value that does not fit, where it comes from, and what would fit.
func (m *Values) Decode(s any) error {
	err := decode(m.v, s, m.ignored)
	if err == nil {
		return nil
	}
	var errs []error
	types := typesOf(reflect.ValueOf(s).Elem().Interface())
	for _, key := range slices.Sorted(maps.Keys(types)) {
		value := m.v.Get(key)
		if value == nil {
			continue
		}
		one := viper.New()
		one.Set(key, value)
		if err := decode(one, reflect.New(reflect.TypeOf(s).Elem()).Interface(), nil); err != nil {
			errs = append(errs, fmt.Errorf("%s: want %s", m.given(key, value), wantedOf(types[key], err)))
		}
	}
	if len(errs) == 0 {
		return err
	}
	return errors.Join(errs...)
}

// given shows a value and where it comes from.
func (m *Values) given(key string, value any) string {
	source, shown := m.source(key), fmt.Sprint(value)
	if text, is := value.(string); is {
		shown = strconv.Quote(text)
	}
	switch source {
	case setSource(key):
		return fmt.Sprintf("%s=%v", source, value)
	case Variable(key):
		return fmt.Sprintf("%s %s in the environment", source, shown)
	}
	return source + " " + shown
}

// Changed returns a struct of settings with pairs key=value changed.
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
	result := flat.Zero(s)
	err := m.Decode(result)
	return flat.Value(result).(S), err
}

// decode writes the merged values, less some keys, into the struct that s points to.
func decode(v *viper.Viper, s any, ignored []string) error {
	all := v.AllSettings()
	for _, key := range ignored {
		delete(all, key)
	}
	for key, t := range typesOf(reflect.ValueOf(s).Elem().Interface()) {
		if t == reflect.TypeFor[*float64]() && (all[key] == "" || all[key] == defaultOf(key)) {
			delete(all, key) // there is no number
		}
	}
	decoder, err := mapstructure.NewDecoder(&mapstructure.DecoderConfig{
		Result: s, WeaklyTypedInput: true, ErrorUnused: true,
		MatchName: func(key, field string) bool { return strings.EqualFold(key, field) || key == Dashed(field) },
		DecodeHook: mapstructure.ComposeDecodeHookFunc(
			refuseConversion, mapstructure.StringToTimeDurationHookFunc(), mapstructure.StringToWeakSliceHookFunc(","),
		),
	})
	if err != nil {
		return err
	}
	return decoder.Decode(all)
}

// errLossyConversion is the error of a value that only a conversion with loss would make one of the type.
var errLossyConversion = errors.New("of another type")

// refuseConversion refuses values that would otherwise be converted to another type: a
// fraction, a truth value or a negative number into a count, a bare number into a
// duration, a truth value into a text or a number.
func refuseConversion(from, to reflect.Value) (any, error) {
	value := from.Interface()
	switch {
	case from.Kind() == reflect.String || from.Type() == to.Type():
		return value, nil // text is parsed strictly
	case to.Type() == reflect.TypeFor[time.Duration](),
		(to.Kind() == reflect.Bool) != (from.Kind() == reflect.Bool) && to.Kind() != reflect.Interface && to.Kind() != reflect.Pointer,
		(to.CanInt() || to.CanUint()) && !isWhole(from),
		to.CanUint() && from.CanInt() && from.Int() < 0:
		return nil, errLossyConversion
	}
	return value, nil
}

func isWhole(v reflect.Value) bool {
	return v.CanInt() || v.CanUint() || v.CanFloat() && v.Float() == math.Trunc(v.Float())
}

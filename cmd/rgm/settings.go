package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/go-viper/mapstructure/v2"
	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/viper"
)

// The flags that say where settings come from; they are no settings themselves.
const (
	configFlag      = "config"
	printConfigFlag = "print-config"
)

// withSettings returns what cobra runs for a command whose settings are the
// fields of S, keyed by their mapstructure tags: the defaults of its flags, a
// file, the environment and the flags are merged before run is called.
func withSettings[S any](run func(cmd *cobra.Command, s S, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		var s S
		v, err := readSettings(cmd, keysOf(s))
		if err == nil {
			err = v.decode(&s)
		}
		if err != nil {
			return usable(err)
		}
		if printsSettings(cmd) {
			return writeSettings(cmd.OutOrStdout(), s)
		}
		return run(cmd, s, args)
	}
}

// printsSettings tells whether the command shall print its settings only.
func printsSettings(cmd *cobra.Command) bool {
	prints, err := cmd.Flags().GetBool(printConfigFlag)
	return prints && err == nil
}

// arguments checks the arguments of a command unless it prints its settings only.
func arguments(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if printsSettings(cmd) {
			return nil
		}
		return check(cmd, args)
	}
}

// values are settings by their keys, as file, environment and flags give them.
type values struct{ v *viper.Viper }

// text returns a value as text, "" where there is none.
func (m *values) text(key string) string { return m.v.GetString(key) }

// isSet tells whether file, environment or flag gave a value, or set or setDefaults.
func (m *values) isSet(key string) bool { return m.v.IsSet(key) }

// set puts a value before all others.
func (m *values) set(key string, value any) { m.v.Set(key, value) }

// setDefaults takes the fields of a struct of settings for values that nobody gave.
func (m *values) setDefaults(s any) error {
	table, err := settingsTable(s)
	for key, value := range flattened(table) {
		m.v.SetDefault(key, value)
	}
	return err
}

// decode writes the merged values into the struct that s points to.
func (m *values) decode(s any) error { return decodeSettings(m.v, s) }

// changed returns settings of which pairs key=value are changed.
func changed[S any](s S, pairs []string) (S, error) {
	m := values{viper.New()}
	if err := m.setDefaults(s); err != nil {
		return s, err
	}
	for _, pair := range pairs {
		key, value, found := strings.Cut(pair, "=")
		if !found || !slices.Contains(keysOf(s), key) {
			return s, fmt.Errorf("--set %s: want key=value, the key one of rgm train --print-config", pair)
		}
		m.set(key, value)
	}
	var result S
	return result, m.decode(&result)
}

// readSettings returns the values of keys.
func readSettings(cmd *cobra.Command, keys []string) (*values, error) {
	v := viper.New()
	path, err := cmd.Flags().GetString(configFlag)
	if err != nil {
		return nil, err
	}
	if path = cmp.Or(path, os.Getenv(environmentName(configFlag))); path != "" {
		if err := readConfigFile(v, path, keys, cmd); err != nil {
			return nil, err
		}
	}
	for _, key := range keys {
		// With AutomaticEnv instead, RGM_MODEL would hide the whole table [model].
		if err := v.BindEnv(key, environmentName(key)); err != nil {
			return nil, err
		}
		if flag := cmd.Flags().Lookup(key); flag != nil {
			if err := v.BindPFlag(key, flag); err != nil {
				return nil, err
			}
		}
	}
	return &values{v}, nil
}

// environmentName returns the variable of a key: RGM_TIME_LIMIT of time-limit,
// RGM_MODEL_HIDDEN of model.hidden.
func environmentName(key string) string {
	return "RGM_" + strings.ToUpper(strings.NewReplacer("-", "_", ".", "_").Replace(key))
}

// readConfigFile reads a file of settings and refuses keys that are not known.
func readConfigFile(v *viper.Viper, path string, keys []string, cmd *cobra.Command) error {
	if format := filepath.Ext(path); !slices.Contains([]string{".toml", ".yaml", ".yml"}, format) {
		return fmt.Errorf("--config %s: format %q: want .toml, .yaml or .yml", path, format)
	}
	v.SetConfigFile(path)
	if err := v.ReadInConfig(); err != nil {
		return fmt.Errorf("--config %s: %w", path, err)
	}
	if err := knownKeys(v.AllKeys(), keys, cmd); err != nil {
		return fmt.Errorf("--config %s: %w", path, err)
	}
	return nil
}

// knownKeys returns an error that names the keys which are not known.
func knownKeys(keys, known []string, cmd *cobra.Command) error {
	unknown := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return slices.Contains(known, key) })
	if len(unknown) == 0 {
		return nil
	}
	slices.Sort(unknown)
	return fmt.Errorf("unknown key \"%s\"; `%s --print-config` shows the known ones", strings.Join(unknown, `", "`), cmd.CommandPath())
}

// decodeSettings writes the merged values into the struct that s points to.
func decodeSettings(v *viper.Viper, s any) error {
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

// settingsTable returns a struct of settings as nested tables of what TOML can
// hold.
func settingsTable(s any) (map[string]any, error) {
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

// keysOf returns the keys of a struct of settings, those in tables as "table.key".
func keysOf(s any) []string {
	table, err := settingsTable(s)
	if err != nil {
		panic(err) // the struct is part of the program
	}
	return slices.Sorted(maps.Keys(flattened(table)))
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

// writeSettings writes settings as TOML that --config reads back.
func writeSettings(w io.Writer, s any) error {
	table, err := settingsTable(s)
	if err != nil {
		return err
	}
	return toml.NewEncoder(w).Encode(table)
}

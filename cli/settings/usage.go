package settings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rgm-go/rgm/internal/suggest"
)

// UsageError is the error of arguments that cannot be used.
type UsageError struct{ error }

func (e UsageError) Unwrap() error { return e.error }

// OneOf returns an error unless a setting has one of the allowed values.
func OneOf(setting, value string, allowed ...string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	allowed = slices.DeleteFunc(slices.Clone(allowed), func(value string) bool { return value == "" })
	return fmt.Errorf("--%s %q: want %s", setting, value, suggest.OneOf(allowed...))
}

// AtLeast returns an error if a setting is too small.
func AtLeast(least int, setting string, value int) error {
	if value >= least {
		return nil
	}
	return fmt.Errorf("--%s %d: want %d or more", setting, value, least)
}

// ErrorIf returns an error, formatted, where settings are wrong.
func ErrorIf(wrong bool, format string, args ...any) error {
	if !wrong {
		return nil
	}
	return fmt.Errorf(format, args...)
}

// Usage returns a UsageError of all errors, nil if there are none.
func Usage(errs ...error) error {
	if err := errors.Join(errs...); err != nil {
		return UsageError{err}
	}
	return nil
}

// FileFormat returns the ending of a name: svg.
func FileFormat(path string) string {
	return strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
}

// CheckOutput returns an error unless a file that a setting names has one of the
// formats and can be in its folder, which is better known before a long measurement.
func CheckOutput(setting, path string, formats ...string) error {
	if !slices.Contains(formats, FileFormat(path)) {
		return fmt.Errorf("--%s %s: want a name that ends in .%s", setting, path, strings.Join(formats, " or ."))
	}
	return CheckFolder(setting, path)
}

// CheckFolder returns an error unless there is a folder for a file that a setting names.
func CheckFolder(setting, path string) error {
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return fmt.Errorf("--%s: %w", setting, err)
	}
	return nil
}

// wanted says what the value of a flag of a type must be.
var wanted = map[string]string{
	"int":      "a whole number",
	"uint64":   "a whole number, 0 or more",
	"float64":  "a number",
	"bool":     "true or false",
	"duration": "a duration with its unit, such as 500ms, 10s or 5m",
}

// wantedOf says what a setting of a type must be, where a value of it gave an error.
func wantedOf(t reflect.Type, err error) string {
	switch {
	case t.Kind() == reflect.Pointer:
		return wantedOf(t.Elem(), err)
	case t == reflect.TypeFor[time.Duration]():
		return wanted["duration"]
	case t.Kind() == reflect.Slice:
		return "a list, as \"a,b\" or [a, b], each " + wantedOf(t.Elem(), err)
	case t.Kind() == reflect.String:
		return "text"
	case t.Kind() == reflect.Map || t.Kind() == reflect.Struct:
		return "a table"
	}
	want := wanted[t.Kind().String()]
	if strings.Contains(err.Error(), strconv.ErrRange.Error()) {
		want += "; this one is too large"
	}
	return want
}

// forceFlag lets a command replace files.
const forceFlag = "force"

// AddForceFlag adds --force.
func AddForceFlag(cmd *cobra.Command) {
	cmd.Flags().Bool(forceFlag, false, "replace files that are there")
}

// CheckNew returns an error of files that are there, unless they may be replaced.
func CheckNew(force bool, paths ...string) error {
	if force {
		return nil
	}
	for _, path := range paths {
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("%s is there: --%s replaces it", path, forceFlag)
		}
	}
	return nil
}

// Complete offers the values of a flag to shells.
func Complete(cmd *cobra.Command, flag string, values ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag is not defined
	}
}

// CompleteOrFile offers the values of a flag to shells, and files.
func CompleteOrFile(cmd *cobra.Command, flag string, values ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveDefault)); err != nil {
		panic(err) // the flag is not defined
	}
}

// FlagError returns an error of wrong flags: what a value must be, or the flag that a misspelt
// one was meant for.
func FlagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		if want := wanted[invalid.GetFlag().Value.Type()]; want != "" {
			return fmt.Errorf("--%s %q: want %s", invalid.GetFlag().Name, invalid.GetValue(), want)
		}
		return err
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	return fmt.Errorf("%w%s", err, suggest.Meant("--"+unknown.GetSpecifiedName(), known))
}

package settings

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rgm-go/rgm/internal/suggest"
)

// prefix begins the names of the variables that are settings.
const prefix = "RGM_"

// Variable returns the variable of a key: RGM_TIME_LIMIT of time-limit,
// RGM_MODEL_HIDDEN of model.hidden.
func Variable(key string) string {
	return prefix + strings.ToUpper(strings.NewReplacer("-", "_", ".", "_").Replace(key))
}

// keysAnnotation lists, with a command, those of its keys that no flag has.
const keysAnnotation = "keys"

// Announce tells the other commands of keys that a command has without a flag, so that
// their variables are no misspelt ones.
func Announce(cmd *cobra.Command, keys []string) {
	cmd.Annotations = map[string]string{keysAnnotation: strings.Join(keys, ",")}
}

// foreign are variables that are no settings: those of tests, and what Kubernetes sets for
// a service that is called rgm.
var foreign = regexp.MustCompile(`^RGM_(TEST.*|ORTLIB_TEST_.*|KILLS|(SERVICE_(HOST|PORT)|PORT)(_.*)?)$`)

// checkEnvironment returns an error of variables that no command has a setting for.
func checkEnvironment(cmd *cobra.Command, keys []string) error {
	known := map[string]bool{Variable(ConfigFlag): true}
	for _, key := range keys {
		known[Variable(key)] = true
	}
	addVariables(known, cmd.Root())
	var errs []error
	for _, assignment := range os.Environ() {
		name, value, _ := strings.Cut(assignment, "=")
		if value != "" && strings.HasPrefix(name, prefix) && !known[name] && !foreign.MatchString(name) {
			errs = append(errs, fmt.Errorf("%s is set in the environment, and no command has such a setting%s",
				name, suggest.Meant(name, slices.Sorted(maps.Keys(known)))))
		}
	}
	return errors.Join(errs...)
}

// addVariables adds the variables of a command and of those below it.
func addVariables(known map[string]bool, cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known[Variable(f.Name)] = true })
	for key := range strings.SplitSeq(cmd.Annotations[keysAnnotation], ",") {
		known[Variable(key)] = true
	}
	for _, sub := range cmd.Commands() {
		addVariables(known, sub)
	}
}

// source names where the value of a key comes from: --set, the flag, the variable, or the file.
func (m *Values) source(key string) string {
	if slices.Contains(m.sets, key) {
		return setSource(key)
	}
	if m.cmd == nil {
		return key
	}
	flag := m.cmd.Flags().Lookup(key)
	variable := os.Getenv(Variable(key)) != ""
	switch {
	case flag != nil && flag.Changed:
		return "--" + key
	case variable:
		return Variable(key)
	case m.v.InConfig(key):
		return m.file + ": " + key
	}
	return key
}

func setSource(key string) string { return "--set " + key }

// Named returns an error of use in which values are called by the variable or the file that
// they come from, not by the flag.
func (m *Values) Named(err error) error {
	var usage UsageError
	if !errors.As(err, &usage) {
		return err
	}
	text := usage.Error()
	m.cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if source := m.source(f.Name); source == Variable(f.Name) || m.inFile(f.Name, source) {
			source = strings.ReplaceAll(source, "$", "$$")
			text = regexp.MustCompile(`--`+regexp.QuoteMeta(f.Name)+`\b([^-]|$)`).ReplaceAllString(text, source+"$1")
		}
	})
	if text == usage.Error() {
		return err
	}
	return UsageError{errors.New(text)}
}

// inFile reports whether a source is the file.
func (m *Values) inFile(key, source string) bool { return m.file != "" && source == m.file+": "+key }

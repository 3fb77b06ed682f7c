// Package settings merges flags, environment and file into the settings of a command, and
// says what is wrong with them. It is the only home of viper.
package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/viper"

	"github.com/rgm-go/rgm/internal/suggest"
)

// The flags that say where settings come from; they are no settings themselves.
const (
	ConfigFlag      = "config"
	PrintConfigFlag = "print-config"
)

// Merged returns what cobra runs for a command whose settings are the
// fields of S, keyed by their mapstructure tags: the defaults of its flags, a
// file, the environment and the flags are merged before run is called.
func Merged[S any](run func(cmd *cobra.Command, s S, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		var s S
		v, err := Read(cmd, Keys(s))
		if err == nil {
			err = v.Decode(&s)
		}
		if err != nil {
			return Usage(err)
		}
		if Printed(cmd) {
			return Write(cmd.OutOrStdout(), s)
		}
		return v.Named(run(cmd, s, args))
	}
}

// Printed reports whether the command shall print its settings only.
func Printed(cmd *cobra.Command) bool {
	prints, err := cmd.Flags().GetBool(PrintConfigFlag)
	return prints && err == nil
}

// Arguments checks the arguments of a command unless it prints its settings only. Its error
// shows how the command is called.
func Arguments(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if Printed(cmd) {
			return nil
		}
		if check(cmd, args) == nil {
			return nil
		}
		got := "no argument"
		if len(args) > 0 {
			got = fmt.Sprintf("%q", args)
		}
		return fmt.Errorf("want %q, got %s; \"%s --help\" tells more", cmd.UseLine(), got, cmd.CommandPath())
	}
}

// Read returns the values of keys.
func Read(cmd *cobra.Command, keys []string) (*Values, error) {
	if err := checkEnvironment(cmd, keys); err != nil {
		return nil, err
	}
	v := viper.New()
	path, err := cmd.Flags().GetString(ConfigFlag)
	if err != nil {
		return nil, err
	}
	named := "--" + ConfigFlag
	if path == "" {
		named, path = Variable(ConfigFlag), os.Getenv(Variable(ConfigFlag))
	}
	if path != "" {
		if err := readConfigFile(v, path, keys, cmd); err != nil {
			return nil, fmt.Errorf("%s %s: %w", named, path, err)
		}
	}
	for _, key := range keys {
		// With AutomaticEnv instead, RGM_MODEL would hide the whole table [model].
		if err := v.BindEnv(key, Variable(key)); err != nil {
			return nil, err
		}
		if flag := cmd.Flags().Lookup(key); flag != nil {
			if err := v.BindPFlag(key, flag); err != nil {
				return nil, err
			}
		}
	}
	return &Values{v: v, cmd: cmd, file: path}, nil
}

// readConfigFile reads a file of settings and refuses keys that are not known.
func readConfigFile(v *viper.Viper, path string, keys []string, cmd *cobra.Command) error {
	if format := filepath.Ext(path); !slices.Contains([]string{".toml", ".yaml", ".yml"}, format) {
		return fmt.Errorf("format %q: want .toml, .yaml or .yml", format)
	}
	v.SetConfigFile(path)
	if err := v.ReadInConfig(); err != nil {
		return err
	}
	return Known(v.AllKeys(), keys, cmd)
}

// Known returns an error that names the keys which are not known.
func Known(keys, known []string, cmd *cobra.Command) error {
	unknown := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return slices.Contains(known, key) })
	if len(unknown) == 0 {
		return nil
	}
	slices.Sort(unknown)
	return fmt.Errorf("unknown key \"%s\"%s; `%s --print-config` shows the known ones",
		strings.Join(unknown, `", "`), meant(unknown[0], known), cmd.CommandPath())
}

// meant is suggest.Meant of a key, which may also lack its table: model.hidden of hidden.
func meant(key string, known []string) string {
	for _, whole := range known {
		if strings.HasSuffix(whole, "."+key) {
			return "; did you mean " + whole + "?"
		}
	}
	return suggest.Meant(key, known)
}

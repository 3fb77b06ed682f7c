package settings

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// NamePlaceholders makes the help of a command, and of those below it, show what the value
// of a flag is (--rollouts N, --method METHOD), where its text names none, in place of the
// name of a Go type.
func NamePlaceholders(root *cobra.Command) {
	cobra.AddTemplateFunc("flagUsages", flagUsages)
	root.SetUsageTemplate(strings.NewReplacer(
		".LocalFlags.FlagUsages", "flagUsages .LocalFlags", ".InheritedFlags.FlagUsages", "flagUsages .InheritedFlags",
	).Replace(root.UsageTemplate()))
}

// flagUsages describes flags, a line each.
func flagUsages(flags *pflag.FlagSet) string {
	shown := pflag.NewFlagSet("", pflag.ContinueOnError)
	shown.SortFlags = flags.SortFlags
	lead := map[string]string{} // what pflag leaves of a placeholder at the begin of a text, to that text
	flags.VisitAll(func(f *pflag.Flag) {
		name, text := pflag.UnquoteUsage(f)
		named := *f
		if name = placeholder(f, name); name != "" {
			named.Usage = "`" + name + "`" + text
			lead[name+text] = text
		}
		shown.AddFlag(&named)
	})
	all := shown.FlagUsages()
	for with, without := range lead {
		all = strings.Replace(all, with, without, 1)
	}
	return all
}

// quoted is what the text of a flag calls its value where it is a word.
var quoted = regexp.MustCompile("`[a-z]+`")

// placeholder returns what stands for the value of a flag, in place of what pflag would
// have: the word of its text, or what it is.
func placeholder(f *pflag.Flag, name string) string {
	words := strings.Split(f.Name, "-")
	switch kind := f.Value.Type(); {
	case quoted.MatchString(f.Usage):
		return strings.ToUpper(name)
	case strings.Contains(f.Usage, "`"), kind == "bool":
		return name
	case kind == "int", kind == "uint64":
		return "N"
	case kind == "float64":
		return "X"
	case kind == "duration":
		return "DURATION"
	}
	return strings.ToUpper(words[len(words)-1])
}

package settings

import (
	"regexp"
	"strings"
	"unicode/utf8"

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

// widest is the length of the lines of help, which a screen should hold.
const widest = 100

// flagUsages describes flags, each in lines of at most widest characters.
func flagUsages(flags *pflag.FlagSet) string {
	shown := pflag.NewFlagSet("", pflag.ContinueOnError)
	shown.SortFlags = flags.SortFlags
	lead := map[string]string{} // what pflag leaves of a placeholder at the begin of a text, to that text
	flags.VisitAll(func(f *pflag.Flag) {
		name, text := pflag.UnquoteUsage(f)
		described := *f
		if name = placeholder(f, name); name != "" {
			described.Usage = "`" + name + "`" + text
			lead[name+text] = text
		}
		shown.AddFlag(&described)
	})
	all := shown.FlagUsages()
	for with, without := range lead {
		all = strings.Replace(all, with, without, 1)
	}
	var wrapped strings.Builder
	for line := range strings.Lines(all) {
		wrapped.WriteString(hanging(strings.TrimRight(line, "\n")))
	}
	return wrapped.String()
}

// named is a flag and the name of its value, up to the text that describes it.
var named = regexp.MustCompile(`^ *(-\w, )?--\S+( \S+)? {2,}`)

// hanging breaks the description of a flag into lines that begin below each other.
func hanging(line string) string {
	name := named.FindString(line)
	column := utf8.RuneCountInString(name)
	lines, at := name, column
	for i, word := range strings.Split(line[len(name):], " ") {
		length := utf8.RuneCountInString(word)
		if i > 0 && at+1+length > widest {
			lines, at = lines+"\n"+strings.Repeat(" ", column), column
		} else if i > 0 {
			lines, at = lines+" ", at+1
		}
		lines, at = lines+word, at+length
	}
	return lines + "\n"
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

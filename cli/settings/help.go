package settings

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Section is a title in the help of commands, and the flags below it, in their order: names,
// "set", or names with what stands for the value, "set key=value", where a name has two meanings.
type Section struct {
	Title string
	Flags []string
}

// HelpAllFlag asks for all flags of a command, where --help shows those that most need.
const HelpAllFlag = "help-all"

// longest is how many flags the help shows in one list.
const longest = 15

// SetHelp makes the help of a command, and of those below it, show what the value of a flag is
// (--rollouts N, --method METHOD), where its text names none, in place of the name of a Go
// type; the flags of a command with many of them in sections; and of the commands of first,
// by their names, these flags alone, unless --help-all asks for all.
func SetHelp(root *cobra.Command, sections []Section, first map[string][]string) {
	cobra.AddTemplateFunc("flagUsages", func(flags *pflag.FlagSet) string { return oneList(describe(flags)) })
	cobra.AddTemplateFunc("flagSections", func(cmd *cobra.Command) string {
		if few := first[cmd.Name()]; few != nil && cmd.Parent() == cmd.Root() && !wantsAll(cmd) {
			return firstFlags(cmd, few)
		}
		return inSections(describe(cmd.LocalFlags()), sections)
	})
	cobra.AddTemplateFunc("flagsOfAll", func(cmd *cobra.Command) bool { return first[cmd.Name()] == nil || wantsAll(cmd) })
	root.SetUsageTemplate(strings.NewReplacer(
		"\nFlags:\n{{.LocalFlags.FlagUsages", "\n{{flagSections .", ".InheritedFlags.FlagUsages", "flagUsages .InheritedFlags",
		"{{if .HasAvailableInheritedFlags}}", "{{if and .HasAvailableInheritedFlags (flagsOfAll .)}}",
		"Global Flags:", "Flags of all commands:",
	).Replace(root.UsageTemplate()))
}

// wantsAll reports whether --help-all asks for all flags.
func wantsAll(cmd *cobra.Command) bool {
	all, err := cmd.Flags().GetBool(HelpAllFlag)
	return all && err == nil
}

// firstFlags returns the flags that most need, in the order of their names, each with the
// first part of its text.
func firstFlags(cmd *cobra.Command, names []string) string {
	few := pflag.NewFlagSet("", pflag.ContinueOnError)
	few.SortFlags = false
	for _, name := range names {
		short := *cmd.Flags().Lookup(name)
		short.Usage = shortened(short.Usage)
		few.AddFlag(&short)
	}
	path := cmd.CommandPath()
	return "Flags:\n" + oneList(describe(few)) + "\n" + path + " --help-all shows all flags; each can also be set in a --config file or as RGM_….\n"
}

// byDefault is what the text of a flag says of its default.
var byDefault = regexp.MustCompile(` \(default [^()]*\)`)

// shortened returns the first part of the text of a flag, and its default.
func shortened(text string) string {
	first, _, _ := strings.Cut(byDefault.ReplaceAllString(text, ""), "; ")
	return first + byDefault.FindString(text)
}

// described is the line of the help about a flag, which may be broken into several.
type described struct{ name, value, text string }

// is reports whether an entry of a section stands for a flag.
func (d described) is(entry string) bool { return entry == d.name || entry == d.name+d.value }

func oneList(flags []described) string {
	var list strings.Builder
	for _, f := range flags {
		list.WriteString(f.text)
	}
	return list.String()
}

// inSections returns the flags below titles, if they are many; those of no section come last.
func inSections(flags []described, sections []Section) string {
	if len(flags) <= longest {
		return "Flags:\n" + oneList(flags)
	}
	var help strings.Builder
	for _, s := range sections {
		var of []described
		for _, entry := range s.Flags {
			if i := slices.IndexFunc(flags, func(f described) bool { return f.is(entry) }); i >= 0 {
				of, flags = append(of, flags[i]), slices.Delete(flags, i, i+1)
			}
		}
		if len(of) > 0 {
			help.WriteString(s.Title + ":\n" + oneList(of) + "\n")
		}
	}
	return help.String() + "Other flags:\n" + oneList(flags)
}

// widest is the length of the lines of help, which a screen should hold.
const widest = 100

// describe describes flags, each in lines of at most widest characters.
func describe(flags *pflag.FlagSet) []described {
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
	var list []described
	for line := range strings.Lines(all) {
		flag := named.FindStringSubmatch(line)
		list = append(list, described{flag[2], flag[3], hanging(strings.TrimRight(line, "\n"))})
	}
	return list
}

// named is a flag and the name of its value, up to the text that describes it.
var named = regexp.MustCompile(`^ *(-\w, )?--(\S+)( \S+)? {2,}`)

// Wrapped breaks a text of a help into lines.
func Wrapped(text string) string { return strings.TrimSuffix(hanging(text), "\n") }

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

package clitest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/testdata"
)

// DocsPages are the pages whose commands people paste into a shell.
func DocsPages(t *testing.T) []string {
	t.Helper()
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/tutorials/*.md", "models/pretrained/*.md", "lab/research/pretrained/*.md", "lab/notes/*.md"} {
		found := must.Get(filepath.Glob(filepath.Join(testdata.Repository(t), pattern)))(t)
		pages = append(pages, found...)
	}
	if pages = slices.DeleteFunc(pages, func(page string) bool { return filepath.Base(page) == "CHANGELOG.md" }); len(pages) < 20 {
		t.Fatalf("only %v", pages)
	}
	return pages
}

// commandLine is a line that begins with a program, perhaps after variables.
var commandLine = regexp.MustCompile(`^([A-Z_]+=\S+ )*(sudo )?(rgm|rgm-lab|go|curl|bash|npm|node|nats|nats-server|tensorboard|scripts/\S+)( |$)`)

// commandsOf returns the lines of a page's blocks, fenced as shell or as nothing, or
// indented, that are commands; of comments at their ends nothing.
func commandsOf(page string) (lines []string) {
	fence, shell, continued := false, false, ""
	for line := range strings.Lines(page) {
		line = strings.TrimRight(line, "\n")
		if language, isFence := strings.CutPrefix(line, "```"); isFence {
			fence, shell = !fence, language == "" || language == "sh"
			continue
		}
		indented, isIndented := strings.CutPrefix(line, "    ")
		switch {
		case fence && !shell || !fence && !isIndented:
			continue
		case !fence:
			line = indented
		}
		line, continued = continued+line, ""
		if before, goesOn := strings.CutSuffix(line, "\\"); goesOn {
			continued = before
			continue
		}
		if commandLine.MatchString(line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// shellCommands splits a line into its commands and their words, as a shell does, and leaves
// out what stands after #.
func shellCommands(line string) (commands [][]string) {
	var words []string
	var word strings.Builder
	inWord, quote := false, rune(0)
	endWord := func() {
		if inWord {
			words = append(words, word.String())
		}
		word.Reset()
		inWord = false
	}
	endCommand := func() {
		if endWord(); len(words) > 0 {
			commands = append(commands, words)
		}
		words = nil
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			inWord, quote = true, r
		case r == '#' && !inWord:
			endCommand()
			return commands
		case r == ' ':
			endWord()
		case strings.ContainsRune("&|;()", r):
			endCommand()
		default:
			inWord = true
			word.WriteRune(r)
		}
	}
	endCommand()
	return commands
}

// wrongWords returns what of a line cannot be pasted: ellipses, choices in brackets, and flags
// and commands that the program does not have.
func wrongWords(root *cobra.Command, line string) (wrong []string) {
	for _, words := range shellCommands(line) {
		for len(words) > 1 && strings.Contains(words[0], "=") { // variables
			words = words[1:]
		}
		for _, word := range words {
			dots := words[0] != "go" && strings.Contains(word, "...") // go test ./...
			bracket := strings.HasPrefix(word, "[") || strings.HasSuffix(word, "]") && !strings.Contains(word, "[")
			if dots || bracket || strings.Contains(word, "…") {
				wrong = append(wrong, word)
			}
		}
		if len(words) > 2 && slices.Equal(words[:3], []string{"go", "run", "./cmd/" + root.Name()}) {
			words = words[2:]
		} else if words[0] != root.Name() {
			continue
		}
		cmd, rest, err := root.Find(words[1:])
		if err != nil || cmd == root && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
			wrong = append(wrong, strings.Join(words[:2], " "))
		} else {
			wrong = append(wrong, unknownFlags(cmd, rest)...)
		}
	}
	return wrong
}

// unknownFlags returns the flags among words that a command does not have.
func unknownFlags(cmd *cobra.Command, words []string) (unknown []string) {
	cmd.InitDefaultHelpFlag()
	for _, word := range words {
		name, _, _ := strings.Cut(word, "=")
		long, isLong := strings.CutPrefix(name, "--")
		switch {
		case isLong && cmd.Flags().Lookup(long) == nil && cmd.InheritedFlags().Lookup(long) == nil:
			unknown = append(unknown, name)
		case !isLong && len(word) == 2 && word[0] == '-' && cmd.Flags().ShorthandLookup(word[1:]) == nil:
			unknown = append(unknown, word)
		}
	}
	return unknown
}

// CommandsInDocs holds that every command on a page can be pasted into a shell: without an ellipsis,
// with flags that there are, and with a word on how the program comes to be a command.
func CommandsInDocs(t *testing.T, newRoot NewRoot) {
	root := newRoot(console.New(os.Stderr))
	for _, page := range DocsPages(t) {
		text := must.Get(os.ReadFile(page))(t)
		// The page that rgm-lab report writes names what made it.
		installed := regexp.MustCompile(`go (-C lab )?install `).Match(text) && strings.Contains(string(text), "./cmd/"+root.Name()) || strings.Contains(string(text), "Made by `rgm-lab report")
		for _, line := range commandsOf(string(text)) {
			if wrong := wrongWords(root, line); len(wrong) > 0 {
				t.Errorf("%s: %q cannot be pasted: %q", page, line, wrong)
			}
			if strings.HasPrefix(line, root.Name()+" ") && !installed {
				t.Errorf("%s: %q, but nothing says that go install ./cmd/%s makes it a command", page, line, root.Name())
				installed = true // once
			}
		}
		for _, span := range regexp.MustCompile("`("+root.Name()+" [^`…]+)`").FindAllStringSubmatch(string(text), -1) {
			words := strings.Fields(strings.Trim(span[1], "[]")) // a synopsis may have brackets
			if cmd, rest, err := root.Find(words[1:]); err == nil && cmd != root {
				if unknown := unknownFlags(cmd, rest); len(unknown) > 0 {
					t.Errorf("%s: %q: %q", page, span[1], unknown)
				}
			}
		}
	}
}

// CommandsInExamples holds that every command that does something shows how, with flags that there are.
func CommandsInExamples(t *testing.T, newRoot NewRoot) {
	root := newRoot(console.New(os.Stderr))
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		if cmd.Example == "" && !cmd.HasSubCommands() && !cmd.Hidden && cmd.Name() != "version" {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
		for line := range strings.Lines(cmd.Example) {
			if wrong := wrongWords(root, strings.TrimSpace(line)); len(wrong) > 0 {
				t.Errorf("%s: %q cannot be pasted: %q", cmd.CommandPath(), line, wrong)
			}
		}
		for _, sub := range cmd.Commands() {
			check(sub)
		}
	}
	check(root)
}

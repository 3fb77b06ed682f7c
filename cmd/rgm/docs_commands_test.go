package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cmd/rgm/internal/console"
)

// docsPages are the pages whose commands people paste into a shell.
func docsPages(t *testing.T) []string {
	t.Helper()
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/tutorials/*.md", "models/pretrained/*.md"} {
		found, err := filepath.Glob("../../" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	if pages = slices.DeleteFunc(pages, func(page string) bool { return filepath.Base(page) == "CHANGELOG.md" }); len(pages) < 20 {
		t.Fatalf("only %v", pages)
	}
	return pages
}

// slug is what GitHub makes of a heading for links to it.
func slug(heading string) string {
	heading = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(heading, "$1")
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(heading))
}

// TestLinks: every link within the repository leads to a file that is there and, where it names
// a heading, to one that the page has.
func TestLinks(t *testing.T) {
	fenced := regexp.MustCompile("(?ms)^```.*?^```")
	heading := regexp.MustCompile(`(?m)^#+ (.*)$`)
	read := func(page string) string {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		return fenced.ReplaceAllString(string(text), "")
	}
	for _, page := range append(docsPages(t), "../../CHANGELOG.md", "../../datasets/qaplib/README.md") {
		for _, link := range regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllStringSubmatch(read(page), -1) {
			path, anchor, _ := strings.Cut(link[1], "#")
			if strings.Contains(path, "://") {
				continue
			}
			target := page
			if path != "" {
				target = filepath.Join(filepath.Dir(page), path)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %s leads nowhere", page, link[1])
				continue
			}
			leads := func(h []string) bool { return slug(h[1]) == anchor }
			if anchor != "" && !slices.ContainsFunc(heading.FindAllStringSubmatch(read(target), -1), leads) {
				t.Errorf("%s: %s: no such heading", page, link[1])
			}
		}
	}
}

// commandLine is a line that begins with a program, perhaps after variables.
var commandLine = regexp.MustCompile(`^([A-Z_]+=\S+ )*(sudo )?(rgm|go|curl|bash|npm|node|nats|nats-server|tensorboard|scripts/\S+)( |$)`)

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
// and commands that rgm does not have.
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
		if len(words) > 2 && slices.Equal(words[:3], []string{"go", "run", "./cmd/rgm"}) {
			words = words[2:]
		} else if words[0] != "rgm" {
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

// TestCommandsInDocs: every command on a page can be pasted into a shell: without an ellipsis,
// with flags that there are, and with a word on how rgm comes to be a command.
func TestCommandsInDocs(t *testing.T) {
	root := newRoot(console.New(os.Stderr))
	for _, page := range docsPages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		// The page that rgm report writes names what made it.
		installed := strings.Contains(string(text), "go install ./cmd/rgm") || strings.Contains(string(text), "Made by `rgm report")
		for _, line := range commandsOf(string(text)) {
			if wrong := wrongWords(root, line); len(wrong) > 0 {
				t.Errorf("%s: %q cannot be pasted: %q", page, line, wrong)
			}
			if strings.HasPrefix(line, "rgm ") && !installed {
				t.Errorf("%s: %q, but nothing says that go install ./cmd/rgm makes rgm a command", page, line)
				installed = true // once
			}
		}
		for _, span := range regexp.MustCompile("`(rgm [^`…]+)`").FindAllStringSubmatch(string(text), -1) {
			words := strings.Fields(strings.Trim(span[1], "[]")) // a synopsis may have brackets
			if cmd, rest, err := root.Find(words[1:]); err == nil && cmd != root {
				if unknown := unknownFlags(cmd, rest); len(unknown) > 0 {
					t.Errorf("%s: %q: %q", page, span[1], unknown)
				}
			}
		}
	}
}

// TestCommandsInExamples: every command that does something shows how, with flags that there are.
func TestCommandsInExamples(t *testing.T) {
	root := newRoot(console.New(os.Stderr))
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		if cmd.Example == "" && !cmd.HasSubCommands() && cmd.Name() != "version" {
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

// TestWrongWords: what cannot be pasted is found.
func TestWrongWords(t *testing.T) {
	root := newRoot(console.New(os.Stderr))
	for line, wrong := range map[string]bool{
		"rgm solve --time-limit 1s nug12 # or …":                          false,
		"go run ./cmd/rgm solve nug12 && rgm version":                     false,
		"RGM_SEED=3 rgm solve --seed=1 tai27e0[12].dat":                   false,
		"go test ./... -run 'A|B'":                                        false,
		"rgm solve … nug12":                                               true,
		"rgm solve --no-such-flag nug12":                                  true,
		"rgm match -x a b":                                                true,
		"rgm frobnicate":                                                  true,
		"rgm bench matching --set synthetic [--inliers 10]":               true,
		"curl http://127.0.0.1:8080/v1/jobs/... -d @request.json":         true,
		"rgm version | rgm bench qaplib --rollouts 2 --not-a-flag > x":    true,
		"rgm bench matching --methods sm --scatter scores.png,scores.csv": false,
	} {
		if found := wrongWords(root, line); (len(found) > 0) != wrong {
			t.Errorf("%q: found %q", line, found)
		}
	}
}

package main

import (
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/rgm-go/rgm/internal/version"
)

// manuals returns the manual pages of a program's verbs, made from what its help says, and the
// completions of four shells.
func (b *build) manuals(program string) ([]file, error) {
	help := func(verb ...string) (string, error) {
		text, err := exec.Command(program, append(verb, "--help-all")...).Output()
		return string(text), err
	}
	pages := [][]string{nil}
	var files []file
	for len(pages) > 0 {
		verb := pages[0]
		pages = pages[1:]
		text, err := help(verb...)
		if err != nil {
			return nil, fmt.Errorf("help of %v: %w", verb, err)
		}
		for _, below := range verbsOf(text) {
			if below != "help" && below != "completion" {
				pages = append(pages, append(verb[:len(verb):len(verb)], below))
			}
		}
		name := strings.Join(append([]string{"rgm"}, verb...), "-")
		files = append(files, file{"man/man1/" + name + ".1", []byte(manual(name, text, b.time)), 0o644})
	}
	for shell, name := range map[string]string{"bash": "rgm.bash", "zsh": "_rgm", "fish": "rgm.fish", "powershell": "rgm.ps1"} {
		text, err := exec.Command(program, "completion", shell).Output()
		if err != nil {
			return nil, fmt.Errorf("completion of %s: %w", shell, err)
		}
		files = append(files, file{"completions/" + name, text, 0o644})
	}
	return files, nil
}

// title is a line of a help that begins a part of it.
var title = regexp.MustCompile(`^[A-Z][^ ].*:$`)

// verbsOf returns the verbs that a help lists: their lines stand in parts without flags, below the
// usage, which names that there are some.
func verbsOf(help string) []string {
	_, help, _ = strings.Cut(help, "\nUsage:\n")
	usage, _, _ := strings.Cut(help, "\n\n")
	if !strings.HasSuffix(usage, " [command]") {
		return nil
	}
	var verbs []string
	part := ""
	for line := range strings.Lines(help) {
		line = strings.TrimRight(line, "\n")
		fields := strings.Fields(line)
		switch {
		case title.MatchString(line):
			part = line
		case part == "" || part == "Examples:" || len(fields) < 2 || strings.HasPrefix(fields[0], "-"):
		case strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "   "):
			verbs = append(verbs, fields[0])
		}
	}
	return verbs
}

// manual returns a page of section 1 for troff.
func manual(name, help string, date time.Time) string {
	var b strings.Builder
	about, rest, _ := strings.Cut(help, "\nUsage:\n")
	about = strings.TrimSpace(about)
	short := strings.Join(strings.Fields(about), " ")
	if k := strings.IndexAny(short, ".:,"); k > 0 {
		short = short[:k]
	}
	fmt.Fprintf(&b, ".TH %s 1 %s \"rgm %s\" \"rgm\"\n.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n", strings.ToUpper(escaped(name)), date.UTC().Format(time.DateOnly), version.Number, escaped(name), escaped(short))
	for paragraph := range strings.SplitSeq(about, "\n\n") {
		fmt.Fprintf(&b, "%s\n.PP\n", escaped(paragraph))
	}
	fmt.Fprint(&b, ".SH SYNOPSIS\n.nf\n")
	for line := range strings.Lines(rest) {
		line = strings.TrimRight(line, "\n")
		if title.MatchString(line) {
			fmt.Fprintf(&b, ".fi\n.SH %s\n.nf\n", strings.ToUpper(escaped(strings.TrimSuffix(line, ":"))))
			continue
		}
		fmt.Fprintln(&b, escaped(line))
	}
	fmt.Fprint(&b, ".fi\n")
	return b.String()
}

// escaped returns text that troff prints as it is.
func escaped(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for k, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[k] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

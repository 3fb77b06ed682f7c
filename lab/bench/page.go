package bench

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/internal/atomicfile"
)

// The page of benchmarks for users, and the file of everything that it shows, in the repository's root.
const (
	PageFile = "docs/BENCHMARKS.md"
	PageData = "docs/benchmarks.json"
)

// PageStudy is a table of the page, as measured.
type PageStudy struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Date    string `json:"date"`
	Machine string `json:"machine"`

	Commands []string  `json:"commands,omitempty"`
	Rows     []PageRow `json:"rows"`
}

// PageRow is a number of a table.
type PageRow struct {
	Row    string   `json:"row"`
	Column string   `json:"column"`
	Mean   float64  `json:"mean"`
	Error  *float64 `json:"error,omitempty"` // nil where there is one value, or none was published
	Digits int      `json:"digits"`          // behind the point
}

// Text is the number as the page has it.
func (r PageRow) Text() string {
	text := strconv.FormatFloat(r.Mean, 'f', r.Digits, 64)
	if r.Error != nil {
		text += " ± " + strconv.FormatFloat(*r.Error, 'f', r.Digits, 64)
	}
	return text
}

// PageStudies are the studies that are measured, by their names.
type PageStudies map[string]PageStudy

// ReadPageStudies reads the file of everything that is measured, in the folder root.
func ReadPageStudies(root string) (PageStudies, error) {
	text, err := os.ReadFile(filepath.Join(root, PageData))
	if errors.Is(err, fs.ErrNotExist) {
		return PageStudies{}, nil
	}
	studies := PageStudies{}
	if err == nil {
		err = json.Unmarshal(text, &studies)
	}
	return studies, err
}

// Page measures studies of the page.
type Page struct {
	Root, Data, Keep string   // the repository; published pairs; what commands printed, for a run that goes on
	Studies          []string // nil for all
	Program          PageStudy
	Run              func(ctx context.Context, args []string, out io.Writer) error
	Tell             func(command string)
}

// PageStudyNames returns the names of all studies.
func PageStudyNames() []string {
	var names []string
	for _, p := range pagePlans {
		names = append(names, p.name)
	}
	return names
}

// Measure runs the commands of the studies, and writes the file after each study.
func (p *Page) Measure(ctx context.Context) error {
	studies, err := ReadPageStudies(p.Root)
	if err != nil {
		return err
	}
	for _, plan := range pagePlans {
		if p.Studies != nil && !slices.Contains(p.Studies, plan.name) {
			continue
		}
		study, err := p.study(ctx, plan)
		if err != nil {
			return fmt.Errorf("%s: %w", plan.name, err)
		}
		studies[plan.name] = study
		text, err := json.MarshalIndent(studies, "", " ")
		if err != nil {
			return err
		}
		if err := atomicfile.Write(filepath.Join(p.Root, PageData), atomicfile.Bytes(append(text, '\n'))); err != nil {
			return err
		}
	}
	return nil
}

// study measures a table.
func (p *Page) study(ctx context.Context, plan pagePlan) (PageStudy, error) {
	study := p.Program
	for k, command := range plan.commands {
		kept, err := p.output(ctx, fmt.Sprintf("%s-%d", plan.name, k), command)
		if err != nil {
			return study, err
		}
		study.Version, study.Commit, study.Date, study.Machine = kept.Version, kept.Commit, kept.Date, kept.Machine
		study.Commands = append(study.Commands, command)
		rows, err := plan.reduce(command, kept.Output)
		if err != nil {
			return study, err
		}
		study.Rows = append(study.Rows, rows...)
	}
	study.Rows = append(study.Rows, plan.published...)
	return study, nil
}

// pageOutput is what a command printed, and of which program.
type pageOutput struct {
	PageStudy
	Command string `json:"command"`
	Output  []byte `json:"output"`
}

// output runs a command, unless what it printed is kept.
func (p *Page) output(ctx context.Context, name, command string) (kept pageOutput, err error) {
	path := filepath.Join(p.Keep, name+".json")
	if text, err := os.ReadFile(path); err == nil {
		if err := json.Unmarshal(text, &kept); err != nil {
			return kept, fmt.Errorf("%s: %w", path, err)
		}
		if kept.Command == command {
			return kept, nil
		}
	}
	p.Tell(command)
	kept = pageOutput{PageStudy: p.Program, Command: command}
	var out bytes.Buffer
	args := pageWords(command)
	for k := range args {
		args[k] = strings.ReplaceAll(args[k], "DATA", p.Data)
		if rest, ok := strings.CutPrefix(args[k], "WORK"); ok {
			args[k] = p.Keep + rest
		}
	}
	if args[0] == "bench" {
		args = append(args, "--format", "json")
	}
	if err := p.Run(ctx, args, &out); err != nil {
		return kept, err
	}
	kept.Output = out.Bytes()
	text, err := json.Marshal(kept)
	if err != nil {
		return kept, err
	}
	return kept, errors.Join(os.MkdirAll(p.Keep, 0o777), atomicfile.Write(path, atomicfile.Bytes(text)))
}

// pageWords splits a command at spaces outside of double quotes, without the program's name.
func pageWords(command string) []string {
	var words []string
	quoted := false
	for _, part := range strings.FieldsFunc(command, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	}) {
		words = append(words, strings.ReplaceAll(part, `"`, ""))
	}
	return words[1:]
}

// RenderPage returns the page with the tables of the studies in the place of those that it has: between a comment
// <!-- bench: NAME --> and the next <!-- end -->.
func RenderPage(page string, studies PageStudies) (string, error) {
	var out strings.Builder
	seen := map[string]bool{}
	for {
		before, after, found := strings.Cut(page, "<!-- bench: ")
		out.WriteString(before)
		if !found {
			break
		}
		name, rest, ok := strings.Cut(after, " -->")
		_, rest, ended := strings.Cut(rest, "<!-- end -->")
		plan := slices.IndexFunc(pagePlans, func(p pagePlan) bool { return p.name == name })
		study, measured := studies[name]
		if !ok || !ended || plan < 0 || !measured {
			return "", fmt.Errorf("%s: the table %.40q is of no study that is measured, or has no end", PageFile, name)
		}
		seen[name] = true
		fmt.Fprintf(&out, "<!-- bench: %s -->\n%s\n    rgm-lab bench page --studies %[1]s\n\n<!-- end -->", name, study.table(pagePlans[plan].about))
		page = rest
	}
	for name := range studies {
		if !seen[name] {
			return "", fmt.Errorf("%s: has no table of the study %s", PageFile, name)
		}
	}
	return out.String(), nil
}

// table writes the numbers, and below them what measured them.
func (s *PageStudy) table(about string) string {
	var rows, columns []string
	cells := map[[2]string]string{}
	for _, r := range s.Rows {
		if !slices.Contains(rows, r.Row) {
			rows = append(rows, r.Row)
		}
		if !slices.Contains(columns, r.Column) {
			columns = append(columns, r.Column)
		}
		cells[[2]string{r.Row, r.Column}] = r.Text()
	}
	var out strings.Builder
	fmt.Fprintf(&out, "|%s|%s|\n|---|%s\n", about, strings.Join(columns, "|"), strings.Repeat("--:|", len(columns)))
	for _, row := range rows {
		fmt.Fprintf(&out, "|%s|", row)
		for _, column := range columns {
			fmt.Fprintf(&out, "%s|", cmp.Or(cells[[2]string{row, column}], "–"))
		}
		out.WriteByte('\n')
	}
	fmt.Fprintf(&out, "\nVersion %s, %.8s, %s, %s.\n", s.Version, s.Commit, s.Date, s.Machine)
	return out.String()
}

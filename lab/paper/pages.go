package paper

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/lab/bench"
)

// The files of a report.
const (
	HTMLFile     = "report.html"
	MarkdownFile = "report.md"
	picturesOf   = "pictures" // of MarkdownFile
)

// report is what the pages show.
type report struct {
	title, about string
	kind         string // quick or full
	parts        []view
}

// view is a part as the pages show it.
type view struct {
	ID, Title, About string
	State            string // "" if all of it is there
	Blocks           []Block
	Left             []left // what was not run
	Made             []made
}

// left is commands that were not run, and why.
type left struct {
	Why      string
	Commands []string
}

// made is a command, and what says who ran it and when.
type made struct{ Command, By string }

// report gathers what the pages show of the results that are there.
func (s *state) report() (*report, error) {
	all := s.known
	results, err := s.options.results(all)
	if err != nil {
		return nil, err
	}
	kind := "quick"
	if s.options.Full {
		kind = "full"
	}
	r := &report{
		title: "The paper's tables and figures, measured",
		kind:  kind,
		about: "Made by `rgm-lab report --" + kind + "`. Rows named paper are what Liu, Jiang, Wang, Huang, Lu and Yan print (ICLR 2023, arXiv:2012.08950), those of pygmtools what that library reaches by the same protocol; " +
			"all others were measured by the commands under each part, DIR being the folder of this report and DATA that of the data. ± is the standard error over pairs, or the standard deviation over seeds or trainings. " +
			"Times are of the wall clock, those of pairs of graphs of the processor, on a machine that other programs may have used too." +
			" What stands beside the paper is computed from the tables above it; \"pair by pair\" are differences of the same pairs, with their standard error; in tables of trainings the errors of these come on top; elsewhere the errors of two means are taken as independent.",
	}
	if !s.options.Full {
		r.about += " A quick report has few pairs and trainings of seconds: it shows that every part works, not how good anything is."
	}
	quick, err := s.options.results(s.quick)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		k := slices.IndexFunc(s.quick, func(q Part) bool { return q.ID == p.ID && q.measured(quick) })
		switch {
		case k >= 0 && !p.measured(results):
			short := s.view(s.quick[k], quick)
			short.About = "By the commands of a quick report, with few pairs and trainings of seconds, since those of a full one were not run. " + short.About
			short.markQuick()
			r.parts = append(r.parts, short)
		case s.chosen(p) || p.measured(results):
			r.parts = append(r.parts, s.view(p, results))
		}
	}
	return r, nil
}

// chosen reports whether a part is to be made.
func (s *state) chosen(p Part) bool {
	return slices.ContainsFunc(s.parts, func(c Part) bool { return c.ID == p.ID })
}

// measured reports whether there is a result of a part, of an earlier run with other --parts, say,
// beside what it shares with others: pairs and trainings.
func (p Part) measured(results Results) bool {
	return slices.ContainsFunc(p.Units, func(u Unit) bool {
		return results[u.Name] != nil && slices.Contains([]string{"bench", "plot"}, u.Args[0])
	})
}

// view returns what the pages show of a part.
func (s *state) view(p Part, results Results) view {
	v := view{ID: p.ID, Title: p.Title, About: p.About, Blocks: p.Show(results)}
	if says := p.beside(v.Blocks); says != "" {
		v.Blocks = append(v.Blocks, text("%s", says))
	}
	for _, u := range p.Units {
		if r := results[u.Name]; r != nil {
			v.Made = append(v.Made, made{r.Command, r.by()})
			continue
		}
		why := cmp.Or(s.failed[u.Name], s.options.absent(u), "not yet")
		k := slices.IndexFunc(v.Left, func(l left) bool { return l.Why == why })
		if k < 0 {
			k, v.Left = len(v.Left), append(v.Left, left{Why: why})
		}
		v.Left[k].Commands = append(v.Left[k].Commands, u.Command())
	}
	switch {
	case len(v.Left) > 0 && len(v.Made) > 0:
		v.State = "in part"
	case len(v.Left) > 0:
		v.State = "not run"
	}
	return v
}

// markQuick marks the rows that were measured.
func (v *view) markQuick() {
	for _, b := range v.Blocks {
		if b.Table == nil || b.Table.Printed {
			continue
		}
		for k, row := range b.Table.Rows {
			if !isPrinted(row[0]) {
				b.Table.Rows[k] = append([]string{row[0] + ", quick"}, row[1:]...)
			}
		}
	}
}

// by says who made a result, and when.
func (r *Result) by() string {
	p := r.Program
	program := p.Version
	if p.Commit != "" {
		program = "commit " + p.Commit[:min(12, len(p.Commit))]
		if p.Changed {
			program += " with changes"
		}
	}
	return fmt.Sprintf("%s, %s, %s, %s, %.0f s (%.0f of processor time)", program, p.Go, p.System, r.Began.Format("2006-01-02 15:04 MST"), r.Seconds, r.CPU)
}

// writePages writes both pages and the pictures of Markdown.
func (s *state) writePages() error {
	r, err := s.report()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(s.options.Dir, picturesOf), 0o777); err != nil {
		return err
	}
	for _, v := range r.parts {
		for _, b := range v.Blocks {
			if p := b.Picture; p != nil {
				err := atomicfile.Write(filepath.Join(s.options.Dir, picturesOf, p.Name+".svg"), func(w io.Writer) error { _, err := io.WriteString(w, p.SVG); return err })
				if err != nil {
					return err
				}
			}
		}
	}
	if err := atomicfile.Write(filepath.Join(s.options.Dir, MarkdownFile), r.writeMarkdown); err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(s.options.Dir, HTMLFile), r.writeHTML)
}

// writeMarkdown writes the report as Markdown.
func (r *report) writeMarkdown(out io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "# %s\n\n%s\n", r.title, r.about)
	for _, v := range r.parts {
		fmt.Fprintf(&text, "\n## %s\n", v.Title)
		if v.About != "" {
			fmt.Fprintf(&text, "%s\n", v.About)
		}
		for _, b := range v.Blocks {
			switch {
			case b.Text != "":
				fmt.Fprintf(&text, "\n%s\n", b.Text)
			case b.Picture != nil:
				fmt.Fprintf(&text, "\n![%s](%s/%s.svg)\n", b.Picture.Alt, picturesOf, b.Picture.Name)
			case b.Table != nil && len(b.Table.Rows) > 0:
				if b.Table.Caption != "" {
					fmt.Fprintf(&text, "\n%s:\n", b.Table.Caption)
				}
				text.WriteString("\n")
				if err := bench.WriteMarkdown(&text, b.Table.Header, b.Table.Rows); err != nil {
					return err
				}
			}
		}
		for _, left := range v.Left {
			fmt.Fprintf(&text, "\nNot run (%s):\n\n", left.Why)
			for _, command := range left.Commands {
				fmt.Fprintf(&text, "    %s\n", command)
			}
		}
		writeCommands(&text, v.Made)
		if len(v.Made) > 0 {
			fmt.Fprintf(&text, "\nAgain, in a new folder: `rgm-lab report --%s --data DATA --parts %s DIR`.\n", r.kind, v.ID)
		}
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// writeCommands writes the commands of a part, and who ran them on which day: once where it is the same for
// several.
func writeCommands(text *strings.Builder, all []made) {
	if len(all) == 0 {
		return
	}
	text.WriteString("\n")
	for _, m := range all {
		fmt.Fprintf(text, "    %s\n", m.Command)
	}
	var by []string
	for _, m := range all {
		parts := strings.Split(m.By, ", ")
		day, _, _ := strings.Cut(parts[len(parts)-2], " ")
		if one := strings.Join(append(parts[:len(parts)-2:len(parts)-2], day), ", "); !slices.Contains(by, one) {
			by = append(by, one)
		}
	}
	fmt.Fprintf(text, "\nBy %s.\n", strings.Join(by, "; "))
}

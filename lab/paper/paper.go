// Package paper reproduces the tables and figures of the paper: each is a part, a part needs a
// few units, and a unit is one command line of this program. Report runs the units whose results
// are not there yet, keeps the result of each as a file, and writes one page of all parts.
//
// It knows no command line itself: whoever calls it says how a command is run. So a number of
// the page is what the command under it prints, and a new method or table is a line of
// parts.toml, which holds the parts.
//
// Source: Liu, Jiang, Wang, Huang, Lu, Yan, "Revocable Deep Reinforcement Learning with Affinity
// Regularization for Outlier-Robust Graph Matching", ICLR 2023, arXiv:2012.08950.
package paper

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Part is a table or figure of the paper.
type Part struct {
	ID    string // of --parts, and of the place on the page
	Title string
	About string // what was measured, and how it differs from the paper's
	Units []Unit
	// Show returns what the page has of the results that are there.
	Show func(Results) []Block

	// What is said under its tables beside the paper, by what was measured.
	Claims  []claim
	Control control // of trainings
	Low     bool    // less is better
	Apart   string  // what is not comparable, and why
}

// Unit is one command of this program.
type Unit struct {
	Name string // of the file with the result; one command has one name
	// Args is the command line; {dir} stands for the folder of the report, {data} for that of
	// the data.
	Args  []string
	Needs string // folder of the data without which it cannot run; "" for none
	// Folder is where a training keeps its checkpoint, below the report's: one that is there is
	// resumed. Verb are the words of the command that resumes it.
	Folder, Checkpoint string
	Verb               []string
	// Files are written by the command, below the report's folder, and kept with the result.
	Files []string
	// Save is a file, below the report's folder, that gets what the command prints.
	Save string
}

// Options say what to run.
type Options struct {
	Dir  string   // of the report
	Data string   // folder of the data that are not part of the repository; "" for none
	Full bool     // hours in place of minutes
	Only []string // IDs of parts; empty for all
	// PagesOnly runs nothing, and writes the pages of the results that are there.
	PagesOnly bool
}

// Parts returns the parts in the paper's order.
func Parts(full bool) []Part { return scale{full: full}.parts() }

func (s scale) parts() (parts []Part) {
	for k := range read().Part {
		parts = append(parts, s.part(&read().Part[k]))
	}
	return parts
}

// Help lists the parts, a line each.
func Help() string {
	var text strings.Builder
	for _, p := range read().Part {
		fmt.Fprintf(&text, "  %-15s %s\n", p.ID, p.Title)
	}
	return text.String()
}

// IDs returns the names of the parts.
func IDs() []string {
	var ids []string
	for _, p := range read().Part {
		ids = append(ids, p.ID)
	}
	return ids
}

// scale chooses between the numbers of a quick and a full report.
type scale struct {
	full bool
}

// seeds returns how many trainings a row has.
func (s scale) seeds() int {
	if s.full {
		return 4
	}
	return 1
}

// Check returns an error of options that name what is not there.
func (o *Options) Check() error {
	for _, id := range o.Only {
		if !slices.Contains(IDs(), id) {
			return fmt.Errorf("--parts %q: want some of %s", id, strings.Join(IDs(), ", "))
		}
	}
	if _, err := os.Stat(filepath.Join(o.Dir, unitsFolder)); o.PagesOnly && err != nil {
		return fmt.Errorf("--pages: there is no report in %s", o.Dir)
	}
	if o.Data == "" {
		return nil
	}
	if info, err := os.Stat(o.Data); err != nil || !info.IsDir() {
		return fmt.Errorf("--data %s: want a folder", o.Data)
	}
	return nil
}

func (o *Options) scale() scale { return scale{full: o.Full} }

// chosen returns the parts that the options name.
func (o *Options) chosen() []Part {
	return slices.DeleteFunc(o.scale().parts(), func(p Part) bool { return len(o.Only) > 0 && !slices.Contains(o.Only, p.ID) })
}

// absent says why a unit cannot run; "" if it can.
func (o *Options) absent(u Unit) string {
	if u.Needs == "" {
		return ""
	}
	if o.Data == "" {
		return "needs --data, a folder with " + u.Needs
	}
	if _, err := os.Stat(filepath.Join(o.Data, u.Needs)); err != nil {
		return "needs " + u.Needs + " in the folder of --data"
	}
	return ""
}

// arguments returns the command line of a unit, or that which resumes its training.
func (o *Options) arguments(u Unit) []string {
	args := u.Args
	if u.Checkpoint != "" { // a study resumes its own
		if _, err := os.Stat(filepath.Join(o.Dir, u.Folder, u.Checkpoint)); err == nil {
			args = append(slices.Clone(u.Verb), "--resume", "{dir}/"+u.Folder)
		}
	}
	filled := make([]string, len(args))
	for k, arg := range args {
		filled[k] = strings.NewReplacer("{dir}", o.Dir, "{data}", o.Data).Replace(arg)
	}
	return filled
}

// Command writes the command line as a user would type it.
func (u Unit) Command() string {
	text := "rgm-lab"
	for _, arg := range u.Args {
		if arg = strings.NewReplacer("{dir}", "DIR", "{data}", "DATA").Replace(arg); strings.ContainsAny(arg, " '*") {
			arg = `"` + arg + `"`
		}
		text += " " + arg
	}
	if u.Save != "" {
		text += " > DIR/" + u.Save
	}
	return text
}

// words splits a command line at its blanks; ~ stands for a blank within a word.
func words(line string) []string {
	args := strings.Fields(line)
	for k := range args {
		args[k] = strings.ReplaceAll(args[k], "~", " ")
	}
	return args
}

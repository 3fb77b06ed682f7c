package inputs

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/lists"
	"github.com/rgm-go/rgm/qap"
)

// formatDAT is QAPLIB's format, whose files say all of themselves: their size, that costs
// are minimised, and that all nodes are matched.
const formatDAT = "dat"

// orderRow is the default of --order.
const orderRow = "row"

// Format returns the format of what an argument stands for.
func Format(in qaplib.Input) string {
	if in.Embedded {
		return formatDAT
	}
	return settings.FileFormat(in.Path)
}

// FormatsOf returns the formats of inputs.
func FormatsOf(all []Input) []string {
	return lists.Of(all, func(in Input) string { return in.format })
}

// Open is Expand for a command that only reads, which refuses settings that change nothing in
// any of the files.
func (r *Reader) Open(args []string) ([]Input, error) {
	all, _, err := r.Expand(args)
	if err != nil {
		return nil, err
	}
	return all, settings.Usage(r.Reading.CheckEffect(FormatsOf(all)))
}

// CheckEffect returns an error of settings that change nothing in any file of these
// formats.
func (s *Settings) CheckEffect(formats []string) error {
	var given []string
	if s.N1 != 0 {
		given = append(given, fmt.Sprintf("--n1 %d", s.N1))
	}
	if s.N2 != 0 {
		given = append(given, fmt.Sprintf("--n2 %d", s.N2))
	}
	if s.Order != orderRow {
		given = append(given, "--order "+s.Order)
	}
	if s.Sense != qap.Maximize.String() {
		given = append(given, "--sense "+s.Sense)
	}
	if s.Member != "" {
		given = append(given, "--member "+s.Member)
	}
	if s.Topology != "" {
		given = append(given, "--topology "+s.Topology)
	}
	return CheckQAPLIB(formats, given...)
}

// CheckQAPLIB returns an error if all files are QAPLIB's and flags are given that have no
// effect on those.
func CheckQAPLIB(formats []string, given ...string) error {
	if len(formats) == 0 || slices.ContainsFunc(formats, func(f string) bool { return f != formatDAT }) {
		return nil
	}
	return errors.Join(lists.Of(given, func(flag string) error {
		return fmt.Errorf("%s has no effect on instances of QAPLIB, whose graphs have one size, whose costs are minimised and whose nodes are all matched", flag)
	})...)
}

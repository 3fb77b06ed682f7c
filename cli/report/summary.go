package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/statistics"
)

// classSummary sums up the answers of one class of QAPLIB.
type classSummary struct {
	class     string
	instances int
	reached   int       // that are as good as the best known
	gaps      []float64 // of those for which a gap is defined
	seconds   float64
}

func (s *classSummary) add(a Answer) {
	s.instances++
	s.seconds += a.Seconds
	if a.Objective <= *a.BestKnown {
		s.reached++
	}
	if a.GapPercent != nil {
		s.gaps = append(s.gaps, *a.GapPercent)
	}
}

// summaries returns the classes of the answers that have a best known value, in
// alphabetic order.
func summaries(answers []Answer) []classSummary {
	var all []classSummary
	for _, a := range answers {
		if a.BestKnown == nil {
			continue
		}
		class := qaplib.Class(a.Instance)
		k := slices.IndexFunc(all, func(s classSummary) bool { return s.class == class })
		if k < 0 {
			k = len(all)
			all = append(all, classSummary{class: class})
		}
		all[k].add(a)
	}
	slices.SortFunc(all, func(x, y classSummary) int { return strings.Compare(x.class, y.class) })
	return all
}

// writeSummary prints a table of the classes, where one of them has several
// instances; otherwise it would repeat what stands above it. Below stands the mean
// of the classes, the paper's measure.
func writeSummary(out io.Writer, answers []Answer) error {
	classes := summaries(answers)
	if !slices.ContainsFunc(classes, func(s classSummary) bool { return s.instances > 1 }) {
		return nil
	}
	total := classSummary{class: "all classes"}
	var means []float64
	var rows [][]string
	for _, s := range classes {
		rows = append(rows, s.cells(s.gaps))
		if len(s.gaps) > 0 {
			means = append(means, statistics.Mean(s.gaps))
		}
		total.instances += s.instances
		total.reached += s.reached
		total.gaps = append(total.gaps, s.gaps...)
		total.seconds += s.seconds
	}
	if len(classes) > 1 {
		rows = append(rows, total.cells(means))
	}
	if _, err := fmt.Fprintln(out); err != nil {
		return err
	}
	header := []string{"class", "instances", "mean gap %", "min", "max", "at best known", "seconds"}
	return WriteTable(out, header, rows)
}

// cells shows a summary; its mean is that of averaged.
func (s *classSummary) cells(averaged []float64) []string {
	average, least, most := "", "", ""
	if len(s.gaps) > 0 {
		average = fmt.Sprintf("%.3f", statistics.Mean(averaged))
		least, most = fmt.Sprintf("%.3f", slices.Min(s.gaps)), fmt.Sprintf("%.3f", slices.Max(s.gaps))
	}
	return []string{
		s.class, strconv.Itoa(s.instances), average, least, most, strconv.Itoa(s.reached), fmt.Sprintf("%.3f", s.seconds),
	}
}

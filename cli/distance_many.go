package cli

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/service"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/verbs"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/costs"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/distances"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/qap"
)

func (s *distanceSettings) options() distances.Options {
	return distances.Options{
		TimeLimit: s.Search.TimeLimit, MaxSteps: s.Search.MaxSteps, Seed: s.Search.Seed, Within: s.Search.Within, Threads: s.Workers,
	}
}

func collect(model costs.Model, all []graphs.Graph) (*costs.Collection, error) {
	places := make([]*graphs.Graph, len(all))
	for k := range all {
		places[k] = &all[k]
	}
	return model.Collect(places...)
}

// pairRow is a pair of a collection, as it is printed.
type pairRow struct {
	First    string  `json:"first"`
	Second   string  `json:"second"`
	Distance float64 `json:"distance"`
	Lower    float64 `json:"lower_bound"`
	Status   string  `json:"status"`
}

func (r *pairRow) cells() []string {
	return []string{r.First, r.Second, report.ExactText(r.Distance), report.ExactText(r.Lower), r.Status}
}

var pairHeader = []string{"first", "second", "distance", "lower_bound", "status"}

// writePairs prints rows as they come, but for a table, whose columns are as wide as all of them need.
func writePairs(out io.Writer, format string, rows iter.Seq[pairRow]) error {
	var cells [][]string
	w := bufio.NewWriter(out)
	lines := csv.NewWriter(w)
	if format == report.CSV {
		lines.Write(pairHeader) // an error comes again at the next Flush
	}
	for r := range rows {
		var err error
		switch format {
		case report.JSON:
			err = report.WriteJSON(w, r)
		case report.CSV:
			err = lines.Write(r.cells())
		default:
			cells = append(cells, r.cells())
		}
		if err != nil {
			return err
		}
	}
	if format == report.Table {
		return report.WriteTable(out, pairHeader, cells)
	}
	lines.Flush()
	return errors.Join(lines.Error(), w.Flush())
}

// nearest prints the graphs of a collection that are nearest to one of a file.
func (s *distanceSettings) nearest(cmd *cobra.Command, c *console.Console, model costs.Model, a, folder string) error {
	g, err := graphs.Open(a)
	if err != nil {
		return err
	}
	all, err := graphs.OpenCollection(folder)
	if err != nil {
		return err
	}
	collection, err := collect(model, append(all, g))
	if err != nil {
		return err
	}
	found, err := distances.Nearest(cmd.Context(), collection, len(all), s.Nearest, s.options())
	if err != nil {
		return err
	}
	var rows []pairRow
	for _, p := range found.Pairs {
		rows = append(rows, pairRow{g.Name, all[p.J].Name, p.Cost, p.Lower, string(p.Status)})
	}
	certified := "certified: no other graph is nearer"
	if !found.Certified {
		certified = "not certified: a limit ended searches"
	}
	c.Log.Info(certified, "graphs", len(all), "searched", found.Searched)
	if err := writePairs(cmd.OutOrStdout(), s.Format, slices.Values(rows)); err != nil {
		return err
	}
	if cmd.Context().Err() != nil {
		return verbs.ErrCutShort
	}
	return nil
}

// matrix holds what is known of all pairs, by their numbers.
type matrix struct {
	names  []string
	known  []bool
	proved []bool
	cost   []float32
	lower  []float32
	count  int
}

func newMatrix(all []graphs.Graph) *matrix {
	m := &matrix{}
	for k := range all {
		m.names = append(m.names, all[k].Name)
	}
	pairs := distances.Pairs(len(all))
	m.known, m.proved, m.cost, m.lower = make([]bool, pairs), make([]bool, pairs), make([]float32, pairs), make([]float32, pairs)
	return m
}

func (m *matrix) add(p distances.Pair) {
	k := distances.Number(p.I, p.J)
	if k >= len(m.known) || m.known[k] {
		return
	}
	m.known[k], m.proved[k], m.cost[k], m.lower[k] = true, p.Proved(), float32(p.Cost), float32(p.Lower)
	m.count++
}

func (m *matrix) row(k int) pairRow {
	i, j := distances.Place(k)
	status := qap.TimeLimit
	if m.proved[k] {
		status = qap.Optimal
	}
	return pairRow{m.names[j], m.names[i], decimal(m.cost[k]), decimal(m.lower[k]), string(status)}
}

// decimal returns the shortest decimal number that a float32 stands for.
func decimal(x float32) float64 {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'g', -1, 32), 64)
	return v
}

// mostCollection bounds the graphs of --all: a pair takes ten bytes.
const mostCollection = 20_000

// all measures all pairs of a collection.
func (s *distanceSettings) all(cmd *cobra.Command, c *console.Console, open service.QueueOpener, model costs.Model, folder string) (err error) {
	if err := checkQueue(s.NATS, open); err != nil {
		return err
	}
	all, err := graphs.OpenCollection(folder)
	if err != nil {
		return err
	}
	if len(all) > mostCollection {
		return fmt.Errorf("%s holds %d graphs: want at most %d for all pairs", folder, len(all), mostCollection)
	}
	collection, err := collect(model, all)
	if err != nil {
		return err
	}
	m := newMatrix(all)
	report := func(pairs []distances.Pair) error {
		for _, p := range pairs {
			m.add(p)
		}
		return nil
	}
	var record *distances.Record
	if s.Out != "" {
		path := s.Out + ".part"
		if _, exists := os.Stat(path); exists == nil && !s.Resume {
			return settings.Usage(fmt.Errorf("%s is there, of a run that was ended: want --resume to go on, or remove it", path))
		}
		if record, err = distances.OpenRecord(path, s.digest(model, all), m.add); err != nil {
			return err
		}
		defer func() {
			if closed := record.Close(); err == nil {
				err = errors.Join(closed, os.Remove(path))
			}
		}()
		remember := report
		report = func(pairs []distances.Pair) error { return errors.Join(record.Add(pairs), remember(pairs)) }
	}
	began, before := time.Now(), m.count
	bar := c.StartBar(int64(len(m.known)), "measuring", console.WithRate("pairs")...)
	remember := report
	report = func(pairs []distances.Pair) error {
		err := remember(pairs)
		bar.Set(int64(m.count))
		return err
	}
	known := func(k int) bool { return m.known[k] }
	if s.NATS != "" {
		err = s.allByQueue(cmd.Context(), c, open, collection, known, report)
	} else {
		err = distances.All(cmd.Context(), collection, known, s.options(), report)
	}
	c.EndBar()
	if errors.Is(err, context.Canceled) && cmd.Context().Err() != nil {
		c.Log.Warn("ended before all pairs were measured", "pairs", m.count, "of", len(m.known))
		return verbs.ErrCutShort
	}
	if err != nil {
		return err
	}
	m.log(c, time.Since(began), m.count-before)
	return s.writeMatrix(cmd.OutOrStdout(), m)
}

// digest tells runs apart that would not find the same.
func (s *distanceSettings) digest(model costs.Model, all []graphs.Graph) string {
	h := sha256.New()
	within := "" // none
	if s.Search.Within != nil {
		within = fmt.Sprint(*s.Search.Within)
	}
	fmt.Fprintln(h, s.Search.TimeLimit, s.Search.MaxSteps, s.Search.Seed, within, fmt.Sprintf("%+v", model))
	encoder := json.NewEncoder(h)
	for k := range all {
		g := &all[k]
		_ = encoder.Encode([]any{g.Name, g.Nodes, g.Directed, g.Edges, g.Points, g.Features, g.Words(), g.EdgeWords})
		fmt.Fprintln(h, g.Weights, g.EdgeNumbers)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// log says how much is proved, and how far the bounds are.
func (m *matrix) log(c *console.Console, took time.Duration, pairs int) {
	proved, interval := 0, 0.0
	for k, is := range m.proved {
		if is {
			proved++
		}
		interval += float64(m.cost[k] - m.lower[k])
	}
	count := max(len(m.known), 1)
	c.Log.Info("all pairs are measured", "graphs", len(m.names), "pairs", len(m.known), "proved", fmt.Sprintf("%.2f%%", 100*float64(proved)/float64(count)),
		"mean_interval", fmt.Sprintf("%.4g", interval/float64(count)), "pairs_a_second", int(float64(pairs)/max(took.Seconds(), 1e-9)))
}

func (s *distanceSettings) writeMatrix(out io.Writer, m *matrix) error {
	switch {
	case settings.FileFormat(s.Out) == "npy":
		lower := strings.TrimSuffix(s.Out, ".npy") + ".lower.npy"
		return errors.Join(m.writeArray(s.Out, m.cost), m.writeArray(lower, m.lower))
	case s.Out != "":
		return atomicfile.Write(s.Out, func(w io.Writer) error { return m.write(w, report.CSV) })
	}
	return m.write(out, s.Format)
}

func (m *matrix) write(out io.Writer, format string) error {
	return writePairs(out, format, func(yield func(pairRow) bool) {
		for k := 0; k < len(m.known) && yield(m.row(k)); k++ {
		}
	})
}

// writeArray writes a square matrix, whose diagonal is 0.
func (m *matrix) writeArray(path string, values []float32) error {
	n := len(m.names)
	return atomicfile.Write(path, func(w io.Writer) error {
		return datasets.WriteSquare(w, n, func(i, j int) float32 {
			switch {
			case i > j:
				return values[distances.Number(i, j)]
			case i < j:
				return values[distances.Number(j, i)]
			}
			return 0
		})
	})
}

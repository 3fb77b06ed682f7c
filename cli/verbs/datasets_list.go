package verbs

import (
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/lists"
)

// listSettings are the settings of rgm datasets list.
type listSettings struct {
	Format string `mapstructure:"format"`
}

func newList() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the embedded instances of QAPLIB",
		Example: `  rgm datasets list
  rgm datasets list --format csv > qaplib.csv`,
		Args: settings.Arguments(cobra.NoArgs),
		RunE: settings.Merged(func(cmd *cobra.Command, s listSettings, _ []string) error {
			if err := settings.Usage(settings.OneOf("format", s.Format, report.Table, report.JSON, report.CSV)); err != nil {
				return err
			}
			entries, err := catalogue()
			if err != nil {
				return err
			}
			return printCatalogue(cmd.OutOrStdout(), s.Format, entries)
		}),
	}
	cmd.Flags().String("format", report.Table, "table, json (one object a line) or csv")
	settings.Complete(cmd, "format", report.Table, report.JSON, report.CSV)
	return cmd
}

// catalogueEntry is a line of rgm datasets list.
type catalogueEntry struct {
	Name      string  `json:"name"`
	N         int     `json:"n"`
	Class     string  `json:"class"`
	BestKnown float64 `json:"best_known"`
	Optimal   bool    `json:"optimal"`
}

// catalogue describes the embedded instances.
func catalogue() ([]catalogueEntry, error) {
	var entries []catalogueEntry
	for _, name := range qaplib.Names() {
		in, err := qaplib.Open(name)
		if err != nil {
			return nil, err
		}
		n, _ := in.Size()
		best, _ := qaplib.BestKnown(name)
		entries = append(entries, catalogueEntry{name, n, qaplib.Class(name), best.Value, best.Optimal})
	}
	return entries, nil
}

func printCatalogue(out io.Writer, format string, entries []catalogueEntry) error {
	if format == report.JSON {
		return report.WriteJSON(out, entries...)
	}
	header := []string{"name", "n", "class", "best_known", "optimal"}
	rows := lists.Of(entries, func(e catalogueEntry) []string {
		return []string{e.Name, strconv.Itoa(e.N), e.Class, report.ExactText(e.BestKnown), strconv.FormatBool(e.Optimal)}
	})
	if format == report.CSV {
		return report.WriteCSV(out, header, rows)
	}
	return report.WriteTable(out, header, rows)
}

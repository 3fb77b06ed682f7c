package inputs

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/suggest"
)

// manifestFile says, beside files of instances, how each of them is read and searched: CSV
// with a column file and columns called like flags, a row a file. An empty cell leaves it
// to the flag.
const manifestFile = "manifest.csv"

const fileColumn = "file"

// The columns that say how a file is read, and how its instances are searched.
var (
	readingColumns = []string{"n1", "n2", "order", "sense", "complete", "member"}
	searchColumns  = []string{"inliers", "regularize", "fix", "target", "initial", "seed", "time-limit", "max-steps", "patience"}
)

// manifestRow is what a manifest says of a file, as pairs key=value.
type manifestRow struct {
	place           string // for errors: the manifest and its line
	reading, search []string
}

// manifests are those of folders, each read once.
type manifests map[string]map[string]manifestRow

// row returns what the manifest beside a file says of it.
func (m manifests) row(path string) (manifestRow, error) {
	folder, name := filepath.Split(path)
	if _, known := m[folder]; !known {
		rows, err := readManifest(folder)
		if err != nil {
			return manifestRow{}, err
		}
		m[folder] = rows
	}
	return m[folder][name], nil
}

// readManifest reads the manifest of a folder, no rows where there is none.
func readManifest(folder string) (map[string]manifestRow, error) {
	path := filepath.Join(folder, manifestFile)
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(lines) == 0 || lines[0][0] != fileColumn {
		return nil, fmt.Errorf("%s: want %s as the first column", path, fileColumn)
	}
	columns := slices.Concat([]string{fileColumn}, readingColumns, searchColumns)
	for _, column := range lines[0] {
		if !slices.Contains(columns, column) {
			return nil, fmt.Errorf("%s: unknown column %q%s: want some of %s", path, column, suggest.Meant(column, columns), strings.Join(columns, ", "))
		}
	}
	rows := map[string]manifestRow{}
	for k, line := range lines[1:] {
		row := newManifestRow(folder, lines[0], line)
		row.place = fmt.Sprintf("%s:%d", path, k+2)
		if _, twice := rows[line[0]]; twice {
			return nil, fmt.Errorf("%s: %s has a row before", row.place, line[0])
		}
		if info, err := os.Stat(filepath.Join(folder, line[0])); err != nil || info.IsDir() || filepath.Base(line[0]) != line[0] {
			return nil, fmt.Errorf("%s: there is no file %s beside the manifest", row.place, line[0])
		}
		rows[line[0]] = row
	}
	return rows, nil
}

// newManifestRow returns a row; files that it names are beside the manifest.
func newManifestRow(folder string, columns, cells []string) manifestRow {
	var row manifestRow
	for k, column := range columns[1:] {
		value := cells[k+1]
		switch {
		case value == "":
			continue
		case column == "initial" && !filepath.IsAbs(value):
			value = filepath.Join(folder, value)
		}
		if pair := column + "=" + value; slices.Contains(readingColumns, column) {
			row.reading = append(row.reading, pair)
		} else {
			row.search = append(row.search, pair)
		}
	}
	return row
}

// withRow returns the input of a file, read as its row of a manifest says.
func (r *Reader) withRow(in Input, file qaplib.Input, rows manifests) (Input, error) {
	row, err := rows.row(file.Path)
	if err != nil || row.place == "" {
		return in, err
	}
	reading, err := settings.Changed(r.Reading, row.reading)
	if err != nil {
		return in, fmt.Errorf("%s: %w", row.place, err)
	}
	o, err := reading.Options(r.Console)
	if err == nil && r.SearchOf != nil && len(row.search) > 0 {
		in.search, err = r.SearchOf(row.search)
	}
	if err != nil {
		return in, fmt.Errorf("%s: %w", row.place, err)
	}
	in.Instances = file.Instances(o)
	return in, nil
}

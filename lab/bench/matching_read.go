package bench

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// ReadMatching returns the rows that rgm-lab bench matching printed into a file as JSON.
func ReadMatching(path string) ([]MatchingRow, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var rows []MatchingRow
	for line := range strings.Lines(string(text)) {
		var row MatchingRow
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			return nil, fmt.Errorf("%s, line %d, is not what rgm-lab bench matching prints as json: %w", path, len(rows)+1, err)
		}
		if row.Method == "" || len(row.Classes) == 0 && row.Average.F1 == nil {
			return nil, fmt.Errorf("%s, line %d, has no method or no classes: want what rgm-lab bench matching prints as json", path, len(rows)+1)
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil, errors.New(path + " has no rows")
	}
	return rows, nil
}

// Measured reports whether the row is no one else's.
func (r MatchingRow) Measured() bool { return r.Source == sourceMeasured }

// ClassNames returns the names of the row's classes, sorted; numbers by their values.
func (r MatchingRow) ClassNames() []string {
	return slices.SortedFunc(maps.Keys(r.Classes), func(x, y string) int {
		a, errA := strconv.Atoi(x)
		b, errB := strconv.Atoi(y)
		if errA != nil || errB != nil {
			return strings.Compare(x, y)
		}
		return cmp.Compare(a, b)
	})
}

// Seconds returns the mean time that a pair of a class took; false where that is not known.
func (r MatchingRow) Seconds(class string) (mean float64, ok bool) {
	s := r.Classes[class]
	if s.Seconds == nil {
		return 0, false
	}
	return *s.Seconds, true
}

// F1 returns the mean F1 of a class in percent and its standard error, 0 where that is not
// known; false where there is none.
func (r MatchingRow) F1(class string) (mean, standardError float64, ok bool) {
	s := r.Classes[class]
	if s.F1 == nil {
		return 0, 0, false
	}
	if s.F1Error != nil {
		standardError = *s.F1Error
	}
	return *s.F1, standardError, true
}

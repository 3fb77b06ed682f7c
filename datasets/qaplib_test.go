package datasets

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// fromQAPLIB returns an instance of QAPLIB from its file.
func fromQAPLIB(tb testing.TB, name string) *qap.Instance {
	tb.Helper()
	for in, err := range Open("qaplib/"+name+".dat", Options{}) {
		return must.Get(in, err)(tb)
	}
	return nil
}

// bestOf returns the best known matching, as the table has it.
func bestOf(tb testing.TB, name string) (m qap.Matching) {
	tb.Helper()
	for line := range strings.Lines(string(must.Get(os.ReadFile("qaplib/best_known.csv"))(tb))) {
		if of, rest, _ := strings.Cut(line, ","); of == name {
			for _, word := range strings.Fields(rest[strings.LastIndex(rest, ",")+1:]) {
				m = append(m, must.Get(strconv.Atoi(word))(tb))
			}
		}
	}
	return m
}

// namesOfQAPLIB returns those of the folder.
func namesOfQAPLIB(tb testing.TB) (names []string) {
	tb.Helper()
	for _, path := range must.Get(filepath.Glob("qaplib/*.dat"))(tb) {
		names = append(names, instanceName(path))
	}
	return names
}

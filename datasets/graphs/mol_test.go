package graphs

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// molText is glycine as a zwitterion, by lines M CHG, and one by codes of its atoms.
const molText = `glycine
  drawn

  5  4  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 N   0  0  0  0  0  0  0  0  0  0  0  0
    1.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
    2.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
    2.5000    1.0000    0.0000 O   0  7  0  0  0  0  0  0  0  0  0  0
    2.5000   -1.0000    0.0000 O   0  5  0  0  0  0  0  0  0  0  0  0
  1  2  1  0  0  0  0
  2  3  1  0  0  0  0
  4  3  2  0  0  0  0
  3  5  1  0  0  0  0
M  CHG  2   1   1   5  -1
M  END
> <NAME>
M  CHG  1   9   1

$$$$
`

const acetate = `

comment
  2  1  0  0  0  0            999 V2000
    0.0000    0.0000    0.0000 O   0  5
    0.0000    0.0000    0.0000 Na  0  3
  1  2  1
`

func TestMol(t *testing.T) {
	g := must.Get(ReadMol(strings.NewReader(strings.ReplaceAll(molText, "\n", "\r\n"))))(t)
	if g.Name != "glycine" || !slices.Equal(ValuesOf(g.NodeWords, "symbol"), []string{"N", "C", "C", "O", "O"}) ||
		!slices.Equal(ValuesOf(g.NodeWords, "charge"), []string{"1", "0", "0", "0", "-1"}) ||
		!slices.Equal(g.Edges, []Edge{{0, 1}, {1, 2}, {2, 3}, {2, 4}}) || !slices.Equal(ValuesOf(g.EdgeWords, "bond"), []string{"1", "1", "2", "1"}) {
		t.Errorf("%+v", g)
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "two.sdf")
	if err := os.WriteFile(path, []byte(molText+acetate+"$$$$\n\n\n\n\n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	all := must.Get(OpenCollection(path))(t)
	if len(all) != 2 || all[0].Name != "glycine" || all[1].Name != "1" || !slices.Equal(ValuesOf(all[1].NodeWords, "charge"), []string{"-1", "1"}) {
		t.Errorf("%+v", all)
	}
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "a second molecule") {
		t.Error(err)
	}
}

func TestBadMol(t *testing.T) {
	for change, want := range map[string]string{
		"V2000|V3000":                    "line 4: a molecule of the version V3000",
		"  5  4  0|  x  4  0":            "line 4",
		"  5  4  0|  0  0  0":            "line 4",
		"  5  4  0|  5999  0":            "line 14",
		"  5  4  0|999  4  0":            "line 10",
		" N   0| N   0  x":               "line 5",
		" N   0|":                        "line 5",
		"  1  2  1|  1  6  1":            "line 10",
		"  1  2  1|  1  1  1":            "line 10",
		"  1  2  1|  1  2 11":            "line 10",
		"CHG  2   1|CHG  2   9":          "line 14",
		"CHG  2   1   1|CHG  2   1   x":  "line 14",
		molText + "|":                    "no molecule",
		molText + "|glycine\n":           "line 1: the file ends before the numbers",
		molText + "|" + molText[:300]:    "ends before all of its atoms",
		molText[len(molText)-300:] + "|": "ends before all of its",
	} {
		before, after, _ := strings.Cut(change, "|")
		if strings.HasPrefix(want, "line") && !strings.Contains(want, ":") {
			want += ":"
		}
		if _, err := ReadMol(strings.NewReader(strings.Replace(molText, before, after, 1))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", change, err, want)
		}
	}
}

func FuzzMol(f *testing.F) {
	fuzzFormat(f, ".mol", func(text string) (Graph, error) {
		g, err := ReadMol(strings.NewReader(text))
		m := molecules{in: bufio.NewReader(strings.NewReader(text))}
		count := 0
		for {
			h, more := m.next()
			if count == 0 && err == nil && (more != nil || h.Nodes != g.Nodes) {
				return g, fmt.Errorf("the first of a collection: %v", more)
			}
			if more != nil {
				if more == io.EOF && count != 1 && err == nil {
					return g, fmt.Errorf("%d molecules in one", count)
				}
				return g, err
			}
			count++
		}
	}, molText, acetate)
}

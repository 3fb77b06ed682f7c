package datasets

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/qap"
)

func parseSolution(content string) (Solution, error) {
	r := strings.NewReader(content)
	return readSolution(source{file: "x.sln", name: "x", r: r, size: r.Size()})
}

// solutionText writes a permutation as some file might.
func solutionText(value float64, permutation []int, shift int, separator string) string {
	words := make([]string, len(permutation))
	for i, a := range permutation {
		words[i] = fmt.Sprint(a + shift)
	}
	return fmt.Sprintf("%d %v\n%s\n", len(permutation), value, strings.Join(words, separator))
}

func TestSolutionConventionIsFoundFromTheCost(t *testing.T) {
	in := fromQAPLIB(t, "tho30")
	best := bestOf(t, "tho30")
	inverse := make([]int, len(best))
	for i, a := range best {
		inverse[a] = i
	}
	for name, text := range map[string]string{
		"1-based":              solutionText(149936, best, 1, " "),
		"0-based":              solutionText(149936, best, 0, " "),
		"inverse":              solutionText(149936, inverse, 1, " "),
		"inverse, 0-based":     solutionText(149936, inverse, 0, " \n"),
		"separated by commas":  solutionText(149936, best, 1, ","),
		"commas and line ends": solutionText(149936, best, 1, ",\r\n"),
	} {
		solution, err := parseSolution(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		m, err := solution.Matching(in)
		if err != nil || !slices.Equal(m, best) {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
}

func TestSolutionOfAnotherCostIsRefusedWithBothCosts(t *testing.T) {
	in := fromQAPLIB(t, "kra32")
	best := bestOf(t, "kra32")
	solution, err := parseSolution(solutionText(88900, best, 1, " ")) // as QAPLIB's file states
	if err != nil {
		t.Fatal(err)
	}
	_, err = solution.Matching(in)
	want := "datasets: x.sln: states 88900, but its permutation costs 88700 and the inverse one 141220 on kra32: correct the file's cost"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	in = fromQAPLIB(t, "nug12")
	if _, err := solution.Matching(in); err == nil || !strings.Contains(err.Error(), "32 entries, want 12") {
		t.Errorf("error %v for an instance of another size", err)
	}
	if _, err := (Solution{}).Matching(in); err == nil {
		t.Error("the zero Solution has a matching")
	}
}

func TestMalformedSolutions(t *testing.T) {
	for text, want := range map[string]string{
		"":               "datasets: x.sln: the file is empty: want the number of nodes first",
		"3":              `datasets: x.sln:1: the cost is "": want a finite number`,
		"3 ten\n1 2 3":   `datasets: x.sln:1: the cost is "ten": want a finite number`,
		"3 10\n1 2":      "datasets: x.sln:2: want a permutation of 3 numbers, have 2",
		"3 10\n1 2 2":    "datasets: x.sln:2: 2 comes twice in the permutation",
		"3 10\n1 2 4":    `datasets: x.sln:2: "4" in the permutation: want a whole number 0..3`,
		"3 10\n0 2 3":    "datasets: x.sln:2: the permutation holds both 0 and 3: want 0..2 or 1..3",
		"3 10\n1 2 3\n4": `datasets: x.sln:3: "4" follows after the last number: want the end of the file`,
		"99999 10\n1":    `datasets: x.sln:1: the number of nodes is "99999": want 1..32768`,
	} {
		if _, err := parseSolution(text); err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
}

func TestSolutionRoundTrip(t *testing.T) {
	for _, name := range []string{"nug12", "tai10b", "bur26a", "esc16f"} {
		in := fromQAPLIB(t, name)
		best := bestOf(t, name)
		value := in.Objective(in.Score(best))
		var b bytes.Buffer
		if err := WriteSolution(&b, value, best); err != nil {
			t.Fatal(err)
		}
		solution, err := parseSolution(b.String())
		if err != nil || solution.Value != value {
			t.Fatalf("%s: %v, %v", name, solution, err)
		}
		if m, err := solution.Matching(in); err != nil || !slices.Equal(m, best) {
			t.Errorf("%s: wrote %v, read %v, %v", name, best, m, err)
		}
	}
}

func TestWriteSolutionWantsAPermutation(t *testing.T) {
	for _, m := range []qap.Matching{qap.NewMatching(3), {0, 0, 1}, {0, 1, 3}} {
		if err := WriteSolution(&bytes.Buffer{}, 1, m); err == nil || !strings.Contains(err.Error(), "holds a permutation") {
			t.Errorf("%v: error %v", m, err)
		}
	}
}

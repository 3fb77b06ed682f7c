package datasets

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/rgm-go/rgm/qap"
)

// Solution is what a QAPLIB solution file states. Files differ in how they
// write the permutation: counted from 1 or from 0, and as the map from facilities
// to places or as its inverse. Matching finds out.
type Solution struct {
	Value       float64 // stated cost
	Permutation []int   // as the file writes it
	file        string
}

// ReadSolution reads a QAPLIB solution file (.sln): n, a cost, and a permutation
// of 1..n or of 0..n−1.
func ReadSolution(path string) (Solution, error) {
	s, file, err := openSource(path)
	if err != nil {
		return Solution{}, err
	}
	defer file.Close()
	return readSolution(s)
}

func readSolution(s source) (Solution, error) {
	w := newWords(s.text())
	w.commas = true
	n, err := readNodes(s, w)
	if err != nil {
		return Solution{}, err
	}
	solution := Solution{file: s.file}
	word, err := w.next()
	if err != nil && err != io.EOF {
		return Solution{}, s.errorf(w.line, "%w", err)
	}
	var ok bool
	if solution.Value, ok = parseFinite(word); !ok {
		return Solution{}, s.errorf(w.line, "the cost is %.20q: want a finite number", word)
	}
	if solution.Permutation, err = readPermutation(s, w, n); err != nil {
		return Solution{}, err
	}
	return solution, expectEnd(s, w)
}

// readPermutation reads n numbers, all different, that are 0..n−1 or 1..n.
func readPermutation(s source, w *words, n int) ([]int, error) {
	var permutation []int
	seen := make(map[int]bool)
	for len(permutation) < n {
		word, err := w.next()
		if err == io.EOF {
			return nil, s.errorf(w.line, "want a permutation of %d numbers, have %d", n, len(permutation))
		}
		if err != nil {
			return nil, s.errorf(w.line, "%w", err)
		}
		v, err := strconv.Atoi(word)
		if err != nil || v < 0 || v > n {
			return nil, s.errorf(w.line, "%.20q in the permutation: want a whole number 0..%d", word, n)
		}
		if seen[v] {
			return nil, s.errorf(w.line, "%d comes twice in the permutation", v)
		}
		seen[v] = true
		permutation = append(permutation, v)
	}
	if seen[0] && seen[n] {
		return nil, s.errorf(w.line, "the permutation holds both 0 and %d: want 0..%d or 1..%d", n, n-1, n)
	}
	return permutation, nil
}

// Matching returns the permutation as a matching of the instance: whichever of
// the map and its inverse costs what the file states. An error tells both costs
// if neither does.
func (s Solution) Matching(in *qap.Instance) (qap.Matching, error) {
	first := 1
	if slices.Contains(s.Permutation, 0) {
		first = 0
	}
	plain := make(qap.Matching, len(s.Permutation))
	for i, a := range s.Permutation {
		plain[i] = a - first
	}
	if err := checkPermutation(in, plain); err != nil {
		return nil, fmt.Errorf("datasets: %s: not a solution of %s: %w", s.file, in.Name, err)
	}
	if cost := in.Objective(in.Score(plain)); s.states(cost) {
		return plain, nil
	}
	inverse := make(qap.Matching, len(plain))
	for i, a := range plain {
		inverse[a] = i
	}
	if s.states(in.Objective(in.Score(inverse))) {
		return inverse, nil
	}
	return nil, fmt.Errorf("datasets: %s: states %v, but its permutation costs %v and the inverse one %v on %s: correct the file's cost",
		s.file, s.Value, in.Objective(in.Score(plain)), in.Objective(in.Score(inverse)), in.Name)
}

// states reports whether a recomputed cost is the stated one, but for the rounding
// of sums of real numbers.
func (s Solution) states(cost float64) bool {
	const rounding = 1e-9
	return math.Abs(cost-s.Value) <= rounding*math.Abs(s.Value)
}

// checkPermutation returns an error unless m matches every node of both graphs.
func checkPermutation(in *qap.Instance, m qap.Matching) error {
	if err := in.CheckMatching(m); err != nil {
		return err
	}
	if n1, n2 := in.Size(); n1 != n2 || m.Size() != n1 {
		return fmt.Errorf("%d matches of %d and %d nodes: want every node matched", m.Size(), n1, n2)
	}
	return nil
}

// WriteSolution writes a matching of all nodes of two graphs of n as a QAPLIB solution file: n, the
// objective in the instance's sense, and the map counted from 1.
func WriteSolution(out io.Writer, objective float64, m qap.Matching) error {
	seen := make([]bool, len(m))
	for i, a := range m {
		if a < 0 || a >= len(m) || seen[a] {
			return fmt.Errorf("datasets: a .sln file holds a permutation of the nodes 0..%d: node %d has %d", len(m)-1, i, a)
		}
		seen[a] = true
	}
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%d ", len(m))
	writeNumbers(w, []float64{objective})
	permutation := make([]float64, len(m))
	for i, a := range m {
		permutation[i] = float64(a + 1)
	}
	writeNumbers(w, permutation)
	return w.Flush()
}

package datasets

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/rgm-go/rgm/qap"
)

// maxNodes bounds n in a text file, as package qap does.
const maxNodes = 1 << 15

// readDAT reads a QAPLIB problem.
func readDAT(s source) (*qap.Instance, error) {
	w := newWords(s.text())
	n, err := readNodes(s, w)
	if err != nil {
		return nil, err
	}
	a, err := readMatrix(s, w, "A", n)
	if err != nil {
		return nil, err
	}
	b, err := readMatrix(s, w, "B", n)
	if err != nil {
		return nil, err
	}
	if err := expectEnd(s, w); err != nil {
		return nil, err
	}
	in, err := qap.NewKoopmansBeckmann(n, n, a, b, nil, qap.Minimize)
	if err != nil {
		return nil, s.errorf(0, "%w", err)
	}
	in.Name = s.name
	return in, nil
}

// readNodes reads the number of nodes at the head of a .dat or .sln file.
func readNodes(s source, w *words) (int, error) {
	word, err := w.next()
	if err == io.EOF {
		return 0, s.errorf(0, "the file is empty: want the number of nodes first")
	}
	if err != nil {
		return 0, s.errorf(w.line, "%w", err)
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 || n > maxNodes {
		return 0, s.errorf(w.line, "the number of nodes is %.20q: want 1..%d", word, maxNodes)
	}
	return n, nil
}

// readMatrix reads n×n numbers.
func readMatrix(s source, w *words, name string, n int) ([]float64, error) {
	// Every number takes at least a digit and a separator.
	values := make([]float64, 0, min(n*n, int(s.size/2)+1))
	for len(values) < n*n {
		word, err := w.next()
		if err == io.EOF {
			return nil, s.errorf(w.line, "want %d numbers for matrix %s, have %d", n*n, name, len(values))
		}
		if err != nil {
			return nil, s.errorf(w.line, "%w", err)
		}
		v, ok := parseFinite(word)
		if !ok {
			return nil, s.errorf(w.line, "%s[%d,%d] is %.20q: want a finite number", name, len(values)/n, len(values)%n, word)
		}
		values = append(values, v)
	}
	return values, nil
}

// expectEnd refuses further words.
func expectEnd(s source, w *words) error {
	switch word, err := w.next(); err {
	case io.EOF:
		return nil
	case nil:
		return s.errorf(w.line, "%.20q follows after the last number: want the end of the file", word)
	default:
		return s.errorf(w.line, "%w", err)
	}
}

// WriteDAT writes an instance in QAPLIB's layout: n, A and B, which is read as
// minimised. The instance must be of Koopmans–Beckmann form, minimised, with n
// nodes in both graphs, and without a linear term.
func WriteDAT(out io.Writer, in *qap.Instance) error {
	n, a, b, err := matrices(in)
	if err != nil {
		return fmt.Errorf("datasets: %s as .dat: %w", in.Name, err)
	}
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%d\n", n)
	for _, m := range [][]float64{a, b} {
		w.WriteByte('\n')
		for i := range n {
			writeNumbers(w, m[i*n:(i+1)*n])
		}
	}
	return w.Flush() // of a bufio.Writer, the first error comes again here
}

// writeNumbers writes one line.
func writeNumbers(w *bufio.Writer, values []float64) {
	for k, v := range values {
		if k > 0 {
			w.WriteByte(' ')
		}
		w.Write(appendNumber(w.AvailableBuffer(), v))
	}
	w.WriteByte('\n')
}

// appendNumber writes a number so that it reads back the same, whole numbers
// without an exponent.
func appendNumber(buffer []byte, v float64) []byte {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.AppendInt(buffer, int64(v), 10)
	}
	return strconv.AppendFloat(buffer, v, 'g', -1, 64)
}

// matrices returns A and B with their diagonals.
func matrices(in *qap.Instance) (n int, a, b []float64, err error) {
	kb, ok := in.Affinity.(*qap.KoopmansBeckmann)
	if !ok {
		return 0, nil, nil, errors.New("a Lawler affinity has no matrices A and B; write .npy or .dd")
	}
	n, n2 := in.Size()
	if n != n2 || n == 0 {
		return 0, nil, nil, fmt.Errorf("graphs of %d and %d nodes; the format wants the same number, 1 or more", n, n2)
	}
	if in.Sense != qap.Minimize {
		return 0, nil, nil, errors.New("the format is read as minimised, the instance is maximised")
	}
	a, b, linear := kb.Given()
	if slices.ContainsFunc(linear, func(l float64) bool { return l != 0 }) {
		return 0, nil, nil, errors.New("the format has no place for a linear term")
	}
	return n, a, b, nil
}

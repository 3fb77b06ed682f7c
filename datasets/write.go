package datasets

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/rgm-go/rgm/qap"
)

// maxDenseBytes bounds a dense affinity array: (n1·n2)² numbers grow out of hand.
const maxDenseBytes = 2 << 30

// ErrTooLarge is wrapped by the error of a writer that would have to write more
// than 2 GiB.
var ErrTooLarge = errors.New("more than 2 GiB")

// WriteNPY writes the affinity matrices of instances, of graphs of the same
// numbers of nodes, as float64: (N, N) for one instance and (k, N, N) for more, with
// N = n1·n2 and vertices in row-major order. The numbers are those to maximise:
// what is minimised is written with the opposite sign, and the zero Options read
// it back as the same problem, except that the file states neither n1, n2 nor
// whether solutions are complete.
//
// npyio is not used here, since it writes at most two dimensions, and these from
// one matrix in memory.
func WriteNPY(out io.Writer, instances ...*qap.Instance) error {
	n, err := commonVertices(instances)
	if err != nil {
		return fmt.Errorf("datasets: writing .npy: %w", err)
	}
	shape := []int{n, n}
	if len(instances) > 1 {
		shape = []int{len(instances), n, n}
	}
	w := bufio.NewWriter(out)
	w.WriteString(npyPreamble("<f8", shape))
	row := make([]float64, n)
	for _, in := range instances {
		for p := range n {
			in.Affinity.Row(row, p)
			for _, v := range row {
				w.Write(binary.LittleEndian.AppendUint64(w.AvailableBuffer(), math.Float64bits(v)))
			}
		}
	}
	return w.Flush() // the first error of all writes
}

// WriteSquare writes a matrix of n rows and columns as a .npy file of float32, without holding it.
func WriteSquare(out io.Writer, n int, entry func(i, j int) float32) error {
	w := bufio.NewWriter(out)
	w.WriteString(npyPreamble("<f4", []int{n, n}))
	for i := range n {
		for j := range n {
			w.Write(binary.LittleEndian.AppendUint32(w.AvailableBuffer(), math.Float32bits(entry(i, j))))
		}
	}
	return w.Flush() // the first error of all writes
}

// WriteArray writes an array as a .npy file of float64.
func WriteArray(out io.Writer, a Array) error {
	w := bufio.NewWriter(out)
	w.WriteString(npyPreamble("<f8", a.Shape))
	for _, v := range a.Data {
		w.Write(binary.LittleEndian.AppendUint64(w.AvailableBuffer(), math.Float64bits(v)))
	}
	return w.Flush() // the first error of all writes
}

// npyPreamble returns what stands before the numbers of a .npy file of format
// 1.0 in C order; it fills a multiple of 64 bytes.
func npyPreamble(descr string, shape []int) string {
	const fixed, alignment = len(npyMagic) + 4, 64
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shapeText(shape))
	padded := (fixed+len(dict)+1+alignment-1)/alignment*alignment - fixed
	return fmt.Sprintf("%s\x01\x00%c%c%-*s\n", npyMagic, byte(padded), byte(padded>>8), padded-1, dict)
}

// WriteDD writes instances in .dd format (see package documentation), all
// vertices as assignments, several problems under gm lines that number the
// graphs. What is maximised is written with the opposite sign.
func WriteDD(out io.Writer, instances ...*qap.Instance) error {
	w := bufio.NewWriter(out)
	for k, in := range instances {
		if err := checkDense(in, 1); err != nil {
			return fmt.Errorf("datasets: writing .dd: %w", err)
		}
		if len(instances) > 1 {
			fmt.Fprintf(w, "gm %d %d\n", 2*k, 2*k+1)
		}
		writeProblem(w, in)
	}
	return w.Flush()
}

func writeProblem(w *bufio.Writer, in *qap.Instance) {
	n1, n2 := in.Size()
	n := n1 * n2
	row := make([]float64, n)
	edges := 0
	for p := range n {
		in.Affinity.Row(row, p)
		for _, v := range row[p+1:] {
			if v != 0 {
				edges++
			}
		}
	}
	fmt.Fprintf(w, "p %d %d %d %d\n", n1, n2, n, edges)
	for p := range n {
		fmt.Fprintf(w, "a %d %d %d ", p, p/n2, p%n2)
		writeNumbers(w, []float64{-in.Affinity.At(p, p)})
	}
	for p := range n {
		in.Affinity.Row(row, p)
		for q := p + 1; q < n; q++ {
			if row[q] != 0 {
				fmt.Fprintf(w, "e %d %d ", p, q)
				writeNumbers(w, []float64{-2 * row[q]}) // counts once
			}
		}
	}
}

// commonVertices returns the number of vertices, the same for all instances.
func commonVertices(instances []*qap.Instance) (int, error) {
	if len(instances) == 0 {
		return 0, errors.New("no instance to write")
	}
	n1, n2 := instances[0].Size()
	for _, in := range instances {
		if m1, m2 := in.Size(); m1 != n1 || m2 != n2 {
			return 0, fmt.Errorf("%s has %d and %d nodes, %s has %d and %d: want graphs of the same sizes in a stack",
				instances[0].Name, n1, n2, in.Name, m1, m2)
		}
	}
	return n1 * n2, checkDense(instances[0], len(instances))
}

// checkDense refuses to write k dense affinity matrices like that of in if they
// take too much space.
func checkDense(in *qap.Instance, k int) error {
	n1, n2 := in.Size()
	n := float64(n1 * n2)
	if bytes := 8 * float64(k) * n * n; bytes > maxDenseBytes {
		return fmt.Errorf("the affinity of %s, %d·(%d·%d)² numbers, takes %.1f GiB: %w", in.Name, k, n1, n2, bytes/(1<<30), ErrTooLarge)
	}
	return nil
}

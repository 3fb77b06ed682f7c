package datasets

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/qap"
)

// readMTX reads a matrix of real or whole numbers, or a pattern of ones, from a
// MatrixMarket file, as entries (coordinate) or whole (array). line is where an error
// is.
//
// Format: https://math.nist.gov/MatrixMarket/formats.html
func readMTX(r io.Reader, size int64) (m SparseMatrix, line int, err error) {
	in := mtxReader{words: words{r: bufio.NewReaderSize(r, 1<<16)}}
	if err = in.header(); err == nil {
		err = in.shape(size)
	}
	if err == nil && in.dense {
		err = in.readArray()
	} else if err == nil {
		err = in.readCoordinates()
	}
	if err != nil {
		return SparseMatrix{}, max(in.line, 1), err
	}
	return in.matrix, 0, nil
}

// mtxReader reads a MatrixMarket file: its first lines as such, its numbers word by
// word.
type mtxReader struct {
	words
	matrix  SparseMatrix
	entries int // promised

	dense    bool    // array, not coordinate
	pattern  bool    // entries without numbers, which are 1
	mirrored bool    // the lower triangle stands for both
	sign     float64 // of the upper one
}

// header reads the first line.
func (r *mtxReader) header() error {
	text, err := r.textLine()
	if err != nil {
		return err
	}
	fields := strings.Fields(strings.ToLower(text))
	if len(fields) != 5 || fields[0] != "%%matrixmarket" || fields[1] != "matrix" {
		return errors.New(`want a first line "%%MatrixMarket matrix coordinate real general", or other words in place of the last three`)
	}
	r.dense, r.pattern, r.sign = fields[2] == "array", fields[3] == "pattern", 1
	switch layout := fields[2]; {
	case layout != "array" && layout != "coordinate":
		return fmt.Errorf("layout %.20q: want coordinate or array", layout)
	case r.dense && r.pattern:
		return errors.New("an array has numbers: want coordinate for a pattern")
	case !slices.Contains([]string{"real", "double", "integer", "pattern"}, fields[3]):
		return fmt.Errorf("%.20q numbers: want real, integer or pattern", fields[3])
	}
	switch fields[4] {
	case "general":
	case "symmetric":
		r.mirrored = true
	case "skew-symmetric":
		r.mirrored, r.sign = true, -1
	default:
		return fmt.Errorf("symmetry %.20q: want general, symmetric or skew-symmetric", fields[4])
	}
	return nil
}

// textLine returns the next line.
func (r *mtxReader) textLine() (string, error) {
	r.current++
	r.line = r.current
	text, err := r.r.ReadSlice('\n')
	switch {
	case err == bufio.ErrBufferFull:
		return "", errors.New("the line is too long")
	case err == io.EOF && len(text) == 0:
		return "", errors.New("the file ends before the numbers of rows and columns")
	case err != nil && err != io.EOF:
		return "", err
	}
	return string(text), nil
}

// shape reads the line of sizes that follows the comments.
func (r *mtxReader) shape(size int64) error {
	var fields []string
	for len(fields) == 0 {
		text, err := r.textLine()
		if err != nil {
			return err
		}
		if !strings.HasPrefix(text, "%") {
			fields = strings.Fields(text)
		}
	}
	numbers := []*int{&r.matrix.Rows, &r.matrix.Cols, &r.entries}
	if r.dense {
		numbers = numbers[:2]
	}
	if len(fields) != len(numbers) {
		return fmt.Errorf("%d numbers: want %d, of rows, columns and, for coordinates, entries", len(fields), len(numbers))
	}
	for k, number := range numbers {
		var err error
		if *number, err = strconv.Atoi(fields[k]); err != nil || *number < 0 {
			return fmt.Errorf("%.20q: want a number of rows, columns or entries", fields[k])
		}
	}
	if r.mirrored && r.matrix.Rows != r.matrix.Cols {
		return fmt.Errorf("a symmetric matrix of %d×%d", r.matrix.Rows, r.matrix.Cols)
	}
	r.current++ // of what follows
	return checkSide(r.matrix.Rows, r.matrix.Cols, size)
}

// readCoordinates reads lines of row, column, both from 1, and number.
func (r *mtxReader) readCoordinates() error {
	for k := range r.entries {
		row, err := r.index(k)
		if err != nil {
			return err
		}
		col, err := r.index(k)
		if err != nil {
			return err
		}
		v := 1.0
		if !r.pattern {
			if v, err = r.number(k); err != nil {
				return err
			}
		}
		if err := r.put(row-1, col-1, v); err != nil {
			return err
		}
	}
	return r.end()
}

// readArray reads the numbers of one column after the other, of each the lower
// triangle where that stands for both.
func (r *mtxReader) readArray() error {
	count := 0
	for col := range r.matrix.Cols {
		first := 0
		if r.mirrored {
			first = col
		}
		if r.sign < 0 {
			first++
		}
		for row := first; row < r.matrix.Rows; row++ {
			v, err := r.number(count)
			if err != nil {
				return err
			}
			count++
			if v == 0 {
				continue
			}
			if err := r.put(row, col, v); err != nil {
				return err
			}
		}
	}
	return r.end()
}

// put adds an entry and, where one triangle stands for both, its mirror image.
func (r *mtxReader) put(row, col int, v float64) error {
	if r.mirrored && row < col {
		return fmt.Errorf("the entry in row %d and column %d is not in the lower triangle", row+1, col+1)
	}
	if err := r.matrix.add(row, col, v); err != nil || !r.mirrored || row == col {
		return err
	}
	return r.matrix.add(col, row, r.sign*v)
}

// word returns the next word of entry k, counted from 0.
func (r *mtxReader) word(k int) (string, error) {
	word, err := r.next()
	if err == io.EOF {
		return "", fmt.Errorf("the file ends after %d entries", k)
	}
	return word, err
}

func (r *mtxReader) index(k int) (int, error) {
	word, err := r.word(k)
	if err != nil {
		return 0, err
	}
	v, err := strconv.Atoi(word)
	if err != nil || v < 1 {
		return 0, fmt.Errorf("%.20q: want a row or a column, from 1", word)
	}
	return v, nil
}

func (r *mtxReader) number(k int) (float64, error) {
	word, err := r.word(k)
	if err != nil {
		return 0, err
	}
	v, ok := parseFinite(word)
	if !ok {
		return 0, fmt.Errorf("%.20q: want a finite number", word)
	}
	return v, nil
}

// end returns an error unless nothing follows.
func (r *mtxReader) end() error {
	switch word, err := r.next(); err {
	case io.EOF:
		return nil
	case nil:
		return fmt.Errorf("%.20q follows after the last entry", word)
	default:
		return err
	}
}

// readMTXInstance returns the instance whose affinity matrix a file holds.
func readMTXInstance(s source, o Options) (*qap.Instance, error) {
	m, line, err := readMTX(s.text(), s.size)
	if err != nil {
		return nil, s.errorf(line, "%w", err)
	}
	return m.instance(s, o)
}

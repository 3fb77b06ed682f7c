package request

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// Matrix is an array of rows of numbers. It is read without a slice a row, so that
// a body of many short rows costs little.
type Matrix struct {
	Rows, Cols int
	Data       []float64 // row-major
}

// Schema returns the schema of rows of numbers.
func (*Matrix) Schema() map[string]any {
	return map[string]any{"type": "array", "items": map[string]any{"type": "array", "items": map[string]any{"type": "number"}}}
}

// length returns the number of rows, of nil 0.
func (m *Matrix) length() int {
	if m == nil {
		return 0
	}
	return m.Rows
}

// width returns the number of columns, of nil 0.
func (m *Matrix) width() int {
	if m == nil {
		return 0
	}
	return m.Cols
}

// rows returns the rows, which share memory with m.
func (m *Matrix) rows() [][]float64 {
	if m == nil {
		return nil
	}
	rows := make([][]float64, m.Rows)
	for i := range rows {
		rows[i] = m.Data[i*m.Cols : (i+1)*m.Cols : (i+1)*m.Cols]
	}
	return rows
}

// Vectors is a Matrix in which null is a number that is unknown.
type Vectors struct{ Matrix }

// Schema returns the schema of rows of numbers, of which some may be unknown.
func (*Vectors) Schema() map[string]any {
	number := map[string]any{"type": []string{"number", "null"}}
	return map[string]any{"type": "array", "items": map[string]any{"type": "array", "items": number}}
}

// UnmarshalJSON is that of Matrix; null is read as NaN.
func (v *Vectors) UnmarshalJSON(text []byte) error { return v.read(text, true) }

// matrix returns the rows, nil of nil.
func (v *Vectors) matrix() *Matrix {
	if v == nil {
		return nil
	}
	return &v.Matrix
}

// matrixError says where a matrix is wrong.
type matrixError struct {
	kind    Kind
	pointer string // below the matrix: /3/4
	reason  string
}

func (e *matrixError) Error() string { return e.reason }

// UnmarshalJSON reads text, which is valid JSON, as rows of equal length.
func (m *Matrix) UnmarshalJSON(text []byte) error { return m.read(text, false) }

func (m *Matrix) read(text []byte, unknown bool) error {
	*m = Matrix{}
	p := parser{text: text}
	if !p.take('[') {
		return &matrixError{KindType, "", "want an array of rows of numbers"}
	}
	m.Data = make([]float64, 0, bytes.Count(text, []byte(","))+1)
	for !p.take(']') {
		cols, err := m.readRow(&p, unknown)
		if err != nil {
			return err
		}
		if m.Rows > 0 && cols != m.Cols {
			return &matrixError{KindInvalid, fmt.Sprintf("/%d", m.Rows), fmt.Sprintf("the row has %d numbers, those before have %d", cols, m.Cols)}
		}
		m.Rows, m.Cols = m.Rows+1, cols
		p.take(',')
	}
	return nil
}

// readRow appends the numbers of the next row, of which some may be unknown, and returns how many there are.
func (m *Matrix) readRow(p *parser, unknown bool) (cols int, err error) {
	if !p.take('[') {
		return 0, &matrixError{KindType, fmt.Sprintf("/%d", m.Rows), "want a row: an array of numbers"}
	}
	for ; !p.take(']'); cols++ {
		if m.Rows > 0 && cols >= m.Cols {
			return 0, &matrixError{KindInvalid, fmt.Sprintf("/%d", m.Rows), fmt.Sprintf("the row has more than %d numbers, those before have %d", m.Cols, m.Cols)}
		}
		text := string(p.value())
		v, err := strconv.ParseFloat(text, 64)
		switch {
		case err != nil && unknown && text == "null":
			v = math.NaN()
		case err != nil:
			kind, reason := KindType, "want a number"
			if errors.Is(err, strconv.ErrRange) {
				kind, reason = KindInvalid, "the number is too large"
			}
			return 0, &matrixError{kind, fmt.Sprintf("/%d/%d", m.Rows, cols), reason}
		}
		m.Data = append(m.Data, v)
		p.take(',')
	}
	return cols, nil
}

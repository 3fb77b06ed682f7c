package serve

import (
	"fmt"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
)

// Matrix is an array of rows of numbers. It is read without a slice a row, so that
// a body of many short rows costs little.
type Matrix struct {
	Rows, Cols int
	Data       []float64 // row-major
}

// Schema tells OpenAPI what UnmarshalJSON reads.
func (*Matrix) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: "array", Items: &huma.Schema{Type: "array", Items: &huma.Schema{Type: "number"}}}
}

// matrixError says where a matrix is wrong.
type matrixError struct {
	pointer string // below the matrix: /3/4
	reason  string
}

func (e *matrixError) Error() string { return e.reason }

// UnmarshalJSON reads text, which is valid JSON, as rows of equal length.
func (m *Matrix) UnmarshalJSON(text []byte) error {
	*m = Matrix{}
	p := rowParser{text: text}
	if !p.open() {
		return &matrixError{"", "want an array of rows of numbers"}
	}
	for !p.close() {
		cols, err := m.readRow(&p)
		if err != nil {
			return err
		}
		if m.Rows > 0 && cols != m.Cols {
			return &matrixError{fmt.Sprintf("/%d", m.Rows), fmt.Sprintf("the row has %d numbers, those before have %d", cols, m.Cols)}
		}
		m.Rows, m.Cols = m.Rows+1, cols
		p.comma()
	}
	return nil
}

// readRow appends the numbers of the next row and returns how many there are.
func (m *Matrix) readRow(p *rowParser) (cols int, err error) {
	if !p.open() {
		return 0, &matrixError{fmt.Sprintf("/%d", m.Rows), "want a row: an array of numbers"}
	}
	for ; !p.close(); cols++ {
		if m.Rows > 0 && cols >= m.Cols {
			return 0, &matrixError{fmt.Sprintf("/%d", m.Rows), fmt.Sprintf("the row has more than %d numbers, those before have %d", m.Cols, m.Cols)}
		}
		v, reason := p.number()
		if reason != "" {
			return 0, &matrixError{fmt.Sprintf("/%d/%d", m.Rows, cols), reason}
		}
		m.Data = append(m.Data, v)
		p.comma()
	}
	return cols, nil
}

// rowParser walks over valid JSON.
type rowParser struct {
	text []byte
	at   int
}

// peek returns the next byte that is not blank, 0 at the end.
func (p *rowParser) peek() byte {
	for ; p.at < len(p.text); p.at++ {
		switch b := p.text[p.at]; b {
		case ' ', '\t', '\r', '\n':
		default:
			return b
		}
	}
	return 0
}

// take steps over a byte if it comes next.
func (p *rowParser) take(b byte) bool {
	if p.peek() != b {
		return false
	}
	p.at++
	return true
}

func (p *rowParser) open() bool  { return p.take('[') }
func (p *rowParser) close() bool { return p.take(']') || p.peek() == 0 }
func (p *rowParser) comma()      { p.take(',') }

// number reads a number, or says why there is none.
func (p *rowParser) number() (v float64, reason string) {
	p.peek()
	start := p.at
	for p.at < len(p.text) && inNumber(p.text[p.at]) {
		p.at++
	}
	if start == p.at {
		return 0, "want a number"
	}
	v, err := strconv.ParseFloat(string(p.text[start:p.at]), 64)
	if err != nil {
		return 0, "the number is too large"
	}
	return v, ""
}

// inNumber tells whether a byte is part of a number in JSON.
func inNumber(b byte) bool {
	return '0' <= b && b <= '9' || b == '-' || b == '+' || b == '.' || b == 'e' || b == 'E'
}

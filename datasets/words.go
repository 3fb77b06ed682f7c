package datasets

import (
	"bufio"
	"io"
	"math"
	"strconv"
)

// words splits a text at blanks and line ends, and counts lines.
type words struct {
	r       *bufio.Reader
	commas  bool // commas separate words too
	buffer  []byte
	current int // line that r is at
	line    int // line of the word returned last
}

func newWords(r io.Reader) *words {
	return &words{r: bufio.NewReaderSize(r, 1<<16), current: 1, line: 1}
}

// next returns the next word, or io.EOF.
func (w *words) next() (string, error) {
	w.buffer = w.buffer[:0]
	for {
		c, err := w.r.ReadByte()
		if err == io.EOF && len(w.buffer) > 0 {
			return string(w.buffer), nil
		}
		if err != nil {
			return "", err
		}
		if !w.separates(c) {
			w.line = w.current
			w.buffer = append(w.buffer, c)
			continue
		}
		if c == '\n' {
			w.current++
		}
		if len(w.buffer) > 0 {
			return string(w.buffer), nil
		}
	}
}

func (w *words) separates(c byte) bool {
	switch c {
	case ' ', '\n', '\r', '\t', '\v', '\f':
		return true
	case ',':
		return w.commas
	}
	return false
}

// parseFinite returns the finite number that a word stands for.
func parseFinite(word string) (v float64, ok bool) {
	v, err := strconv.ParseFloat(word, 64)
	return v, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
}

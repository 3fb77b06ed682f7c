package datasets

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Array is a NumPy array of numbers in C order: the last index runs fastest.
type Array struct {
	Shape []int
	Data  []float64
}

// ReadNPY reads a .npy file (format 1.0, 2.0 or 3.0) of exactly size bytes with
// an array of real numbers: float16 to float64, int8 to int64, uint8 to uint64, or
// bool, in either byte order, in C or Fortran order. Whole numbers beyond 2⁵³ are
// rounded. The size must be the real one: it bounds what is allocated.
//
// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
func ReadNPY(r io.Reader, size int64) (Array, error) {
	s, err := openNPY(r, size)
	if err != nil {
		return Array{}, fmt.Errorf("datasets: %w", err)
	}
	array, err := s.array()
	if err != nil {
		return Array{}, fmt.Errorf("datasets: %w", err)
	}
	return array, nil
}

// OpenNPY reads the array of a .npy file (see ReadNPY).
func OpenNPY(path string) (Array, error) {
	s, file, err := openSource(path)
	if err != nil {
		return Array{}, err
	}
	defer file.Close()
	array, err := ReadNPY(s.text(), s.size)
	if err != nil {
		return Array{}, s.errorf(0, "%w", errors.Unwrap(err))
	}
	return array, nil
}

// npyStream reads the numbers of a .npy file in the order of the file.
//
// github.com/sbinet/npyio is not used to read, since it trusts the header: it
// panics on malformed ones, allocates whatever shape is claimed, ignores what
// follows the array, and knows neither format 3.0 nor float16. Here the header is
// checked against the real size before anything is allocated.
type npyStream struct {
	npyHeader
	r     *bufio.Reader
	bytes []byte // of one chunk
}

// openNPY reads the header.
func openNPY(r io.Reader, size int64) (*npyStream, error) {
	s := &npyStream{r: bufio.NewReaderSize(r, int(min(size, 1<<16)))}
	header, read, err := readNPYHeader(s.r, size)
	if err != nil {
		return nil, err
	}
	s.npyHeader = header
	if count, ok := header.count(); !ok || count != (size-read)/int64(header.size) || (size-read)%int64(header.size) != 0 {
		return nil, fmt.Errorf("shape %s of %s does not fit the %d bytes after the header", shapeText(header.shape), header.descr, size-read)
	}
	return s, nil
}

// read fills dst with the next numbers of the file.
func (s *npyStream) read(dst []float64) error {
	const chunk = 1 << 12 // numbers
	if s.bytes == nil {
		s.bytes = make([]byte, chunk*s.size)
	}
	for len(dst) > 0 {
		k := min(chunk, len(dst))
		raw := s.bytes[:k*s.size]
		if _, err := io.ReadFull(s.r, raw); err != nil {
			return cutShort(err)
		}
		for i := range k {
			dst[i] = s.decode(raw[i*s.size:], s.order)
		}
		dst = dst[k:]
	}
	return nil
}

// end reads to the end of the file, where an archive checks its checksum.
func (s *npyStream) end() error {
	switch _, err := s.r.ReadByte(); err {
	case io.EOF:
		return nil
	case nil:
		return errors.New("bytes follow after the array")
	default:
		return err
	}
}

// array reads the whole file.
func (s *npyStream) array() (Array, error) {
	count, _ := s.count()
	array := Array{Shape: s.shape, Data: make([]float64, count)}
	if err := s.read(array.Data); err != nil {
		return Array{}, err
	}
	if s.fortran {
		array.Data = cOrder(array.Data, s.shape)
	}
	return array, s.end()
}

// cOrder returns numbers whose first index runs fastest in the order in which
// the last one does.
func cOrder(fortran []float64, shape []int) []float64 {
	c := make([]float64, len(fortran))
	index := make([]int, len(shape))
	for _, v := range fortran {
		place := 0
		for k, i := range index {
			place = place*shape[k] + i
		}
		c[place] = v
		for k := range index {
			if index[k]++; index[k] < shape[k] {
				break
			}
			index[k] = 0
		}
	}
	return c
}

// cutShort says in words that a file ends too early.
func cutShort(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errors.New("the file ends before its array does")
	}
	return err
}

// shapeText writes a shape as NumPy does: (3, 4) or (3,).
func shapeText(shape []int) string {
	words := make([]string, len(shape))
	for k, n := range shape {
		words[k] = fmt.Sprint(n)
	}
	if len(words) == 1 {
		return "(" + words[0] + ",)"
	}
	return "(" + strings.Join(words, ", ") + ")"
}

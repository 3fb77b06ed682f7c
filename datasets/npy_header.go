package datasets

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// npyHeader is what a .npy file says of its array.
type npyHeader struct {
	dtype
	descr   string // dtype as NumPy writes it
	order   binary.ByteOrder
	fortran bool // the first index runs fastest
	shape   []int
}

// dtype is how a number is stored.
type dtype struct {
	size   int // bytes
	decode func([]byte, binary.ByteOrder) float64
}

var dtypes = map[string]dtype{
	"b1": {1, func(b []byte, _ binary.ByteOrder) float64 { return float64(min(b[0], 1)) }},
	"i1": {1, func(b []byte, _ binary.ByteOrder) float64 { return float64(int8(b[0])) }},
	"u1": {1, func(b []byte, _ binary.ByteOrder) float64 { return float64(b[0]) }},
	"i2": {2, func(b []byte, o binary.ByteOrder) float64 { return float64(int16(o.Uint16(b))) }},
	"u2": {2, func(b []byte, o binary.ByteOrder) float64 { return float64(o.Uint16(b)) }},
	"i4": {4, func(b []byte, o binary.ByteOrder) float64 { return float64(int32(o.Uint32(b))) }},
	"u4": {4, func(b []byte, o binary.ByteOrder) float64 { return float64(o.Uint32(b)) }},
	"i8": {8, func(b []byte, o binary.ByteOrder) float64 { return float64(int64(o.Uint64(b))) }},
	"u8": {8, func(b []byte, o binary.ByteOrder) float64 { return float64(o.Uint64(b)) }},
	"f2": {2, func(b []byte, o binary.ByteOrder) float64 { return float16(o.Uint16(b)) }},
	"f4": {4, func(b []byte, o binary.ByteOrder) float64 { return float64(math.Float32frombits(o.Uint32(b))) }},
	"f8": {8, func(b []byte, o binary.ByteOrder) float64 { return math.Float64frombits(o.Uint64(b)) }},
}

// float16 returns the value of an IEEE 754 binary16 number.
func float16(bits uint16) float64 {
	const fractionBits, bias = 10, 15
	exponent, fraction := int(bits>>fractionBits&0x1f), float64(bits&0x3ff)
	v := math.Ldexp(fraction+1<<fractionBits, exponent-bias-fractionBits)
	switch {
	case exponent == 0:
		v = math.Ldexp(fraction, 1-bias-fractionBits) // subnormal
	case exponent == 0x1f && fraction == 0:
		v = math.Inf(1)
	case exponent == 0x1f:
		v = math.NaN()
	}
	if bits>>15 == 1 {
		v = -v
	}
	return v
}

// count returns the number of elements, and whether it can be that of a file.
func (h *npyHeader) count() (count int64, ok bool) {
	count = 1
	for _, n := range h.shape {
		if n == 0 {
			return 0, true
		}
		if count > math.MaxInt64/8/int64(n) {
			return 0, false
		}
		count *= int64(n)
	}
	return count, true
}

const npyMagic = "\x93NUMPY"

// readNPYHeader returns the header and the number of bytes it took.
func readNPYHeader(r io.Reader, size int64) (npyHeader, int64, error) {
	var h npyHeader
	prefix := make([]byte, len(npyMagic)+2) // magic, major and minor version
	if _, err := io.ReadFull(r, prefix); err != nil {
		return h, 0, cutShort(err)
	}
	if !bytes.HasPrefix(prefix, []byte(npyMagic)) {
		return h, 0, errors.New("not a .npy file: it does not begin with \\x93NUMPY")
	}
	lengthBytes := 4
	switch major, minor := prefix[len(npyMagic)], prefix[len(npyMagic)+1]; {
	case major == 1 && minor == 0:
		lengthBytes = 2
	case major < 1 || major > 3 || minor != 0:
		return h, 0, fmt.Errorf(".npy format %d.%d: want 1.0, 2.0 or 3.0", major, minor)
	}
	length := make([]byte, 4)
	if _, err := io.ReadFull(r, length[:lengthBytes]); err != nil {
		return h, 0, cutShort(err)
	}
	const longest = 1 << 16 // plain numbers need about 100 bytes
	n := int64(binary.LittleEndian.Uint32(length))
	read := int64(len(prefix)+lengthBytes) + n
	if n > longest || read > size {
		return h, 0, fmt.Errorf("the header claims %d bytes, of a file of %d", n, size)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return h, 0, cutShort(err)
	}
	h, err := parseNPYHeader(string(text))
	return h, read, err
}

// npyEntry matches an entry of the header's dictionary: 'descr': '<f8',
// 'fortran_order': False or 'shape': (3, 4). A structured dtype is a list.
var npyEntry = regexp.MustCompile(`^\s*['"](\w+)['"]\s*:\s*(?:['"]([^'"]*)['"]|(True|False)|\(([^()]*)\)|(\[.*\]))\s*(?:,\s*|$)`)

// parseNPYHeader reads the dictionary, a Python literal.
func parseNPYHeader(text string) (npyHeader, error) {
	var h npyHeader
	rest, opened := strings.CutPrefix(strings.TrimSpace(text), "{")
	rest, closed := strings.CutSuffix(rest, "}")
	seen := make(map[string]bool)
	for opened && closed && rest != "" {
		entry := npyEntry.FindStringSubmatch(rest)
		if entry == nil || seen[entry[1]] {
			return h, fmt.Errorf("malformed .npy header at %.40q", rest)
		}
		if err := h.set(entry); err != nil {
			return h, err
		}
		seen[entry[1]] = true
		rest = rest[len(entry[0]):]
	}
	if !seen["descr"] || !seen["fortran_order"] || !seen["shape"] {
		return h, fmt.Errorf(".npy header %.80q: want descr, fortran_order and shape", text)
	}
	return h, nil
}

// set takes over one entry: its match of npyEntry.
func (h *npyHeader) set(entry []string) error {
	key, quoted, truth, tuple, list := entry[1], entry[2], entry[3], entry[4], entry[5]
	switch {
	case key == "descr" && list != "":
		return errors.New("a structured dtype: want an array of plain numbers")
	case key == "descr":
		return h.setDescr(quoted)
	case key == "fortran_order" && truth != "":
		h.fortran = truth == "True"
		return nil
	case key == "shape" && quoted+truth+list == "":
		return h.setShape(tuple)
	}
	return fmt.Errorf("malformed .npy header at %.40q", entry[0])
}

func (h *npyHeader) setDescr(descr string) error {
	h.descr, h.order = descr, binary.LittleEndian
	code := strings.TrimLeft(descr, "<>|=")
	if strings.HasPrefix(descr, ">") {
		h.order = binary.BigEndian
	}
	switch d, ok := dtypes[code]; {
	case ok && len(code) >= len(descr)-1:
		h.dtype = d
		return nil
	case strings.HasPrefix(code, "O"):
		return errors.New("the array holds pickled Python objects: save it with a numeric dtype")
	}
	return fmt.Errorf("dtype %.20q: want float16/32/64, int8..64, uint8..64 or bool", descr)
}

func (h *npyHeader) setShape(tuple string) error {
	const dimensions = 32 // NumPy's own limit
	words := strings.Split(strings.TrimSuffix(strings.TrimSpace(tuple), ","), ",")
	if len(words) == 1 && words[0] == "" {
		return nil // a scalar
	}
	for _, word := range words {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n < 0 || len(words) > dimensions {
			return fmt.Errorf("shape (%.40s): want at most %d whole numbers", tuple, dimensions)
		}
		h.shape = append(h.shape, n)
	}
	return nil
}

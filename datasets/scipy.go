package datasets

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// readSciPy reads what scipy.sparse.save_npz writes: an archive of the arrays format
// ("csr", "csc" or "coo"), shape and data, with indices and indptr, or row and col.
//
// Format: https://docs.scipy.org/doc/scipy/reference/generated/scipy.sparse.save_npz.html
func readSciPy(r io.ReaderAt, size int64) (SparseMatrix, error) {
	members, err := npzMembers(r, size, "")
	if err != nil {
		return SparseMatrix{}, err
	}
	a := npzArchive{members: members}
	format, err := a.format()
	if err != nil {
		return SparseMatrix{}, err
	}
	shape, err := a.wholeNumbers("shape")
	if err != nil {
		return SparseMatrix{}, err
	}
	if len(shape) != 2 {
		return SparseMatrix{}, fmt.Errorf("shape %v: want a matrix, of two dimensions", shape)
	}
	m := SparseMatrix{Rows: shape[0], Cols: shape[1]}
	if err := checkSide(m.Rows, m.Cols, a.bytes()); err != nil {
		return SparseMatrix{}, err
	}
	data, err := a.array("data")
	if err != nil {
		return SparseMatrix{}, err
	}
	switch format {
	case "csr":
		err = a.readLines(data.Data, m.Rows, m.add)
	case "csc":
		err = a.readLines(data.Data, m.Cols, func(col, row int, v float64) error { return m.add(row, col, v) })
	case "coo":
		err = a.readCoordinates(data.Data, m.add)
	default:
		err = fmt.Errorf("a sparse matrix of format %.20q: want csr, csc or coo, as K.tocsr() returns", format)
	}
	if err != nil {
		return SparseMatrix{}, err
	}
	return m, nil
}

// isSciPy reports whether the members of an archive are those of a sparse matrix.
func isSciPy(members []*zip.File) bool {
	a := npzArchive{members: members}
	return a.member("format") != nil && a.member("shape") != nil && a.member("data") != nil
}

// npzArchive is a .npz archive whose members' claimed lengths are credible.
type npzArchive struct{ members []*zip.File }

func (a npzArchive) member(name string) *zip.File {
	k := slices.IndexFunc(a.members, func(m *zip.File) bool { return memberName(m) == name })
	if k < 0 {
		return nil
	}
	return a.members[k]
}

// bytes returns the length of all members.
func (a npzArchive) bytes() int64 {
	sum := uint64(0)
	for _, m := range a.members {
		sum += m.UncompressedSize64
	}
	return int64(sum)
}

// format returns the text of the array format, bytes or letters of four bytes.
func (a npzArchive) format() (string, error) {
	member := a.member("format")
	if member == nil {
		return "", errors.New("the archive holds no array format: want a matrix of scipy.sparse.save_npz")
	}
	file, err := member.Open()
	if err != nil {
		return "", err
	}
	defer file.Close()
	const longest = 1 << 12
	text, err := io.ReadAll(io.LimitReader(file, longest))
	if err != nil {
		return "", fmt.Errorf("format: %w", err)
	}
	const lengthAt = len(npyMagic) + 2 // of the header: two bytes in format 1.0
	if !bytes.HasPrefix(text, []byte(npyMagic)) || len(text) < lengthAt+2 {
		return "", errors.New("format: not a .npy file")
	}
	end := lengthAt + 2 + int(binary.LittleEndian.Uint16(text[lengthAt:]))
	if text[len(npyMagic)] != 1 || end > len(text) {
		return "", errors.New("format: want a short text in .npy format 1.0")
	}
	return strings.ReplaceAll(string(text[end:]), "\x00", ""), nil
}

func (a npzArchive) array(name string) (Array, error) {
	member := a.member(name)
	if member == nil {
		return Array{}, fmt.Errorf("the archive holds no array %q, but %s", name, memberNames(a.members))
	}
	file, err := member.Open()
	if err != nil {
		return Array{}, fmt.Errorf("%s: %w", name, err)
	}
	defer file.Close()
	array, err := ReadNPY(file, int64(member.UncompressedSize64))
	if err != nil {
		return Array{}, fmt.Errorf("%s: %w", name, errors.Unwrap(err))
	}
	return array, nil
}

// wholeNumbers returns an array of indices.
func (a npzArchive) wholeNumbers(name string) ([]int, error) {
	array, err := a.array(name)
	if err != nil {
		return nil, err
	}
	numbers := make([]int, len(array.Data))
	for k, v := range array.Data {
		if v != math.Trunc(v) || v < 0 || v > math.MaxInt32 {
			return nil, fmt.Errorf("%s[%d] is %v: want a whole number from 0 to %d", name, k, v, math.MaxInt32)
		}
		numbers[k] = int(v)
	}
	return numbers, nil
}

// readLines adds the entries of compressed rows, or columns.
func (a npzArchive) readLines(data []float64, lines int, add func(line, index int, v float64) error) error {
	indices, err1 := a.wholeNumbers("indices")
	starts, err2 := a.wholeNumbers("indptr")
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if len(starts) != lines+1 || len(indices) != len(data) || starts[0] != 0 || starts[lines] != len(data) || !slices.IsSorted(starts) {
		return fmt.Errorf("%d numbers, %d indices and an indptr of %d do not make up %d rows or columns", len(data), len(indices), len(starts), lines)
	}
	for line := range lines {
		for k := starts[line]; k < starts[line+1]; k++ {
			if err := add(line, indices[k], data[k]); err != nil {
				return err
			}
		}
	}
	return nil
}

// readCoordinates adds the entries that are listed with their rows and columns.
func (a npzArchive) readCoordinates(data []float64, add func(row, col int, v float64) error) error {
	rows, err1 := a.wholeNumbers("row")
	cols, err2 := a.wholeNumbers("col")
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if len(rows) != len(data) || len(cols) != len(data) {
		return fmt.Errorf("%d numbers, but %d rows and %d columns", len(data), len(rows), len(cols))
	}
	for k, v := range data {
		if err := add(rows[k], cols[k], v); err != nil {
			return err
		}
	}
	return nil
}

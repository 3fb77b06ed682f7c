package distances

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/rgm-go/rgm/qap"
)

// Record is a file of the pairs that were found so far: a run that is killed goes on from it. It is a head, which says of
// what, and then records of one length; what is left of one that was being written is cut off.
type Record struct {
	file *os.File
	out  *bufio.Writer
}

const (
	magic      = "rgm distances 1\n"
	recordSize = 8 + 8 + 8 + 8 // number of the pair, cost, lower, 1 where it is proved
)

// ErrOther is that of a record of other graphs, costs or options.
var ErrOther = errors.New("it holds distances of other graphs, costs or limits")

// OpenRecord opens the file of what has a digest, making it where there is none, and tells found of every pair in it.
func OpenRecord(path, digest string, found func(Pair)) (*Record, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	r := &Record{file: file, out: bufio.NewWriter(file)}
	if err := r.read(magic+digest+"\n", found); err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

func (r *Record) read(head string, found func(Pair)) error {
	in := bufio.NewReader(r.file)
	have := make([]byte, len(head))
	n, err := io.ReadFull(in, have)
	switch {
	case n == 0 && err == io.EOF:
		_, err = r.out.WriteString(head)
		return errors.Join(err, r.out.Flush())
	case err != nil && err != io.ErrUnexpectedEOF:
		return err
	case string(have[:n]) != head:
		return ErrOther
	}
	whole := int64(len(head))
	var record [recordSize]byte
	for {
		if _, err := io.ReadFull(in, record[:]); err == io.EOF || err == io.ErrUnexpectedEOF {
			break
		} else if err != nil {
			return err
		}
		p, ok := decoded(record[:])
		if !ok {
			break
		}
		found(p)
		whole += recordSize
	}
	if err := r.file.Truncate(whole); err != nil {
		return err
	}
	_, err = r.file.Seek(whole, io.SeekStart)
	return err
}

func decoded(record []byte) (p Pair, ok bool) {
	number := binary.LittleEndian.Uint64(record)
	if number > math.MaxInt64/16 {
		return p, false
	}
	p.I, p.J = Place(int(number))
	p.Cost = math.Float64frombits(binary.LittleEndian.Uint64(record[8:]))
	p.Lower = math.Float64frombits(binary.LittleEndian.Uint64(record[16:]))
	if binary.LittleEndian.Uint64(record[24:]) == 1 {
		p.Status = qap.Optimal
	}
	return p, p.Lower <= p.Cost
}

// Add appends pairs, which are in the file once it returns.
func (r *Record) Add(pairs []Pair) error {
	for _, p := range pairs {
		var record [recordSize]byte
		binary.LittleEndian.PutUint64(record[:], uint64(Number(p.I, p.J)))
		binary.LittleEndian.PutUint64(record[8:], math.Float64bits(p.Cost))
		binary.LittleEndian.PutUint64(record[16:], math.Float64bits(p.Lower))
		if p.Proved() {
			record[24] = 1
		}
		if _, err := r.out.Write(record[:]); err != nil {
			return err
		}
	}
	return r.out.Flush()
}

// Close closes the file.
func (r *Record) Close() error { return errors.Join(r.out.Flush(), r.file.Close()) }

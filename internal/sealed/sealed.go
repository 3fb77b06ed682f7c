// Package sealed writes the state of a program to files that are known to be whole when
// they are read: a magic line, a version (4 bytes, little endian), the length of the
// payload (8), its sha256 (32) and the payload, in gob, compressed with gzip.
package sealed

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"

	"github.com/rgm-go/rgm/internal/atomicfile"
)

// ErrNotWhole is wrapped by the errors of data that are no whole file of a format.
var ErrNotWhole = errors.New("not a whole checkpoint of this program")

// Format is a kind of such files.
type Format struct {
	Magic   string // a line that no other kind begins with
	Version uint32
}

// HeaderSize returns how many bytes precede the payload.
func (f Format) HeaderSize() int { return len(f.Magic) + 4 + 8 + sha256.Size }

// Begins reports whether data begin as a file of the format.
func (f Format) Begins(data []byte) bool { return bytes.HasPrefix(data, []byte(f.Magic)) }

// Write writes a value to a file, beside its place first. The file that was there stays
// if anything fails.
func (f Format) Write(path string, value any) error { return f.write(path, value, gzip.BestSpeed) }

// WriteStored is Write without compression, for what is soon written anew.
func (f Format) WriteStored(path string, value any) error {
	return f.write(path, value, gzip.NoCompression)
}

func (f Format) write(path string, value any, compression int) error {
	var payload bytes.Buffer
	zip, err := gzip.NewWriterLevel(&payload, compression)
	if err != nil {
		return err
	}
	if err := errors.Join(gob.NewEncoder(zip).Encode(value), zip.Close()); err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		sum := sha256.Sum256(payload.Bytes())
		header := binary.LittleEndian.AppendUint32([]byte(f.Magic), f.Version)
		header = binary.LittleEndian.AppendUint64(header, uint64(payload.Len()))
		_, err := w.Write(append(header, sum[:]...))
		if err == nil {
			_, err = w.Write(payload.Bytes())
		}
		return err
	})
}

// Decode reads the value that a file holds into the one pointed to.
func (f Format) Decode(data []byte, value any) (err error) {
	if len(data) < f.HeaderSize() || !f.Begins(data) {
		return ErrNotWhole
	}
	rest := data[len(f.Magic):]
	if v := binary.LittleEndian.Uint32(rest); v != f.Version {
		return fmt.Errorf("%w: version %d, want %d", ErrNotWhole, v, f.Version)
	}
	length, sum, payload := binary.LittleEndian.Uint64(rest[4:]), rest[12:12+sha256.Size], data[f.HeaderSize():]
	if length != uint64(len(payload)) {
		return fmt.Errorf("%w: holds %d bytes, states %d: cut short", ErrNotWhole, len(payload), length)
	}
	if sha256.Sum256(payload) != [sha256.Size]byte(sum) {
		return fmt.Errorf("%w: sha256 differs: damaged", ErrNotWhole)
	}
	zip, err := gzip.NewReader(bytes.NewReader(payload))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNotWhole, err)
	}
	defer func() { // gob fails so where a file has fields of an embedded pointer, without the pointer
		if reason := recover(); reason != nil {
			err = fmt.Errorf("%w: %v", ErrNotWhole, reason)
		}
	}()
	if err := gob.NewDecoder(zip).Decode(value); err != nil {
		return fmt.Errorf("%w: %w", ErrNotWhole, err)
	}
	return nil
}

// Restore copies the weights of a network, or moments of them, that a file held over those
// of a network. The error is ErrNotWhole where their numbers differ; nothing is copied then.
func Restore(to, from [][]float32) error {
	same := len(to) == len(from)
	for k := range to {
		same = same && len(to[k]) == len(from[k])
	}
	if !same {
		return fmt.Errorf("%w: weights do not fit the network of its configuration", ErrNotWhole)
	}
	for k := range to {
		copy(to[k], from[k])
	}
	return nil
}

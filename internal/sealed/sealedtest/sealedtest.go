// Package sealedtest lets tests put what they like into files of package sealed, so that a
// fuzz target mutates what a checkpoint holds and not its checksum.
package sealedtest

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"os"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/sealed"
)

// stored writes what it is given without compressing it; there is one, since making it costs more
// than reading a checkpoint.
var stored, _ = gzip.NewWriterLevel(nil, gzip.NoCompression)

// File returns the file of a payload, given before compression, with the right length and
// checksum. Not for use by several goroutines at once.
func File(f sealed.Format, payload []byte) []byte {
	var zipped bytes.Buffer
	stored.Reset(&zipped)
	stored.Write(payload)
	stored.Close()
	file := binary.LittleEndian.AppendUint32([]byte(f.Magic), f.Version)
	file = binary.LittleEndian.AppendUint64(file, uint64(zipped.Len()))
	sum := sha256.Sum256(zipped.Bytes())
	return append(append(file, sum[:]...), zipped.Bytes()...)
}

// Payload returns what File makes the file of.
func Payload(t testing.TB, f sealed.Format, path string) []byte {
	t.Helper()
	file := must.Get(os.ReadFile(path))(t)
	zip := must.Get(gzip.NewReader(bytes.NewReader(file[f.HeaderSize():])))(t)
	return must.Get(io.ReadAll(zip))(t)
}

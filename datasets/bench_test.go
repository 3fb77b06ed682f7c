package datasets

import (
	"bytes"
	"os"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// BenchmarkReadDAT reads the largest instance of QAPLIB, 656 kB.
func BenchmarkReadDAT(b *testing.B) {
	data := must.Get(os.ReadFile("qaplib/tai256c.dat"))(b)
	benchmarkRead(b, ".dat", data)
}

// BenchmarkReadNPY reads the affinity of two graphs of 30 nodes, 6.5 MB.
func BenchmarkReadNPY(b *testing.B) {
	var data bytes.Buffer
	if err := WriteNPY(&data, randomInstance(30, 30, 1)); err != nil {
		b.Fatal(err)
	}
	benchmarkRead(b, ".npy", data.Bytes())
}

// BenchmarkReadDD reads the same as costs, one a line.
func BenchmarkReadDD(b *testing.B) {
	var data bytes.Buffer
	if err := WriteDD(&data, randomInstance(30, 30, 1)); err != nil {
		b.Fatal(err)
	}
	benchmarkRead(b, ".dd", data.Bytes())
}

func benchmarkRead(b *testing.B, format string, data []byte) {
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		for _, err := range Read("bench"+format, format, bytes.NewReader(data), int64(len(data)), Options{}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

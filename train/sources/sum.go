package sources

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"
	"strconv"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
)

// validationShare is one in how many instances from files is kept for validation.
const validationShare = 5

func given(in *qap.Instance, name string) train.Given {
	return train.Given{Instance: in, Name: name, Sum: sum(in)}
}

// validates reports whether the instance of a checksum is one to validate with.
func validates(sum string) bool {
	v, err := strconv.ParseUint(sum[:8], 16, 64)
	return err == nil && v%validationShare == 0
}

// sum returns the sha256, in hexadecimal, of what an instance holds, whatever its
// name and the format of its file.
func sum(in *qap.Instance) string {
	h := sha256.New()
	n1, n2 := in.Size()
	write(h, []float64{float64(n1), float64(n2), float64(in.Sense)})
	if in.Complete {
		write(h, []float64{1})
	}
	if kb, ok := in.Affinity.(*qap.KoopmansBeckmann); ok {
		a, b, linear := kb.Given()
		write(h, a)
		write(h, b)
		write(h, linear)
	} else {
		row := make([]float64, n1*n2)
		for p := range row {
			in.Affinity.Row(row, p)
			write(h, row)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

func write(h hash.Hash, numbers []float64) {
	bytes := make([]byte, 0, 8*len(numbers))
	for _, v := range numbers {
		bytes = binary.LittleEndian.AppendUint64(bytes, math.Float64bits(v))
	}
	h.Write(bytes)
}

package qaplib

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"sync"

	"github.com/rgm-go/rgm/qap"
)

// BestKnownOf returns the best known solution of an instance of QAPLIB: an embedded one, or one
// from a file that has both the name and the matrices of one.
func BestKnownOf(in *qap.Instance) (Best, bool) {
	best, known := BestKnown(in.Name)
	if !known {
		return Best{}, false
	}
	have, product := contents(in)
	want, embedded := embeddedContents(in.Name)
	return best, product && embedded && have == want
}

// Compared returns the best known objective of an instance, and how far another is from it in
// percent; nil where that is not known, or not defined.
func Compared(in *qap.Instance, objective float64) (bestKnown, gapPercent *float64) {
	best, known := BestKnownOf(in)
	if !known {
		return nil, nil
	}
	if gap, defined := Gap(objective, best.Value); defined {
		gapPercent = &gap
	}
	return &best.Value, gapPercent
}

// embeddedDigests has what embeddedContents found, a digest by the name of an instance:
// to read an instance takes as long as a short search.
var embeddedDigests sync.Map

// embeddedContents returns the contents of an instance of QAPLIB, false where there is
// none of that name.
func embeddedContents(name string) (digest [sha256.Size]byte, found bool) {
	if known, found := embeddedDigests.Load(name); found {
		return known.([sha256.Size]byte), true
	}
	in, err := Open(name)
	if err != nil {
		return digest, false
	}
	if digest, found = contents(in); found {
		embeddedDigests.Store(name, digest)
	}
	return digest, found
}

// contents returns a digest of the matrices and the sense of an instance, false of those
// that are no Koopmans–Beckmann form.
func contents(in *qap.Instance) (digest [sha256.Size]byte, product bool) {
	k, product := in.Affinity.(*qap.KoopmansBeckmann)
	if !product {
		return digest, false
	}
	h := sha256.New()
	buffer := []byte(in.Sense.String())
	a, b, linear := k.Given()
	for _, m := range [][]float64{a, b, linear} {
		buffer = binary.LittleEndian.AppendUint64(buffer, uint64(len(m)))
		for _, v := range m {
			if buffer = binary.LittleEndian.AppendUint64(buffer, math.Float64bits(v+0)); len(buffer) > 4096 { // +0: −0 is 0
				h.Write(buffer)
				buffer = buffer[:0]
			}
		}
	}
	h.Write(buffer)
	h.Sum(digest[:0])
	return digest, true
}

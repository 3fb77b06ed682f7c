package report

import (
	"slices"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/qap"
)

// BestKnown returns the best known solution of an instance of QAPLIB: an embedded
// one, or one from a file that has both the name and the matrices of one.
func BestKnown(in *qap.Instance) (datasets.Best, bool) {
	best, known := datasets.BestKnown(in.Name)
	if !known {
		return datasets.Best{}, false
	}
	original, err := datasets.QAPLIB(in.Name)
	return best, err == nil && sameMatrices(in, original)
}

// sameMatrices tells whether two instances have Koopmans–Beckmann form and the
// same sense and matrices.
func sameMatrices(x, y *qap.Instance) bool {
	kx, okX := x.Affinity.(*qap.KoopmansBeckmann)
	ky, okY := y.Affinity.(*qap.KoopmansBeckmann)
	if !okX || !okY || x.Sense != y.Sense {
		return false
	}
	ax, bx, lx := kx.Given()
	ay, by, ly := ky.Given()
	return slices.Equal(ax, ay) && slices.Equal(bx, by) && slices.Equal(lx, ly)
}

package qaplib

import (
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// TestBestKnownNeedsTheMatrices: the name alone makes no instance of QAPLIB.
func TestBestKnownNeedsTheMatrices(t *testing.T) {
	nug12 := must.Get(Open("nug12"))(t)
	if best, known := BestKnownOf(nug12); !known || best.Value != 578 {
		t.Errorf("nug12: %v, %v", best.Value, known)
	}
	a, b, _ := nug12.Affinity.(*qap.KoopmansBeckmann).Given()
	other := slices.Clone(a)
	other[1]++
	for name, matrices := range map[string][2][]float64{"other A": {other, b}, "roles changed": {b, a}} {
		in := must.Get(qap.NewKoopmansBeckmann(12, 12, matrices[0], matrices[1], nil, qap.Minimize))(t)
		in.Name = "nug12"
		if _, known := BestKnownOf(in); known {
			t.Errorf("%s: taken for nug12", name)
		}
	}
	renamed := *nug12
	renamed.Name = "nug13"
	if _, known := BestKnownOf(&renamed); known {
		t.Error("nug13 is no instance of QAPLIB")
	}
}

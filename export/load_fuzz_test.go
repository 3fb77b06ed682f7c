package export

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/alloctest"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/research/lcs"
	"github.com/rgm-go/rgm/research/ngm"
	"github.com/rgm-go/rgm/research/paper"
	"github.com/rgm-go/rgm/research/rewriter"
)

// smallest are networks of every architecture, as small as they can be.
func smallest(t testing.TB) []models.Network {
	rng := rand.New(rand.NewPCG(3, 4))
	var list []models.Network
	for _, c := range []models.Config{
		{Architecture: models.ArchitectureGain},
		{Architecture: models.ArchitectureGain, SingleStream: true},
		{Architecture: paper.Name},
		{Architecture: paper.Name, Features: "paper-literal", SingleStream: true},
		{Architecture: paper.Weighted, Features: "paper-weighted-exact"},
		{Architecture: paper.Matched},
		{Architecture: models.ArchitectureAffinity},
		{Architecture: ngm.Name},
		{Architecture: lcs.Name},
		{Architecture: rewriter.Name},
	} {
		c.Hidden, c.Head, c.Iterations = 2, 3, 2
		n := must.Get(models.New(c, rng))(t)
		list = append(list, n)
	}
	return list
}

// FuzzLoad: whatever a model file holds whose digest is right, reading gives an error or a
// network that can be evaluated, and is the same once it is written and read again. It
// allocates little more than the file is long.
func FuzzLoad(f *testing.F) {
	for _, n := range smallest(f) {
		data := must.Get(Marshal(n, "{}"))(f)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := onnx.Unmarshal(data)
		if err != nil {
			return
		}
		m.Metadata[onnx.WeightsKey] = onnx.WeightsDigest(m)
		data = onnx.Marshal(m)
		var n models.Network
		var header models.Header
		alloctest.AtMost(t, uint64(16<<20+200*len(data)), func() { n, header, err = models.Load(data) })
		if err != nil {
			return
		}
		pass := n.NewPass(1, 2, 3)
		if q := pass.Forward(); len(q) != 6 {
			t.Errorf("%d values of 6 vertices", len(q))
		}
		first := must.Get(Marshal(n, header.Training))(t)
		again, _, err := models.Load(first)
		if err != nil {
			t.Fatalf("accepted, but written again refused: %v", err)
		}
		if second, err := Marshal(again, header.Training); err != nil || !bytes.Equal(first, second) {
			t.Errorf("written again twice, the bytes differ, %v", err)
		}
	})
}

// TestWeightsAreFinite: a model of NaN, whose searches would be by chance, is refused.
func TestWeightsAreFinite(t *testing.T) {
	for _, n := range smallest(t) {
		parameters := n.Parameters()
		parameters[len(parameters)-1].Data[0] = float32(math.NaN())
		data := must.Get(Marshal(n, "{}"))(t)
		if _, _, err := models.Load(data); err == nil || !strings.Contains(err.Error(), "hold NaN: export the model again") {
			t.Errorf("%s: %v", n.Architecture(), err)
		}
	}
}

// TestWidthsAreThoseOfTheWeights: a file that states wide layers and holds few weights is
// refused before memory is taken for them.
func TestWidthsAreThoseOfTheWeights(t *testing.T) {
	for _, n := range smallest(t) {
		data := must.Get(Marshal(n, "{}"))(t)
		m := must.Get(onnx.Unmarshal(data))(t)
		m.Metadata["hidden"], m.Metadata["head"], m.Metadata["iterations"] = "4096", "4096", "64"
		data = onnx.Marshal(m)
		alloctest.AtMost(t, 16<<20, func() {
			if _, _, err := models.Load(data); err == nil {
				t.Errorf("%s: accepted", n.Architecture())
			}
		})
	}
}

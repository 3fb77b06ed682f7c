package export

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/modeltest"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/qap/reweigh"
)

// vectorFolder holds the vectors, one file a network. They are made by
//
//	go test ./export -run TestVectors -update
const vectorFolder = "../docs/vectors"

// TestVectors compares docs/vectors with the shipped models.
func TestVectors(t *testing.T) {
	for _, name := range pretrained.Names() {
		modeltest.CheckVectors(t, vectorFolder, name, "models/pretrained/"+name+".onnx", must.Get(pretrained.Model(name))(t), func(n models.Network) []any {
			switch {
			case n.Features() == features.Affinity:
				return affinityVectors(t, n)
			case name == "qap":
				return modeltest.EpisodeVectors{Scaled: true}.Of(t, n, modeltest.AssignmentVectors(t))
			}
			return modeltest.EpisodeVectors{Scaled: true}.Of(t, n, modeltest.MatchingVectors(t))
		})
	}
}

// vectorAffinity is an instance that is re-weighed.
type vectorAffinity struct {
	modeltest.VectorInstance
	Alike     [4]qap.Matching  `json:"alike"`
	Profile   []qap.Matching   `json:"profile"`
	Questions []vectorQuestion `json:"questions"`
	Reweighed []float32        `json:"reweighed"`
}

// vectorQuestion is one of an affinity's share or of a size.
type vectorQuestion struct {
	Share float64   `json:"share,omitempty"`
	Size  int       `json:"size,omitempty"`
	Input []float32 `json:"input"`
	Q     float32   `json:"q"`
}

// affinityVectors are instances with and without nodes' affinities.
func affinityVectors(t *testing.T, n models.Network) []any {
	t.Helper()
	rng := rand.New(rand.NewPCG(27, 28))
	var list []any
	for _, shape := range [][2]int{{5, 5}, {4, 6}} {
		in := modeltest.VectorInstance{Name: fmt.Sprintf("%d and %d nodes", shape[0], shape[1]), N1: shape[0], N2: shape[1], Sense: "max"}
		size := in.N1 * in.N2
		in.K = make([]float64, size*size)
		for p := range size {
			for q := range p {
				if rng.IntN(3) > 0 {
					in.K[p*size+q] = math.Round(1024*math.Exp(-3*rng.Float64())) / 1024
					in.K[q*size+p] = in.K[p*size+q]
				}
			}
			if in.N1 != in.N2 {
				in.K[p*size+p] = float64(rng.IntN(64)) / 64
			}
		}
		list = append(list, vectorsOfAffinity(t, n, in))
	}
	return list
}

func vectorsOfAffinity(t *testing.T, n models.Network, in modeltest.VectorInstance) vectorAffinity {
	t.Helper()
	r, err := newReweighing(in.Instance(t), n)
	if err != nil {
		t.Fatal(err)
	}
	v := vectorAffinity{VectorInstance: in, Alike: r.alike, Reweighed: affinityTensor(r.learned).Data}
	for _, best := range r.sizes.Profile {
		v.Profile = append(v.Profile, best.Matching)
	}
	pass := n.NewPass(1, 1, 1)
	ask := func(q vectorQuestion, write func(dst []float32)) {
		write(pass.Inputs()[0])
		q.Input = append([]float32(nil), pass.Inputs()[0]...)
		q.Q = pass.Forward()[0]
		v.Questions = append(v.Questions, q)
	}
	for _, share := range []float64{1, 0.8, 0.5, 0.125, 0.015625, 0.0009765625} {
		ask(vectorQuestion{Share: share}, func(dst []float32) { r.measures.AskAffinity(dst, share) })
	}
	for size := reweigh.LeastSize; size <= r.sizes.Most(); size++ {
		ask(vectorQuestion{Size: size}, func(dst []float32) { r.sizes.AskSize(dst, size) })
	}
	return v
}

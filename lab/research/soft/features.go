package soft

import (
	"fmt"
	"math"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/train/sources"
)

// Set is the name of the features of networks that give a soft matching of an instance in one
// evaluation. It depends on the instance alone. K is divided by its mean degree, the
// mean over the vertices p of Σ|K[p,q]| over the neighbours q.
const Set = "ngm"

// The channels of the set's first tensor; the second is K between vertices that share
// no node, 0 elsewhere.
const (
	NodeAffinity = iota // K[p,p]
	Degree              // ΣK[p,q] over the neighbours q
	Channels            // how many there are
)

// Whoever imports the package has the set, and its networks as guides of trainings.
func init() {
	sources.RegisterNetworkGuides(withNetwork)
	features.Register(Set,
		features.Tensor{Name: "features", Shape: []features.Dim{features.N1, features.N2, Channels}},
		features.Tensor{Name: "edges", Shape: []features.Dim{features.N1, features.N2, features.N1, features.N2}})
}

// MostVertices is how many vertices an instance may have: its matrix takes 64 MB then.
const MostVertices = 4096

// Fill writes the inputs of an instance as those of the k-th of a batch. It refuses instances of
// more than MostVertices vertices.
func Fill(batch [][]float32, k int, in *qap.Instance) error {
	n1, n2 := in.Size()
	n := n1 * n2
	if n > MostVertices {
		return fmt.Errorf("soft: %s: graphs of %d and %d nodes have %d vertices, more than the %d whose matrix is kept: take another method",
			Set, n1, n2, n, MostVertices)
	}
	vertices, edges := batch[0][k*n*Channels:(k+1)*n*Channels], batch[1][k*n*n:(k+1)*n*n]
	nodes, row, degrees := make([]float64, n), make([]float64, n), make([]float64, n)
	in.Affinity.Diagonal(nodes)
	total := 0.0
	for p := range n {
		clear(row)
		in.Affinity.AddRow(row, p, 1)
		for _, w := range row {
			degrees[p] += w
			total += math.Abs(w)
		}
	}
	scale := 1.0
	if total > 0 {
		scale = float64(n) / total
	}
	for p := range n {
		vertices[p*Channels+NodeAffinity] = float32(scale * nodes[p])
		vertices[p*Channels+Degree] = float32(scale * degrees[p])
		clear(row)
		in.Affinity.AddRow(row, p, scale)
		for q, w := range row {
			edges[p*n+q] = float32(w)
		}
	}
	return nil
}

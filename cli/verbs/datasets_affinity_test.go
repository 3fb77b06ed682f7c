package verbs

import (
	"io"
	"math"
	"path/filepath"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/atomicfile"
)

// TestWriteFeaturedAffinity: two graphs of one edge each, through their files.
func TestWriteFeaturedAffinity(t *testing.T) {
	var folders []string
	for _, feature := range []float64{1, 3} {
		folder := t.TempDir()
		for name, data := range map[string][]float64{"edges.npy": {0, 1}, "edge_features.npy": {feature, 0}} {
			err := atomicfile.Write(filepath.Join(folder, name), func(w io.Writer) error {
				return datasets.WriteArray(w, datasets.Array{Shape: []int{1, 2}, Data: data})
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		folders = append(folders, folder)
	}
	out := filepath.Join(t.TempDir(), "k.npy")
	if err := writeFeaturedAffinity(graphs.Gaussian{Node: 1, Edge: 8}, folders[0], folders[1], out); err != nil {
		t.Fatal(err)
	}
	for in, err := range datasets.Open(out, datasets.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		// The arcs 0→1 of both meet in K[00,11]; K is symmetrised.
		if have, want := in.Affinity.At(0, 3), math.Exp(-4./8)/2; math.Abs(have-want) > 1e-15 {
			t.Errorf("K[0,3] = %v, want %v", have, want)
		}
	}
	if err := writeFeaturedAffinity(graphs.Gaussian{Node: 1, Edge: 8}, folders[0], folders[1], "k.txt"); err == nil {
		t.Error("a format that cannot be written: no error")
	}
}

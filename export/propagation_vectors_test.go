package export

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models/modeltest"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/models/propagation"
	"github.com/rgm-go/rgm/qap/align"
	"github.com/rgm-go/rgm/qap/align/belief"
)

// propagationVectors are states of the pretrained belief propagation on two small graphs, for ports
// of it to compare with.
type propagationVectors struct {
	Model        string    `json:"model"`
	Architecture string    `json:"architecture"`
	Weights      string    `json:"weights_sha256"`
	N1           int       `json:"n1"`
	N2           int       `json:"n2"`
	Edges1       [][2]int  `json:"edges1"`
	Edges2       [][2]int  `json:"edges2"`
	Steps        int       `json:"steps"`    // of the first stage
	First        []float32 `json:"first"`    // S after them
	Matching     []int     `json:"matching"` // that the second stage is told of
	Clues        []float32 `json:"clues"`
	AgainSteps   int       `json:"again_steps"`
	Again        []float32 `json:"again"` // S after them
}

// TestPropagationVectors compares docs/vectors/align.json with the Go forward pass, or writes it.
func TestPropagationVectors(t *testing.T) {
	data := must.Get(pretrained.Model(pretrained.Align))(t)
	n := must.Get(propagation.Load(data))(t)
	m := must.Get(onnx.Check(data))(t)
	rng := rand.New(rand.NewPCG(7, 8))
	v := propagationVectors{
		Model: "models/pretrained/align.onnx", Architecture: propagation.Architecture, Weights: m.Metadata[onnx.WeightsKey],
		N1: 9, N2: 8, Steps: 6, AgainSteps: 3,
	}
	graph := func(nodes int, edges *[][2]int) *align.Graph {
		for range 2 * nodes {
			i, j := rng.IntN(nodes), rng.IntN(nodes)
			*edges = append(*edges, [2]int{i, j})
		}
		return must.Get(align.NewGraph(nodes, len(*edges), func(k int) (i, j int) { return (*edges)[k][0], (*edges)[k][1] }, nil, false))(t)
	}
	p := belief.NewPair(graph(v.N1, &v.Edges1), graph(v.N2, &v.Edges2))
	v.First = n.Believe(p, v.Steps)
	for i := range v.N1 {
		v.Matching = append(v.Matching, 3*i%v.N2)
	}
	v.Matching[v.N1-1] = belief.Unmatched
	v.Clues = propagation.Clues(p, v.First, v.Matching)
	v.Again = n.Doubt(p, v.First, v.Matching, v.AgainSteps)
	path := filepath.Join(vectorFolder, "align.json")
	if modeltest.Update() {
		text, err := json.Marshal(v)
		if err == nil {
			err = os.WriteFile(path, append(text, '\n'), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var kept propagationVectors
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err != nil {
		t.Fatal(err)
	}
	if kept.Weights != v.Weights {
		t.Fatalf("%s is of other weights: go test ./export -run Vectors -update", path)
	}
	for name, pair := range map[string][2][]float32{"first": {kept.First, v.First}, "clues": {kept.Clues, v.Clues}, "again": {kept.Again, v.Again}} {
		for k, want := range pair[1] {
			if math.Abs(float64(pair[0][k]-want)) > Tolerance*(1+math.Abs(float64(want))) { // kernels differ by processor
				t.Fatalf("%s: %s[%d] is %v, Go gives %v", path, name, k, pair[0][k], want)
			}
		}
	}
}

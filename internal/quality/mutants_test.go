package quality

import (
	"encoding/json"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/pretrained"
)

// vectors are inputs of a model with the Q that docs/vectors holds for them.
type vectors struct {
	pass []models.Pass // with the inputs filled in
	q    [][]float32
}

// readVectors prepares the vectors of a model for a network.
func readVectors(t testing.TB, name string, n models.Network) vectors {
	t.Helper()
	text := must.Get(os.ReadFile("../../docs/vectors/" + name + ".json"))(t)
	var file struct {
		Cases []struct {
			N1, N2 int
			States []struct {
				Inputs [][]float32
				Q      []float32
			}
			Questions, Candidates []struct {
				Input []float32
				Q     float32
			}
			Inputs [][]float32
			Q      []float32
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	var v vectors
	add := func(n1, n2 int, inputs [][]float32, q []float32) {
		pass := n.NewPass(1, n1, n2)
		for k, tensor := range inputs {
			copy(pass.Inputs()[k], tensor)
		}
		v.pass, v.q = append(v.pass, pass), append(v.q, q)
	}
	for _, c := range file.Cases {
		for _, s := range c.States {
			add(c.N1, c.N2, s.Inputs, s.Q)
		}
		for _, q := range slices.Concat(c.Questions, c.Candidates) {
			add(1, 1, [][]float32{q.Input}, []float32{q.Q})
		}
		if len(c.Q) > 0 {
			add(1, len(c.Q), [][]float32{slices.Concat(c.Inputs...)}, c.Q)
		}
	}
	return v
}

// difference returns the largest |ΔQ|/(1+|Q|), and how far Q moves beside the mean of
// its state: what all actions share decides nothing.
func (v *vectors) difference() (largest, between float64) {
	for k, pass := range v.pass {
		least, most := math.Inf(1), math.Inf(-1)
		for p, q := range pass.Forward() {
			want := float64(v.q[k][p])
			moved := float64(q) - want
			largest = max(largest, math.Abs(moved)/(1+math.Abs(want)))
			least, most = min(least, moved), max(most, moved)
		}
		between = max(between, most-least)
	}
	return largest, between
}

// vectorTolerance is that of the test of docs/vectors (package export).
const vectorTolerance = 1e-5

// TestZeroedWeightsAreNoticed sets the weights of the shipped models to 0, one at a time.
// The vectors notice nearly every one; the others feed units that no vector wakes. The
// weight that moves actions apart most makes a guard of quality fail too.
func TestZeroedWeightsAreNoticed(t *testing.T) {
	// Of affinity 58 % are noticed, of its part for sizes 76 %, of that for edges 41 %: its vectors
	// ask that of eight pairs of vertices, in docs/vectors/affinity.json, and more would make the
	// file larger, which other languages' tests read.
	leastShare := map[string]float64{"qap": 0.85, "matching": 0.9, "affinity": 0.55} // of the weights
	shipped, expected := shippedNetworks(t), readExpected(t)
	for _, name := range pretrained.Names() {
		mutant := models.Clone(shipped[name])
		v := readVectors(t, name, mutant)
		if d, _ := v.difference(); d > vectorTolerance {
			t.Fatalf("%s: Q differs by %.2g from docs/vectors without a change", name, d)
		}
		noticed, count, largest := 0, 0, 0.0
		var deciding *float32
		for _, p := range mutant.Parameters() {
			for k, w := range p.Data {
				if w == 0 {
					continue
				}
				p.Data[k] = 0
				d, between := v.difference()
				p.Data[k] = w
				count++
				if d > vectorTolerance {
					noticed++
				}
				if len(v.q[0]) == 1 { // an answer a question
					between = d
				}
				if between > largest {
					largest, deciding = between, &p.Data[k]
				}
			}
		}
		share := float64(noticed) / float64(count)
		t.Logf("%s: the vectors notice %d of %d weights set to 0 (%.1f %%)", name, noticed, count, 100*share)
		if share < leastShare[name] {
			t.Errorf("%s: want at least %.0f %%", name, 100*leastShare[name])
		}
		*deciding = 0
		if failing := failing(t, name, mutant, shipped, expected); len(failing) == 0 {
			t.Errorf("%s: no guard fails without the weight that decides most", name)
		} else {
			t.Logf("%s without the weight that decides most: %s", name, strings.Join(failing, "; "))
		}
	}
}

// TestBoundsFailWithoutWeights: a network of zeros breaks the bounds of its guards, so
// they tell good from bad whatever the expected values are.
func TestBoundsFailWithoutWeights(t *testing.T) {
	shipped := shippedNetworks(t)
	for _, g := range guards {
		if g.model == "" {
			continue
		}
		nothing := models.Clone(shipped[g.model])
		for _, p := range nothing.Parameters() {
			clear(p.Data)
		}
		trouble := g.bound(g.measure(t, with(shipped, g.model, nothing)))
		if t.Logf("%s, of zeros: %s", g.name, trouble); trouble == "" {
			t.Errorf("%s: the bound holds for a network of zeros", g.name)
		}
	}
}

// with is the networks with another one of a name.
func with(shipped networks, name string, n models.Network) networks {
	changed := maps.Clone(shipped)
	changed[name] = n
	return changed
}

// failing says which guards of a model fail with a network in its place.
func failing(t *testing.T, model string, mutant models.Network, shipped networks, expected map[string][]value) []string {
	t.Helper()
	changed := with(shipped, model, mutant)
	var list []string
	for _, g := range guards {
		if g.model != model {
			continue
		}
		got := g.measure(t, changed)
		if trouble := g.bound(got); trouble != "" {
			list = append(list, g.name+": "+trouble)
		} else if lines := differences(expected[g.name], got); len(lines) > 0 {
			list = append(list, g.name+": other values in "+lines[0])
		}
	}
	return list
}

package datasets

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// TestMixtureKeepsToItsFamilies: all families of a list come, and no other.
func TestMixtureKeepsToItsFamilies(t *testing.T) {
	chosen := []string{"tree", "grid"}
	seen := map[string]int{}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		in := must.Get(Mixture{Families: chosen}.Instance(5, rng))(t)
		seen[in.Name]++
	}
	if len(seen) != 2 || seen["tree-5"] < seen["grid-5"] || seen["grid-5"] == 0 { // shares 0.18 and 0.13
		t.Errorf("drawn: %v", seen)
	}
	if _, err := (Mixture{Families: []string{"trees"}}).Instance(5, rng); err == nil {
		t.Error("an unknown family is accepted")
	}
}

// TestFamiliesLike: the families in the manner of two classes.
func TestFamiliesLike(t *testing.T) {
	if have, want := FamiliesLike("tai", "chr"), []string{"uniform", "clusters", "tree"}; !slices.Equal(have, want) {
		t.Errorf("%v, want %v", have, want)
	}
}

// TestStreamsKeepTheirDistances: every instance of a stream has the distances of the first
// and flows of its own.
func TestStreamsKeepTheirDistances(t *testing.T) {
	for _, family := range Families() {
		all, err := GenerateStream(family, 9, 3, rand.New(rand.NewPCG(1, 2)))
		if err != nil || len(all) != 3 {
			t.Fatalf("%s: %d instances, %v", family, len(all), err)
		}
		flow, distance, _ := all[0].Affinity.(*qap.KoopmansBeckmann).Given()
		for _, in := range all[1:] {
			a, b, _ := in.Affinity.(*qap.KoopmansBeckmann).Given()
			if !slices.Equal(b, distance) || slices.Equal(a, flow) {
				t.Errorf("%s: distances differ, or flows are the same", family)
			}
		}
	}
	for name, n := range map[string]int{"nosuch": 9, "grid": 1} {
		if _, err := GenerateStream(name, n, 1, rand.New(rand.NewPCG(1, 2))); err == nil {
			t.Errorf("%s of %d nodes is accepted", name, n)
		}
	}
}

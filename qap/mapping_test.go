package qap

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/usage"
)

// TestTopologies: distances are those that a direct count gives.
func TestTopologies(t *testing.T) {
	digits := func(place int, sides ...int) []int { // the last side first
		all := make([]int, len(sides))
		for k := len(sides) - 1; k >= 0; k-- {
			all[k] = place % sides[k]
			place /= sides[k]
		}
		return all
	}
	steps := func(a, b int, wraps bool, sides ...int) float64 {
		sum := 0
		x, y := digits(a, sides...), digits(b, sides...)
		for k, side := range sides {
			by := max(x[k]-y[k], y[k]-x[k])
			if wraps {
				by = min(by, side-by)
			}
			sum += by
		}
		return float64(sum)
	}
	for text, want := range map[string]func(a, b int) float64{
		"grid:7":      func(a, b int) float64 { return steps(a, b, false, 7) },
		"torus:5x9":   func(a, b int) float64 { return steps(a, b, true, 5, 9) },
		"torus:3x4x5": func(a, b int) float64 { return steps(a, b, true, 3, 4, 5) },
		"grid:2x3x2x3": func(a, b int) float64 {
			return steps(a, b, false, 2, 3, 2, 3)
		},
		"hypercube:6": func(a, b int) float64 { return steps(a, b, false, 2, 2, 2, 2, 2, 2) },
		"hierarchy:3:2:4/1:7.5:30": func(a, b int) float64 {
			switch {
			case a == b:
				return 0
			case a/3 == b/3:
				return 1
			case a/6 == b/6:
				return 7.5
			}
			return 30
		},
	} {
		topology := must.Get(ParseTopology(text))(t)
		for a := range topology.Places() {
			for b := range topology.Places() {
				if got := topology.Distance(a, b); got != want(a, b) {
					t.Fatalf("%s: %v from %d to %d, want %v", text, got, a, b, want(a, b))
				}
			}
		}
	}
}

// TestTopologiesAreSmall: no table of all pairs of places is made on the way.
func TestTopologiesAreSmall(t *testing.T) {
	for _, text := range []string{"torus:64x64", "grid:5000", "hypercube:12", "hierarchy:4:8:8:16/1:5:10:100"} {
		usage.AtMost(t, 1<<20, func() {
			if _, err := ParseTopology(text); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestTopologiesAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                      `unknown kind ""`,
		"ring:8":                `unknown kind "ring"`,
		"torus:":                `"" is no number from 1 to 32768`,
		"torus:4x-1":            `"-1" is no number from 1 to 32768`,
		"grid:1000x1000":        "more than 32768 places",
		"hypercube:16":          `"16": want a number of dimensions, 1..15`,
		"hierarchy:4:8":         `the distance "" is no number`,
		"hierarchy:4:8/1":       "2 sizes and 1 distances",
		"hierarchy:4:8/1:far":   `the distance "far" is no number`,
		"hierarchy:300:300/1:2": "more than 32768 places",
		"hierarchy:20000/1":     "a level of 20000 groups has too many places for its table",
	} {
		if _, err := ParseTopology(text); err == nil || !strings.Contains(err.Error(), want+": want grid:32x32, torus") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestMappingIsItsMatrices: a mapping has the affinities, products and scores of the instance of
// both matrices in full.
func TestMappingIsItsMatrices(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for _, text := range []string{"grid:3x4", "torus:12", "hierarchy:2:3:2/1:10:100"} {
		topology := must.Get(ParseTopology(text))(t)
		for _, n1 := range []int{1, 9, 12} {
			var flows []Entry
			for range 2 * n1 {
				flows = append(flows, Entry{rng.IntN(n1), rng.IntN(n1), float64(rng.IntN(9) - 2)})
			}
			in := must.Get(NewMapping(n1, flows, topology, Minimize))(t)
			whole := must.Get(in.Matrices())(t)
			n := n1 * 12
			got, want, x := make([]float64, n), make([]float64, n), make([]float64, n)
			same := func(what string) {
				for p := range got {
					if !near(got[p], want[p]) {
						t.Fatalf("%s, %d facilities, %s: %v at %d, want %v", text, n1, what, got[p], p, want[p])
					}
				}
			}
			for p := range n {
				in.Affinity.Row(got, p)
				for q := range got {
					if got[q] != in.Affinity.At(p, q) {
						t.Fatalf("row %d is not its entries", p)
					}
				}
				whole.Affinity.Row(want, p)
				same("Row")
				x[p] = rng.Float64()
			}
			in.Affinity.Multiply(got, x)
			whole.Affinity.Multiply(want, x)
			same("Multiply")
			m := RandomMatching(n1, 12, rng)
			if in.Score(m) != whole.Score(m) {
				t.Errorf("%s: score %v, want %v", text, in.Score(m), whole.Score(m))
			}
		}
	}
}

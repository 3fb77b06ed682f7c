package compare

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// TestScaleAuto compares scales on points whose outliers lie far away, in the same units
// and in others: auto comes near the better of both, which nobody knows beforehand.
func TestScaleAuto(t *testing.T) {
	const pairs = 25
	for _, c := range []struct {
		name             string
		inliers, outside int
		far, unit        float64
	}{
		{"5 and 1 far away, same units", 5, 1, 5, 1},
		{"5 and 1 far away, other units", 5, 1, 5, 2.5},
		{"10 and 3 farther away, same units", 10, 3, 3, 1},
		{"10 and 3 farther away, other units", 10, 3, 3, 2.5},
		{"14 and 1 twice as far, other units", 14, 1, 4, 3},
		{"10, other units", 10, 0, 1, 2.5},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		found := map[Scale]int{}
		for range pairs {
			g1, g2 := withOutliers(rng, c.inliers, c.outside, c.far, c.unit)
			for _, scale := range []Scale{ScaleAuto, ScaleSame, ScaleFree} {
				m, err := match(context.Background(), g1, g2, matchOptions{
					Design: Design{Scale: scale}, Search: qap.Options{Limits: qap.Limits{MaxSteps: 300}},
				})
				if err != nil {
					t.Fatal(err)
				}
				for i := range c.inliers {
					if m.Matching[i] == i {
						found[scale]++
					}
				}
			}
		}
		share := func(s Scale) float64 { return 100 * float64(found[s]) / float64(pairs*c.inliers) }
		t.Logf("%s: auto %.1f %% of the inliers, same %.1f, free %.1f", c.name, share(ScaleAuto), share(ScaleSame), share(ScaleFree))
		if better := max(share(ScaleSame), share(ScaleFree)); share(ScaleAuto) < better-10 {
			t.Errorf("%s: auto matches %.1f %% of the inliers, the better scale %.1f", c.name, share(ScaleAuto), better)
		}
	}
}

// withOutliers returns noisy points of the unit square in both graphs, and outliers of a
// square far times as wide; those of the second graph in another unit.
func withOutliers(rng *rand.Rand, inliers, outliers int, far, unit float64) (g1, g2 graphs.Graph) {
	const noise = 0.02
	point := func(width float64) []float64 {
		return []float64{width * (rng.Float64() - 0.5), width * (rng.Float64() - 0.5)}
	}
	for range inliers {
		p := point(1)
		g1.Points = append(g1.Points, p)
		g2.Points = append(g2.Points, []float64{unit * (p[0] + noise*rng.NormFloat64()), unit * (p[1] + noise*rng.NormFloat64())})
	}
	for range outliers {
		g1.Points = append(g1.Points, point(far))
		g2.Points = append(g2.Points, point(far*unit))
	}
	g1.Nodes, g2.Nodes = len(g1.Points), len(g2.Points)
	return g1, g2
}

package kinds

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// TestKindWithoutNoise: without noise, two true matches have the greatest affinity where
// they have an edge; outliers have no true match; K is symmetric.
func TestKindWithoutNoise(t *testing.T) {
	for name, k := range map[string]Kind{
		"attributes":  {Inliers: 6, Outliers1: 2, Outliers2: 3, Density: .6, Width: .2},
		"sparse":      {Inliers: 12, Outliers1: 1, Density: .15, Width: .2},
		"scale-free":  {Inliers: 9, Joins: JoinScaleFree, Width: .2},
		"points":      {Inliers: 6, Outliers2: 2, Dimensions: 2, Density: 1, Width: .1, Direction: .4},
		"in space":    {Inliers: 6, Outliers1: 1, Outliers2: 1, Dimensions: 3, Density: 1, Width: .1, Kernel: KernelCauchy},
		"delaunay":    {Inliers: 15, Dimensions: 2, Joins: JoinDelaunay, Width: .1, Kernel: KernelLinear, Direction: .4},
		"nearest":     {Inliers: 15, Dimensions: 2, Joins: JoinNearest, Width: .1, Kernel: KernelLaplace},
		"steps":       {Inliers: 6, Dimensions: 2, Density: 1, Width: .1, Kernel: KernelSteps},
		"less a half": {Inliers: 6, Dimensions: 2, Density: 1, Width: .1, Signs: SignsHalf},
	} {
		k.Name = name
		p := must.Get(k.Pair(rand.New(rand.NewPCG(1, 2))))(t)
		n1, n2 := p.Instance.Size()
		if n1 != k.Inliers+k.Outliers1 || n2 != k.Inliers+k.Outliers2 || p.Truth.Size() != k.Inliers {
			t.Errorf("%s: %d and %d nodes, %d true matches", name, n1, n2, p.Truth.Size())
		}
		greatest := 1.0
		if k.Signs == SignsHalf {
			greatest = .5
		}
		joined := 0
		for i, a := range p.Truth {
			for j, b := range p.Truth {
				if i == j || a == qap.Unmatched || b == qap.Unmatched {
					continue
				}
				v, back := p.Instance.Affinity.At(i*n2+a, j*n2+b), p.Instance.Affinity.At(j*n2+b, i*n2+a)
				if v != back || v != 0 && math.Abs(v-greatest) > 1e-9 {
					t.Fatalf("%s: K of true matches is %v and %v, want %v", name, v, back, greatest)
				}
				if v != 0 {
					joined++
				}
			}
		}
		if joined < k.Inliers {
			t.Errorf("%s: %d ordered pairs of true matches have an edge", name, joined)
		}
	}
}

// TestKernels fall from 1 and are nowhere negative.
func TestKernels(t *testing.T) {
	for k := KernelGauss; k <= KernelSteps; k++ {
		before := k.at(0)
		if before != 1 {
			t.Errorf("kernel %d is %v at 0", k, before)
		}
		for x := 0.0; x < 3; x += .01 {
			if v := k.at(x); v > before || v < 0 {
				t.Errorf("kernel %d is %v at %v, after %v", k, v, x, before)
			} else {
				before = v
			}
		}
	}
}

// TestCentred: the mean over all pairs of edges is 0.
func TestCentred(t *testing.T) {
	k := Kind{Inliers: 7, Dimensions: 2, Density: 1, Noise: .05, Width: .2, Signs: SignsCentred}
	p := must.Get(k.Pair(rand.New(rand.NewPCG(3, 4))))(t)
	sum := 0.0
	p.Instance.EachEdge(func(_, _ int, v float64) { sum += v })
	if math.Abs(sum) > 1e-9 {
		t.Errorf("the affinities add up to %v", sum)
	}
}

func TestKindIsChecked(t *testing.T) {
	for name, k := range map[string]Kind{
		"no inlier":    {Width: 1},
		"size":         {Inliers: maxNodes, Outliers2: 1, Width: 1},
		"width":        {Inliers: 3},
		"NaN":          {Inliers: 3, Width: math.NaN()},
		"density":      {Inliers: 3, Width: 1, Density: 1.1},
		"no points":    {Inliers: 3, Width: 1, Joins: JoinDelaunay},
		"space":        {Inliers: 3, Width: 1, Dimensions: 3, Direction: 1},
		"dimensions":   {Inliers: 3, Width: 1, Dimensions: 1},
		"nearest what": {Inliers: 3, Width: 1, Joins: JoinNearest},
	} {
		if _, err := k.Pair(rand.New(rand.NewPCG(1, 2))); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestBroadIsBroad: kinds of every sort occur, those that are left out do not; the truth is
// a matching of the instance; the same stream gives the same pair.
func TestBroadIsBroad(t *testing.T) {
	const drawn = 300
	seen := map[string]int{}
	for c := range uint64(drawn) {
		n := 6 + int(c)%30
		k := drawKind(n, rand.New(rand.NewPCG(6, c)))
		if k.Kernel == KernelCauchy || k.Kernel == KernelSteps || k.Joins == JoinNearest || k.Joins == JoinScaleFree || k.Dimensions == 3 {
			t.Fatalf("%+v is to be left out", k)
		}
		if k.Density > .6 && k.Joins == JoinShare && k.Inliers+max(k.Outliers1, k.Outliers2) > MostDense {
			t.Errorf("%+v is dense and large", k)
		}
		for name, is := range map[string]bool{
			"points": k.Dimensions == 2, "delaunay": k.Joins == JoinDelaunay, "complete": k.Density == 1, "sparse": k.Joins == JoinShare && k.Density < .5,
			"linear": k.Kernel == KernelLinear, "binary": k.Kernel == KernelBinary, "laplace": k.Kernel == KernelLaplace,
			"signs": k.Signs != SignsNone, "nodes": k.Nodes > 0, "directions": k.Direction > 0, "exact": k.Noise == 0,
			"no outliers": k.Outliers1 == 0 && k.Outliers2 == 0, "unequal": k.Outliers1 != k.Outliers2,
		} {
			if is {
				seen[name]++
			}
		}
	}
	for _, name := range []string{
		"points", "delaunay", "complete", "sparse", "linear", "binary", "laplace", "signs", "nodes", "directions", "exact", "no outliers", "unequal",
	} {
		if seen[name] < drawn/30 || seen[name] > drawn*9/10 {
			t.Errorf("%d of %d kinds are of the sort %s", seen[name], drawn, name)
		}
	}
	for c := range uint64(40) {
		p, err := Broad{}.Pair(6+int(c)/2, rand.New(rand.NewPCG(7, c)))
		if err == nil {
			err = p.Instance.CheckMatching(p.Truth)
		}
		if err != nil {
			t.Fatal(err)
		}
		again, truth, err := Broad{}.Problem(6+int(c)/2, rand.New(rand.NewPCG(7, c)))
		if err != nil || !reflect.DeepEqual(p.Instance, again) || !reflect.DeepEqual(p.Truth, truth) {
			t.Fatalf("pair %d differs when drawn again (%v)", c, err)
		}
	}
}

package distances

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/datasets/costs"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/usage"
)

// drawn returns small graphs of which many are alike.
func drawn(t *testing.T, rng *rand.Rand, count int) *costs.Collection {
	t.Helper()
	var all []*graphs.Graph
	for range count {
		g := &graphs.Graph{Nodes: 2 + rng.IntN(5)}
		words := make([]string, g.Nodes)
		for i := range words {
			words[i] = string(rune('C' + rng.IntN(2)))
			for j := range i {
				if rng.IntN(3) > 0 {
					g.Edges = append(g.Edges, graphs.Edge{I: j, J: i})
				}
			}
		}
		g.NodeWords = []graphs.Attribute[string]{{Name: "symbol", Values: words}}
		all = append(all, g)
	}
	uniform, err := costs.Named("uniform")
	if err != nil {
		t.Fatal(err)
	}
	c, err := uniform.Collect(all...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// matrix returns all distances, proved.
func matrix(t *testing.T, c *costs.Collection, threads int) [][]float64 {
	t.Helper()
	d := make([][]float64, c.Len())
	for i := range d {
		d[i] = make([]float64, c.Len())
	}
	count := 0
	err := All(context.Background(), c, nil, Options{Threads: threads}, func(found []Pair) error {
		for _, p := range found {
			if !p.Proved() || p.Lower != p.Cost || p.J >= p.I {
				t.Errorf("%+v", p)
			}
			d[p.I][p.J], d[p.J][p.I] = p.Cost, p.Cost
		}
		count += len(found)
		return nil
	})
	if err != nil || count != Pairs(c.Len()) {
		t.Fatal(count, err)
	}
	return d
}

func TestAll(t *testing.T) {
	ended := usage.Goroutines(t)
	defer ended()
	c := drawn(t, rand.New(rand.NewPCG(rand.Uint64(), 1)), 30)
	one, three := matrix(t, c, 1), matrix(t, c, 3)
	for i := range one {
		if !slices.Equal(one[i], three[i]) {
			t.Errorf("row %d: %v on one processor, %v on three", i, one[i], three[i])
		}
		for j := range one {
			for k := range one {
				if one[i][j] > one[i][k]+one[k][j] {
					t.Fatalf("%d to %d is farther than by way of %d", i, j, k)
				}
			}
		}
	}
}

func TestNearest(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 2))
	for range 10 {
		c := drawn(t, rng, 40)
		d := matrix(t, c, 2)
		to, count := rng.IntN(40), 1+rng.IntN(12)
		n, err := Nearest(context.Background(), c, to, count, Options{Threads: 2})
		if err != nil || !n.Certified || len(n.Pairs) != count {
			t.Fatalf("%+v, %v", n, err)
		}
		want := slices.Delete(slices.Clone(d[to]), to, to+1)
		slices.Sort(want)
		for k, p := range n.Pairs {
			if p.Cost != want[k] || p.Cost != d[to][p.J] || p.J == to {
				t.Fatalf("neighbour %d is %+v, at %v; want one at %v", k, p, d[to][p.J], want[k])
			}
		}
	}
}

func TestNearestOfFew(t *testing.T) {
	c := drawn(t, rand.New(rand.NewPCG(rand.Uint64(), 3)), 3)
	if n, err := Nearest(context.Background(), c, 1, 10, Options{}); err != nil || len(n.Pairs) != 2 || !n.Certified {
		t.Errorf("%+v, %v", n, err)
	}
	if _, err := Nearest(context.Background(), c, 1, 0, Options{}); err == nil {
		t.Error("no neighbours are found")
	}
}

// TestRecord kills a run, damages the end of its record, and goes on.
func TestRecord(t *testing.T) {
	c := drawn(t, rand.New(rand.NewPCG(rand.Uint64(), 5)), 40)
	whole := matrix(t, c, 2)
	path := filepath.Join(t.TempDir(), "record")
	killed := errors.New("killed")
	known := map[int]float64{}
	for run := 0; len(known) < Pairs(40); run++ {
		clear(known)
		r, err := OpenRecord(path, "of these", func(p Pair) {
			if _, twice := known[Number(p.I, p.J)]; twice {
				t.Errorf("%d, %d twice", p.I, p.J)
			}
			known[Number(p.I, p.J)] = p.Cost
		})
		if err != nil {
			t.Fatal(err)
		}
		blocks := 0
		before := len(known)
		err = All(context.Background(), c, func(k int) bool { _, is := known[k]; return is }, Options{}, func(found []Pair) error {
			if blocks++; blocks > 3 && run < 3 {
				return killed
			}
			return r.Add(found)
		})
		if err != nil && !errors.Is(err, killed) || run > 3 && len(known) == before && before < Pairs(40) {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || run < 2 && os.Truncate(path, info.Size()-7) != nil {
			t.Fatal(err)
		}
	}
	for k, cost := range known {
		if i, j := Place(k); whole[i][j] != cost {
			t.Errorf("%d, %d: %v, want %v", i, j, cost, whole[i][j])
		}
	}
	if _, err := OpenRecord(path, "of those", func(Pair) {}); !errors.Is(err, ErrOther) {
		t.Error(err)
	}
}

func FuzzRecord(f *testing.F) {
	f.Add([]byte(magic + "x\n"))
	f.Add([]byte(magic + "x\n" + string(make([]byte, recordSize+3))))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "record")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := OpenRecord(path, "x", func(p Pair) {
			if p.I <= p.J || !(p.Lower <= p.Cost) {
				t.Errorf("%+v", p)
			}
		})
		if err == nil {
			_ = r.Close()
		}
	})
}

func TestPlaces(t *testing.T) {
	number := 0
	for i := range 300 {
		for j := range i {
			if a, b := Place(number); a != i || b != j || Number(i, j) != number {
				t.Fatalf("pair %d is %d, %d; want %d, %d", number, a, b, i, j)
			}
			number++
		}
	}
	const n = 1 << 20
	if i, j := Place(Pairs(n) - 1); i != n-1 || j != n-2 {
		t.Error(i, j)
	}
}

func TestStops(t *testing.T) {
	ended := usage.Goroutines(t)
	defer ended()
	c := drawn(t, rand.New(rand.NewPCG(rand.Uint64(), 4)), 40)
	full := errors.New("the disk is full")
	calls := 0
	err := All(context.Background(), c, nil, Options{Threads: 2}, func([]Pair) error { calls++; return full })
	if !errors.Is(err, full) || calls > 2 {
		t.Errorf("%d calls, %v", calls, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	err = All(ctx, c, nil, Options{Threads: 2}, func([]Pair) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

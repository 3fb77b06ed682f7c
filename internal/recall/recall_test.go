package recall

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// drawn returns a problem whose flows are drawn by one generator, and distances by another.
func drawn(t *testing.T, n int, flows, distances uint64) *qap.Instance {
	t.Helper()
	a, b := matrix(n, flows), matrix(n, distances)
	in := must.Get(qap.NewKoopmansBeckmann(n, n, a, b, nil, qap.Minimize))(t)
	in.Name = fmt.Sprintf("drawn%d", flows)
	return in
}

func matrix(n int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 5))
	m := make([]float64, n*n)
	for i := range n {
		for j := range i {
			v := float64(rng.IntN(100))
			m[i*n+j], m[j*n+i] = v, v
		}
	}
	return m
}

func shuffled(n int, seed uint64) qap.Matching {
	return rand.New(rand.NewPCG(seed, 9)).Perm(n)
}

// TestRecall: the best of what was kept for problems of the same size comes back, from another program's store too.
func TestRecall(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "kept")
	s := must.Get(Open(folder))(t)
	in := drawn(t, 9, 1, 2)
	if found := must.Get(s.Recall(t.Context(), in))(t); found.Kept != 0 || found.Assignment != nil {
		t.Fatalf("from nothing: %+v", found)
	}
	best := qap.Matching(nil)
	for seed := range uint64(6) {
		m := shuffled(9, seed)
		if err := s.Keep(drawn(t, 9, 10+seed, 2), m); err != nil {
			t.Fatal(err)
		}
		if best == nil || in.Score(m) > in.Score(best) {
			best = m
		}
	}
	if err := s.Keep(drawn(t, 8, 1, 2), shuffled(8, 1)); err != nil {
		t.Fatal(err)
	}
	for _, store := range []*Store{s, must.Get(Open(folder))(t)} {
		found := must.Get(store.Recall(t.Context(), in))(t)
		if found.Kept != 6 || found.Score != in.Score(found.Assignment) || found.Score < in.Score(best) || !found.Renumbered && !slices.Equal(found.Assignment, best) {
			t.Errorf("%+v: want %v of 6", found, best)
		}
	}
}

// TestKeepsTheBetter: of one problem the better assignment stays, whichever comes first.
func TestKeepsTheBetter(t *testing.T) {
	s := must.Get(Open(t.TempDir()))(t)
	in := drawn(t, 7, 1, 2)
	m, other := shuffled(7, 1), shuffled(7, 2)
	if in.Score(m) < in.Score(other) {
		m, other = other, m
	}
	for _, keep := range []qap.Matching{other, m, other} {
		if err := s.Keep(in, keep); err != nil {
			t.Fatal(err)
		}
	}
	if found := must.Get(s.Recall(t.Context(), in))(t); found.Kept != 1 || !slices.Equal(found.Assignment, m) {
		t.Errorf("%+v: want %v", found, m)
	}
}

// TestRenumbered: nodes under other numbers are brought into order by their flows.
func TestRenumbered(t *testing.T) {
	const n = 16
	s := must.Get(Open(t.TempDir()))(t)
	flows := matrix(n, 1)
	in := drawn(t, n, 1, 2)
	m := shuffled(n, 3)
	if err := s.Keep(in, m); err != nil {
		t.Fatal(err)
	}
	p := shuffled(n, 4) // node i of the new problem is node p[i] of the old one
	moved := make([]float64, n*n)
	for i := range n {
		for j := range n {
			moved[i*n+j] = flows[p[i]*n+p[j]]
		}
	}
	again := must.Get(qap.NewKoopmansBeckmann(n, n, moved, matrix(n, 2), nil, qap.Minimize))(t)
	found := must.Get(s.Recall(t.Context(), again))(t)
	if !found.Renumbered || found.Score != in.Score(m) {
		t.Errorf("%+v: want score %v", found, in.Score(m))
	}
}

// TestBoundedAndWhole: the oldest go first, and what is damaged, foreign or no permutation counts for nothing.
func TestBoundedAndWhole(t *testing.T) {
	folder := t.TempDir()
	s := must.Get(Open(folder))(t)
	old := time.Now().Add(-time.Hour)
	first := drawn(t, 4, 1000, 2)
	for k := range uint64(Most) {
		in := drawn(t, 4, 1000+k, 2)
		if err := s.Keep(in, shuffled(4, k)); err != nil {
			t.Fatal(err)
		}
		if k == 0 { // older than all others
			if err := os.Chtimes(filepath.Join(folder, sumOf(in)+ending), old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Keep(drawn(t, 4, 9, 2), shuffled(4, 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, sumOf(first)+ending)); !os.IsNotExist(err) {
		t.Errorf("the oldest is still there: %v", err)
	}
	if found := must.Get(s.Recall(t.Context(), first))(t); found.Kept != Most {
		t.Errorf("%d are kept, want %d", found.Kept, Most)
	}

	folder = t.TempDir()
	for name, data := range map[string][]byte{"a" + ending: []byte("nothing of ours"), "b" + ending: nil, "c.txt": []byte("foreign")} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, p := range map[string]problem{
		"d" + ending: {Sums: []float64{1, 2}, Assignment: []int32{0, 0}},
		"e" + ending: {Sums: []float64{1}, Assignment: []int32{0, 1}},
		"f" + ending: {Sums: []float64{1, 2}, Assignment: []int32{0, 1}, Flows: []float64{1}},
	} {
		if err := format.Write(filepath.Join(folder, name), p); err != nil {
			t.Fatal(err)
		}
	}
	if found := must.Get(must.Get(Open(folder))(t).Recall(t.Context(), drawn(t, 2, 1, 2)))(t); found.Kept != 0 {
		t.Errorf("%d damaged files count", found.Kept)
	}
}

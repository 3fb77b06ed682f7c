package pairs_test

import (
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/graphs"
	. "github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// writeStack writes the stacks of a NAME into a folder.
func writeStack(t testing.TB, folder, name string, all []Pair) {
	t.Helper()
	var instances []*qap.Instance
	for _, p := range all {
		instances = append(instances, p.Instance)
	}
	write := func(ending string, write func(io.Writer) error) {
		file := must.Get(os.Create(filepath.Join(folder, name+ending)))(t)
		if err := write(file); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	points1, points2, truths := Stacks(all)
	for ending, a := range map[string]datasets.Array{EndPoints1: points1, EndPoints2: points2, EndTruths: truths} {
		write(ending, func(w io.Writer) error { return datasets.WriteArray(w, a) })
	}
	write(EndAffinities, func(w io.Writer) error { return datasets.WriteNPY(w, instances...) })
}

// images returns pairs of images that share some.
func images(t testing.TB, count int) []Pair {
	rng := rand.New(rand.NewPCG(1, 2))
	var photos [][]graphs.Point
	for range 9 {
		photos = append(photos, UniformPoints(5, rng))
	}
	var all []Pair
	for range count {
		x, y := rng.IntN(9), rng.IntN(9)
		p := Pair{Truth: FirstMatch(6, 5), Points1: append(slices.Clone(photos[x]), UniformPoints(1, rng)...), Points2: append(slices.Clone(photos[y]), UniformPoints(1, rng)...)}
		all = append(all, must.Get(must.Get(p.WithAffinity(affinities.PaperSynthetic))(t).Relabelled(rng))(t))
	}
	return all
}

// TestReadKnown: what was written comes back, and pairs name their images.
func TestReadKnown(t *testing.T) {
	folder, want := t.TempDir(), images(t, 12)
	writeStack(t, folder, "photos", want)
	got := must.Get(ReadKnown(folder))(t)
	if len(got) != len(want) {
		t.Fatalf("%d pairs, want %d", len(got), len(want))
	}
	names := map[string]bool{}
	for k, p := range got {
		if !slices.Equal(p.Truth, want[k].Truth) || p.Instance.Score(p.Truth) != want[k].Instance.Score(want[k].Truth) || len(p.Groups) != 2 {
			t.Errorf("pair %d: %v of %v", k, p.Truth, p.Groups)
		}
		names[p.Groups[0]], names[p.Groups[1]] = true, true
	}
	if len(names) > 9 {
		t.Errorf("%d images, 9 are there", len(names))
	}
	for _, wrong := range []string{t.TempDir(), filepath.Join(folder, "nowhere")} {
		if _, err := ReadKnown(wrong); err == nil {
			t.Errorf("%s: no error", wrong)
		}
	}
	for _, ending := range []string{EndTruths, EndAffinities, EndPoints1} { // of another number of pairs
		other := t.TempDir()
		writeStack(t, other, "photos", images(t, 11))
		data := must.Get(os.ReadFile(filepath.Join(folder, "photos"+ending)))(t)
		if err := os.WriteFile(filepath.Join(other, "photos"+ending), data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadKnown(other); err == nil {
			t.Errorf("other %s: no error", ending)
		}
	}
}

// TestHeldOut: what is held out shares no image with what is trained on; independent pairs are
// all used, a fifth of them held out.
func TestHeldOut(t *testing.T) {
	folder := t.TempDir()
	writeStack(t, folder, "photos", images(t, 200))
	all := must.Get(ReadKnown(folder))(t)
	for seed := range uint64(5) {
		training, held := HeldOut(all, seed)
		seen := map[string]bool{}
		for _, p := range training {
			seen[p.Groups[0]], seen[p.Groups[1]] = true, true
		}
		for _, p := range held {
			if seen[p.Groups[0]] || seen[p.Groups[1]] {
				t.Fatalf("%s is held out and its images are trained on", p.Name)
			}
		}
		if len(training) < 50 || len(held) < 10 {
			t.Errorf("%d pairs to train on, %d held out", len(training), len(held))
		}
		for k := range all {
			all[k].Groups = []string{all[k].Name}
		}
		if training, held := HeldOut(all, seed); len(training) != 160 || len(held) != 40 {
			t.Errorf("%d and %d of 200 independent pairs", len(training), len(held))
		}
		all = must.Get(ReadKnown(folder))(t)
	}
}

package qaplib

import (
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/testdata"
	"github.com/rgm-go/rgm/qap"
)

func TestEveryQAPLIBInstanceLoadsWithTheSizeInItsName(t *testing.T) {
	names := Names()
	if len(names) != 136 {
		t.Errorf("%d instances, want 136", len(names))
	}
	for _, name := range names {
		in, err := Open(name)
		if err != nil {
			t.Error(err)
			continue
		}
		n1, n2 := in.Size()
		if want := nominalSize(name); n1 != want || n2 != want {
			t.Errorf("%s has %d and %d nodes, want %d", name, n1, n2, want)
		}
		if in.Name != name || in.Sense != qap.Minimize || !in.Complete {
			t.Errorf("%s: name %q, sense %v, complete %v", name, in.Name, in.Sense, in.Complete)
		}
	}
}

// TestBestKnownMatchingsCostWhatIsStated demands equality: all data are integers.
func TestBestKnownMatchingsCostWhatIsStated(t *testing.T) {
	for _, name := range Names() {
		best, ok := BestKnown(name)
		if !ok || best.Source == "" {
			t.Errorf("%s: no best known value, or no source", name)
		}
		if best.Matching == nil {
			if name != "tai100a" {
				t.Errorf("%s: no matching", name)
			}
			continue
		}
		in := must.Get(Open(name))(t)
		if err := in.CheckMatching(best.Matching); err != nil || !in.IsSolution(best.Matching) {
			t.Errorf("%s: no permutation: %v", name, err)
			continue
		}
		if cost := in.Objective(in.Score(best.Matching)); cost != best.Value {
			t.Errorf("%s: matching costs %v, stated is %v", name, cost, best.Value)
		}
	}
	if len(bestKnown()) != len(Names()) {
		t.Errorf("%d best known values for %d instances", len(bestKnown()), len(Names()))
	}
}

// Values as QAPLIB publishes them.
func TestBestKnownValues(t *testing.T) {
	for name, want := range map[string]Best{
		"nug12":   {Value: 578, Optimal: true},
		"els19":   {Value: 17212548, Optimal: true},
		"tho30":   {Value: 149936, Optimal: true},
		"kra32":   {Value: 88700, Optimal: true},
		"esc16f":  {Value: 0, Optimal: true},
		"tai100a": {Value: 21044752},
		"tai256c": {Value: 44759294},
	} {
		if best, ok := BestKnown(name); !ok || best.Value != want.Value || best.Optimal != want.Optimal {
			t.Errorf("%s: %v optimal %v, want %v %v", name, best.Value, best.Optimal, want.Value, want.Optimal)
		}
	}
	if _, ok := BestKnown("dre15"); ok {
		t.Error("a best known value for dre15, which is not of QAPLIB")
	}
}

func TestBestKnownMatchingIsACopy(t *testing.T) {
	first, _ := BestKnown("nug12")
	first.Matching[0] = 99
	if second, _ := BestKnown("nug12"); second.Matching[0] == 99 {
		t.Error("changing a returned matching changed the table")
	}
}

func TestGapIsUndefinedAtZero(t *testing.T) {
	if gap, ok := Gap(1200, 1000); !ok || gap != 20 {
		t.Errorf("gap of 1200 to 1000 is %v %v, want 20", gap, ok)
	}
	if gap, ok := Gap(-90, -100); !ok || gap != 10 {
		t.Errorf("gap of -90 to -100 is %v %v, want 10", gap, ok)
	}
	if _, ok := Gap(2, 0); ok {
		t.Error("a gap to 0 is defined")
	}
}

func TestNamesAreSortedByClassThenSize(t *testing.T) {
	names := Names()
	order := []string{"bur26a", "chr12a", "esc64a", "esc128", "nug12", "nug30", "tai10a", "tai64c", "tai100a", "tai256c", "wil100"}
	last := -1
	for _, name := range order {
		k := slices.Index(names, name)
		if k <= last {
			t.Errorf("%s is at %d, want it behind %d", name, k, last)
		}
		last = k
	}
	if Class("nug30") != "nug" || Class("bur26a") != "bur" || Class("") != "" {
		t.Error("a class is not the leading letters")
	}
}

func TestUnknownNameSuggestsNearOnes(t *testing.T) {
	for name, want := range map[string]string{
		"nug29":     `datasets: no QAPLIB instance is called "nug29"; near it are nug20, nug21, nug22`,
		"tai64":     `near it are tai64c`,
		"spaghetti": `(names look like nug30 or tai64c)`,
		"../qaplib": `no QAPLIB instance`,
		"":          `no QAPLIB instance`,
		"nug12.dat": `no QAPLIB instance`,
		"x/y":       `no QAPLIB instance`,
	} {
		_, err := Open(name)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", name, err, want)
		}
	}
}

func TestPaperSetIsThatOfTheReferenceNumbers(t *testing.T) {
	var reference struct {
		Solvers map[string]struct {
			PerInstance map[string]any `json:"per_instance"`
		}
	}
	testdata.ReadJSON(t, &reference, "reference", "peers_qaplib.json")
	want := reference.Solvers["scipy_faq"].PerInstance
	set := PaperSet(12, 64)
	if len(set) != 108 || len(want) != 108 {
		t.Errorf("%d instances, the reference has %d, want 108", len(set), len(want))
	}
	for _, name := range set {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is not in the reference", name)
		}
	}
}

// TestPaperSetOfLargeInstances: those of 100 nodes and more, each with a best known
// value that gaps can be taken to.
func TestPaperSetOfLargeInstances(t *testing.T) {
	want := []string{
		"esc128", "sko100a", "sko100b", "sko100c", "sko100d", "sko100e", "sko100f",
		"tai100a", "tai100b", "tai150b", "tai256c", "tho150", "wil100",
	}
	set := PaperSet(100, 256)
	if !slices.Equal(set, want) {
		t.Errorf("%v, want %v", set, want)
	}
	for _, name := range set {
		if best, known := BestKnown(name); !known || best.Value == 0 {
			t.Errorf("%s: best known %v, %v", name, best.Value, known)
		}
	}
}

// TestSmallerHalf: at most half of a class, none of it larger than any other
// instance of the paper's set, and nothing outside that set.
func TestSmallerHalf(t *testing.T) {
	count := 0
	for _, class := range PaperClasses() {
		half := SmallerHalf(class)
		count += len(half)
		rest := 0
		for _, name := range PaperSet(12, 64) {
			if Class(name) != class || slices.Contains(half, name) {
				continue
			}
			rest++
			if len(half) > 0 && nominalSize(name) < nominalSize(half[len(half)-1]) {
				t.Errorf("%s is smaller than %s, but not in the smaller half", name, half[len(half)-1])
			}
		}
		if d := rest - len(half); d != 0 && d != 1 {
			t.Errorf("%s: halves of %d and %d", class, len(half), rest)
		}
	}
	if count != 50 {
		t.Errorf("%d instances to train on, want 50", count)
	}
	for name, want := range map[string]bool{"chr12a": true, "chr25a": false, "wil50": false, "els19": false, "esc16f": false, "tai256c": false} {
		if InSmallerHalf(name) != want {
			t.Errorf("%s: in the smaller half %v, want %v", name, !want, want)
		}
	}
}

// TestFamiliesLike: every class of the paper has a family in its manner.
func TestFamiliesLike(t *testing.T) {
	for _, class := range PaperClasses() {
		if len(datasets.FamiliesLike(class)) == 0 {
			t.Errorf("no family like %s", class)
		}
	}
}

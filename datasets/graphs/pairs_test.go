package graphs

import (
	"reflect"
	"strings"
	"testing"
)

func named(name string, names ...string) *Graph {
	return &Graph{Name: name, Nodes: len(names), Names: names}
}

// TestKnownPairs: pairs by names, whatever separates them, and by numbers where no name is one.
func TestKnownPairs(t *testing.T) {
	left, right := named("left", "hazel", "red oak", "a:b", "elm"), named("right", "Hazel", "Oak", "b:c")
	p := NewPairing(left, right)
	want := []Pair{{0, 0}, {1, 1}}
	for _, text := range []string{
		"hazel Hazel\n\"red oak\" Oak\n", "# known\nhazel\tHazel\r\nred oak\tOak\r\n", "i,a\nhazel,Hazel\n\"red oak\",Oak\n", "0 0\n1 1",
		"hazel, Hazel\nred oak,Oak\n", // blanks in names, as tables write them
		"i,a,witnesses,margin,sure,group\nhazel,Hazel,2,1,false,\nred oak,Oak,0,0,false,1\n", // as alignments are printed
		"i\ta\twitnesses\tmargin\tsure\tgroup\nhazel\tHazel\t2\t1\tfalse\t\nred oak\tOak\t0\t0\tfalse\t1\n",
	} {
		if have, err := p.Known(strings.NewReader(text)); err != nil || !reflect.DeepEqual(have, want) {
			t.Errorf("%q: %v, %v; want %v", text, have, err, want)
		}
	}
	for text, want := range map[string]Pair{"hazel:Hazel": {0, 0}, "red oak:Oak": {1, 1}, "3:2": {3, 2}, "a:b:b:c": {2, 2}} {
		if have, err := p.Pair(text); err != nil || have != want {
			t.Errorf("%q: %v, %v; want %v", text, have, err, want)
		}
	}
	for text, want := range map[string]string{
		"hazel":         `"hazel": want A:B`,
		"hasel:Hazel":   `no node of left is called "hasel"; did you mean hazel?`,
		"hazel:Beech":   `no node of right is called "Beech"`,
		"hazel:7":       `no node of right is called "7"`,
		"hazel:Hazel:x": `no node of`,
	} {
		if _, err := p.Pair(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", text, err, want)
		}
	}
	similar, err := p.Similar(strings.NewReader("hazel Hazel 12.5\n% best hits\nelm,Oak,3e-2\n"))
	if want := []Similar{{Pair{0, 0}, 12.5}, {Pair{3, 1}, .03}}; err != nil || !reflect.DeepEqual(similar, want) {
		t.Errorf("%v, %v; want %v", similar, err, want)
	}
	comma := NewPairing(named("left", "Oak, red"), named("right", "x \"y\""))
	if have, err := comma.Known(strings.NewReader("\"Oak, red\",\"x \"\"y\"\"\"\n")); err != nil || !reflect.DeepEqual(have, []Pair{{0, 0}}) {
		t.Errorf("names with commas and quotes: %v, %v", have, err)
	}
	numbered := NewPairing(named("left", "1", "2"), named("right", "2", "1"))
	if have, err := numbered.Pair("1:1"); err != nil || have != (Pair{0, 1}) {
		t.Errorf("names that are numbers: %v, %v", have, err)
	}
	if _, err := numbered.Pair("0:1"); err == nil {
		t.Error("a number that is no name was taken for the place of a node whose graph calls nodes by numbers")
	}
}

// TestBadPairs: lines that are no pairs, and pairs that cannot all be right.
func TestBadPairs(t *testing.T) {
	p := NewPairing(named("left", "a", "b", "c", "c"), named("right", "A", "B"))
	for text, want := range map[string]string{
		"a\n":          `line 1: "a": want the names of a node of each graph, separated by`,
		"a A 1\n":      `line 1: "a A 1"`,
		"a A\nb C\n":   `line 2: no node of right is called "C"`,
		"a A\n\nc B\n": `line 3: several nodes of left are called "c"`,
		"a A\nb A\n":   `b:A conflicts with a:A`,
	} {
		if _, err := p.Known(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"a A\n":     `line 1: "a A": want the names of a node of each graph, and how alike`,
		"a A -1\n":  `line 1: the similarity "-1": want a number above 0`,
		"a A nan\n": `line 1: the similarity "nan"`,
	} {
		if _, err := p.Similar(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", text, err, want)
		}
	}
	if _, err := p.OpenKnown("missing.tsv"); err == nil || !strings.Contains(err.Error(), "missing.tsv: no such file") {
		t.Errorf("a file that is not there: %v", err)
	}
}

func FuzzPairs(f *testing.F) {
	for _, text := range []string{"hazel Hazel 1\n", "a\tb\tc\n", "i,a\n\"a b\",c\n", "0 0 1e300\n"} {
		f.Add(text)
	}
	p := NewPairing(named("left", "hazel", "a b"), named("right", "Hazel", "c"))
	f.Fuzz(func(t *testing.T, text string) {
		pairs, err := p.Known(strings.NewReader(text))
		if err == nil && CheckPairs(pairs, p.index1.graph, p.index2.graph) != nil {
			t.Fatal(pairs)
		}
		similar, err := p.Similar(strings.NewReader(text))
		for _, s := range similar {
			if err == nil && (s.I < 0 || s.I > 1 || s.J < 0 || s.J > 1 || !(s.Score > 0)) {
				t.Fatal(s)
			}
		}
	})
}

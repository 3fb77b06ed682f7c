package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/datasets/edited"
	"github.com/rgm-go/rgm/internal/must"
)

// knownFile writes pairs, each line changed.
func knownFile(t *testing.T, change func(string) string, all ...edited.Pair) string {
	t.Helper()
	var text bytes.Buffer
	for _, p := range all {
		fmt.Fprintln(&text, change(string(must.Get(json.Marshal(p))(t))))
	}
	path := filepath.Join(t.TempDir(), "pairs.jsonl")
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDistance(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	var all []edited.Pair
	for k, kind := range edited.Kinds() {
		p := must.Get(edited.Generate(kind, 6, 3, rng))(t)
		p.ID = fmt.Sprint(k)
		all = append(all, p)
	}
	labels := edited.Graph{Nodes: []string{"1:AB", "2:C", "1:A"}, Edges: []edited.Edge{{I: 0, J: 1, Label: "x,y"}, {I: 1, J: 2, Label: "x"}}}
	other := edited.Graph{Nodes: []string{"2:C", "1:B"}, Edges: []edited.Edge{{I: 0, J: 1, Label: "y"}}}
	all = append(all, edited.Pair{ID: "protein", Costs: "protein", Bin: "protein", Graph1: labels, Graph2: other, Best: .75 + .25 + 8.25 + .25, Map: []int{1, 0, -1}})
	all = append(all, edited.Pair{ID: "chem2", Costs: "chem2", Bin: "chem2", Graph1: labels, Graph2: other, Best: 1000})
	s := DistanceSettings{TimeLimits: nil, By: ByNodes, Format: "csv"}
	s.TimeLimits = append(s.TimeLimits, 0)
	var claims []DistanceClaim
	err := Distance(context.Background(), &s, []string{knownFile(t, func(line string) string { return line }, all...)}, func(c DistanceClaim) error {
		if !c.Proved || *c.Lower > c.Cost || c.Cost > c.pair.Best {
			t.Errorf("%+v", c)
		}
		claims = append(claims, c)
		return nil
	})
	if err != nil || len(claims) != len(all) {
		t.Fatal(len(claims), err)
	}
	var table bytes.Buffer
	if err := s.PrintDistance(&table, claims); err != nil || !strings.Contains(table.String(), "all (6),rgm,100.00") {
		t.Errorf("%s, %v", &table, err)
	}
}

// TestDistanceClaims: what the best known contradicts is told.
func TestDistanceClaims(t *testing.T) {
	plain := edited.Graph{Nodes: []string{"", "", ""}, Edges: []edited.Edge{{I: 0, J: 1}, {I: 1, J: 2}}}
	p := edited.Pair{ID: "a", Costs: "uniform", Graph1: plain, Graph2: edited.Graph{Nodes: []string{"", ""}, Edges: []edited.Edge{{I: 0, J: 1}}}, Best: 2, Proved: true}
	lower, high := 1.0, 3.0
	for _, c := range []struct {
		claim DistanceClaim
		wrong string
	}{
		{DistanceClaim{Map: []int{0, 1, -1}, Cost: 2, Lower: &lower}, ""},
		{DistanceClaim{Map: []int{0, -1, 1}, Cost: 4}, ""},
		{DistanceClaim{Map: []int{0, -1, 1}, Cost: 3}, "the edits cost 4"},
		{DistanceClaim{Map: []int{0, -1, 1}, Cost: 4, Proved: true}, "claimed to be proved"},
		{DistanceClaim{Map: []int{0, 1, -1}, Cost: 2, Lower: &high}, "the lower bound is 3"},
		{DistanceClaim{Map: []int{0, 0, -1}, Cost: 2}, "to which no other goes"},
	} {
		c.claim.pair = &p
		if err := c.claim.check(); (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%v: %v, want %q", c.claim.Map, err, c.wrong)
		}
	}
	s := DistanceSettings{TimeLimits: nil, By: ByBin}
	p.Map = []int{0, 1, -1}
	for change, want := range map[string]string{`"best":2|"best":1`: "its map costs 2", `"cost":"uniform"|"cost":"dear"`: `costs "dear"`} {
		before, after, _ := strings.Cut(change, "|")
		file := knownFile(t, func(line string) string { return strings.Replace(line, before, after, 1) }, p)
		if err := Distance(context.Background(), &s, []string{file}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", change, err, want)
		}
	}
}

// TestDistancePeer: a peer is given the pairs without what is known of them.
func TestDistancePeer(t *testing.T) {
	p := must.Get(edited.Generate("plain", 5, 1, rand.New(rand.NewPCG(1, 1))))(t)
	p.ID = "a"
	script := filepath.Join(t.TempDir(), "peer")
	text := "#!/bin/sh\nread line\ncase $line in *map*) exit 3;; esac\necho '{\"id\":\"'$2'\",\"map\":[-1,-1,-1,-1,-1],\"seconds\":1.5}'\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{"a": "", "b": "no pair"} {
		var got []DistanceClaim
		err := askPeer(context.Background(), "all gone=/bin/sh "+script+" x "+id, []edited.Pair{p}, 0, func(c DistanceClaim) error {
			got = append(got, c)
			return c.check()
		})
		if want == "" && (err != nil || len(got) != 1 || got[0].Method != "all gone" || got[0].Cost <= p.Best || got[0].Seconds != 1.5) {
			t.Errorf("%+v, %v", got, err)
		}
		if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

package serve

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/graphs"
)

// TestPageKnowsFilesOfGraphs: the page waits for a second file after each that can only be a graph, and after
// no other.
func TestPageKnowsFilesOfGraphs(t *testing.T) {
	found := regexp.MustCompile(`const graphFile = /\\\.\(([a-z0-9|]+)\)\$/i`).FindStringSubmatch(pageText)
	if found == nil {
		t.Fatal("the page has no list of files of graphs")
	}
	have := strings.Split(found[1], "|")
	var want []string
	for _, extension := range graphs.Extensions() {
		if extension != ".json" && !slices.Contains(datasets.Formats(), extension) {
			want = append(want, strings.TrimPrefix(extension, "."))
		}
	}
	slices.Sort(have)
	slices.Sort(want)
	if !slices.Equal(have, want) {
		t.Errorf("%v, want %v", have, want)
	}
}

package published

import (
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/datasets/pairs"
)

// Split divides pairs into two parts that share no group: no image, and no set of
// true points, is in both. A share of the groups, drawn at random, makes the first
// part; pairs with groups on both sides are in neither. The share is rounded to
// whole groups. A pair without a group is on its own.
func Split(all []pairs.Pair, share float64, rng *rand.Rand) (first, second []pairs.Pair) {
	groups := groupsOf(all...)
	rng.Shuffle(len(groups), func(x, y int) { groups[x], groups[y] = groups[y], groups[x] })
	chosen := make(map[string]bool)
	for _, g := range groups[:int(share*float64(len(groups))+0.5)] {
		chosen[g] = true
	}
	for _, p := range all {
		own := groupsOf(p)
		switch inFirst := count(own, chosen); inFirst {
		case len(own):
			first = append(first, p)
		case 0:
			second = append(second, p)
		}
	}
	return first, second
}

// groupsOf returns the groups of pairs, each once, sorted; that of a pair without one is its name.
func groupsOf(all ...pairs.Pair) []string {
	var groups []string
	for _, p := range all {
		if len(p.Groups) == 0 {
			groups = append(groups, p.Name)
		}
		groups = append(groups, p.Groups...)
	}
	slices.Sort(groups)
	return slices.Compact(groups)
}

// count returns how many of the words are in a set.
func count(words []string, set map[string]bool) int {
	n := 0
	for _, w := range words {
		if set[w] {
			n++
		}
	}
	return n
}

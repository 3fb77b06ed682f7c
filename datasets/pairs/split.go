package pairs

import (
	"math/rand/v2"
	"slices"
)

// Split divides pairs into two parts that share no group: no image, and no set of
// true points, is in both. A share of the groups, drawn at random, makes the first
// part; pairs with groups on both sides are in neither. The share is rounded to
// whole groups. A pair without a group is on its own.
func Split(all []Pair, share float64, rng *rand.Rand) (first, second []Pair) {
	groups := groupsOf(all)
	rng.Shuffle(len(groups), func(x, y int) { groups[x], groups[y] = groups[y], groups[x] })
	chosen := make(map[string]bool)
	for _, g := range groups[:int(share*float64(len(groups))+0.5)] {
		chosen[g] = true
	}
	for _, p := range all {
		own := p.groups()
		switch inFirst := count(own, chosen); inFirst {
		case len(own):
			first = append(first, p)
		case 0:
			second = append(second, p)
		}
	}
	return first, second
}

// groups returns the groups of a pair, its own name where it has none.
func (p Pair) groups() []string {
	if len(p.Groups) == 0 {
		return []string{p.Name}
	}
	return p.Groups
}

// groupsOf returns the groups of pairs, each once, sorted.
func groupsOf(all []Pair) []string {
	var groups []string
	for _, p := range all {
		groups = append(groups, p.groups()...)
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

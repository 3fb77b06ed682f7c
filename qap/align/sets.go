package align

import (
	"cmp"
	"slices"
)

// sets are disjoint sets of numbers.
type sets []int32

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

func (s sets) of(i int) int {
	for int(s[i]) != i {
		s[i] = s[s[i]]
		i = int(s[i])
	}
	return i
}

func (s sets) join(i, j int) {
	i, j = s.of(i), s.of(j)
	s[max(i, j)] = int32(min(i, j))
}

// joinFirst joins i with the first that came with a colour.
func (s sets) joinFirst(first map[uint64]int, colour uint64, i int) {
	if k, known := first[colour]; known {
		s.join(i, k)
	} else {
		first[colour] = i
	}
}

// list returns the sets of more than one number, sorted.
func (s sets) list() [][]int {
	at := map[int]int{}
	var all [][]int
	for i := range s {
		first := s.of(i)
		if first == i {
			continue
		}
		k, known := at[first]
		if !known {
			k = len(all)
			at[first] = k
			all = append(all, []int{first})
		}
		all[k] = append(all[k], i)
	}
	slices.SortFunc(all, func(x, y []int) int { return cmp.Compare(x[0], y[0]) })
	return all
}

package qap

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Topology is the distances of places by a rule, in memory that grows with their number. A place
// has two coordinates; the distance is the sum of two tables', or, of a hierarchy, the outer one's
// where the outer coordinates differ and else the inner one's. It is not changed by its use.
type Topology struct {
	name         string
	places       int
	outer, inner factor
	nested       bool  // the inner distance counts only where the outer coordinates are one
	levels       []int // places of a group, by its level
	sides        []int // of a grid or torus
}

// factor is the distances of one coordinate. Row x is table[base+x·stride:][:size]: along a line
// the rows overlap, so that they take 2·size numbers in all.
type factor struct {
	table        []float64
	size         int
	base, stride int
}

// row returns the distances from a coordinate.
func (f *factor) row(x int) []float64 { return f.table[f.base+x*f.stride:][:f.size:f.size] }

// TopologyForms says what ParseTopology reads.
const TopologyForms = "grid:32x32, torus:16x16x4, hypercube:10 or hierarchy:4:8:8/1:10:100"

// mostPlaces bounds a topology.
const mostPlaces = maxNodes

// ParseTopology reads the name of a topology and its size:
//
//   - grid:32x32, torus:16x16x4: the number of steps between places, in any number of dimensions;
//     places are numbered along the last one first
//   - hypercube:10: the number of bits in which two of 2¹⁰ places differ
//   - hierarchy:4:8:8/1:10:100: 4 cores in each of 8 processors in each of 8 racks, places at a
//     distance of 1 in a processor, 10 in a rack and 100 beyond
func ParseTopology(text string) (*Topology, error) {
	kind, size, _ := strings.Cut(text, ":")
	t := &Topology{name: text}
	var err error
	switch kind {
	case "grid", "torus":
		var sides []int
		if sides, err = counts(size, "x"); err == nil {
			t.lay(sides, kind == "torus")
		}
	case "hypercube":
		var bits []int
		if bits, err = counts(size, "x"); err == nil && (len(bits) != 1 || bits[0] > 15) {
			err = fmt.Errorf("%q: want a number of dimensions, 1..15", size)
		}
		if err == nil {
			t.lay(slices.Repeat([]int{2}, bits[0]), false)
		}
	case "hierarchy":
		err = t.nest(size)
	default:
		err = fmt.Errorf("unknown kind %q", kind)
	}
	if err != nil {
		return nil, fmt.Errorf("qap: topology %q: %w: want %s", text, err, TopologyForms)
	}
	return t, nil
}

// counts reads whole numbers from 1 on, between which there are separators.
func counts(text, separator string) ([]int, error) {
	var numbers []int
	places := 1
	for _, word := range strings.Split(text, separator) {
		v, err := strconv.Atoi(word)
		if err != nil || v < 1 || v > mostPlaces {
			return nil, fmt.Errorf("%q is no number from 1 to %d", word, mostPlaces)
		}
		if separator == "x" {
			places *= v
		}
		if numbers = append(numbers, v); places > mostPlaces {
			return nil, fmt.Errorf("more than %d places", mostPlaces)
		}
	}
	return numbers, nil
}

// lay makes the grid or torus of some sides: the first sides are the outer coordinate, as many as
// leave the tables smallest.
func (t *Topology) lay(sides []int, wraps bool) {
	best, cut := math.Inf(1), 0
	t.sides = sides
	for k := range len(sides) {
		if size := tableSize(sides[:k]) + tableSize(sides[k:]); size < best {
			best, cut = size, k
		}
	}
	t.outer, t.inner = factorOf(sides[:cut], wraps), factorOf(sides[cut:], wraps)
	t.places = t.outer.size * t.inner.size
}

// tableSize is how many numbers the table of some sides has.
func tableSize(sides []int) float64 {
	size := 1.0
	for _, side := range sides {
		size *= float64(side)
	}
	if len(sides) < 2 {
		return 2 * size
	}
	return size * size
}

// factorOf returns the distances of one coordinate that stands for those of some sides.
func factorOf(sides []int, wraps bool) factor {
	along := func(side, by int) float64 {
		if by = max(by, -by); wraps {
			by = min(by, side-by)
		}
		return float64(by)
	}
	if len(sides) == 1 {
		side := sides[0]
		f := factor{size: side, base: side - 1, stride: -1, table: make([]float64, 2*side-1)}
		for k := range f.table {
			f.table[k] = along(side, k-(side-1))
		}
		return f
	}
	size := 1
	for _, side := range sides {
		size *= side
	}
	f := factor{size: size, stride: size, table: make([]float64, size*size)}
	for x := range size {
		for y := range size {
			for k, a, b := len(sides)-1, x, y; k >= 0; k-- {
				side := sides[k]
				f.table[x*size+y] += along(side, a%side-b%side)
				a, b = a/side, b/side
			}
		}
	}
	return f
}

// nest makes a hierarchy from the sizes of its groups and the distances in them, the innermost
// first.
func (t *Topology) nest(text string) error {
	of, at, _ := strings.Cut(text, "/")
	sizes, err := counts(of, ":")
	if err != nil {
		return err
	}
	var distances []float64
	for _, word := range strings.Split(at, ":") {
		v, err := strconv.ParseFloat(word, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("the distance %q is no number", word)
		}
		distances = append(distances, v)
	}
	if len(distances) != len(sizes) {
		return fmt.Errorf("%d sizes and %d distances", len(sizes), len(distances))
	}
	t.places = 1
	for _, size := range sizes {
		if t.places *= size; t.places > mostPlaces {
			return fmt.Errorf("more than %d places", mostPlaces)
		}
		t.levels = append(t.levels, t.places)
	}
	t.nested = true
	cut, least := 0, math.Inf(1)
	for k := range len(sizes) + 1 {
		inner := 1.0
		for _, size := range sizes[:k] {
			inner *= float64(size)
		}
		outer := float64(t.places) / inner
		if work := inner*inner + outer*outer; work < least {
			cut, least = k, work
		}
	}
	t.inner = groups(sizes[:cut], distances[:cut])
	t.outer = groups(sizes[cut:], distances[cut:])
	if least > mostTable {
		return fmt.Errorf("a level of %d groups has too many places for its table", max(t.inner.size, t.outer.size))
	}
	return nil
}

// mostTable bounds the numbers of the tables of a hierarchy.
const mostTable = 1 << 24

// groups returns the distances of the coordinate that some levels of a hierarchy make.
func groups(sizes []int, distances []float64) factor {
	size := 1
	for _, s := range sizes {
		size *= s
	}
	f := factor{size: size, stride: size}
	if float64(size)*float64(size) > mostTable {
		return f
	}
	f.table = make([]float64, size*size)
	for x := range size {
		for y := range size {
			for k, a, b := 0, x, y; k < len(sizes) && a != b; k++ {
				f.table[x*size+y] = distances[k]
				a, b = a/sizes[k], b/sizes[k]
			}
		}
	}
	return f
}

// String returns what ParseTopology reads.
func (t *Topology) String() string { return t.name }

// Places returns the number of places.
func (t *Topology) Places() int { return t.places }

// Levels returns how many places a group of a hierarchy has, by its level, the innermost first: they
// follow one another. It is nil of other topologies.
func (t *Topology) Levels() []int { return t.levels }

// Order returns the places so that parts of the order are near each other, and parts of these: of a
// grid or torus the longest side is halved again and again.
func (t *Topology) Order() []int {
	order := make([]int, 0, t.places)
	if t.nested {
		for place := range t.places {
			order = append(order, place)
		}
		return order
	}
	low, high := make([]int, len(t.sides)), append([]int(nil), t.sides...)
	var halve func()
	halve = func() {
		longest, place := 0, 0
		for k := range low {
			if high[k]-low[k] > high[longest]-low[longest] {
				longest = k
			}
			place = place*t.sides[k] + low[k]
		}
		from, to := low[longest], high[longest]
		if to-from == 1 {
			order = append(order, place)
			return
		}
		middle := (from + to) / 2
		high[longest] = middle
		halve()
		low[longest], high[longest] = middle, to
		halve()
		low[longest] = from
	}
	halve()
	return order
}

// Half returns where to divide a part of Order: about the middle, of a hierarchy between groups.
func (t *Topology) Half(part []int) int {
	half := len(part) / 2
	for k := len(t.levels) - 1; k >= 0; k-- {
		if size := t.levels[k]; size < len(part) {
			return max(1, (half+size/2)/size) * size
		}
	}
	return half
}

// Distance returns the distance of two places.
func (t *Topology) Distance(a, b int) float64 {
	if a == b {
		return 0
	}
	d := t.From(a)
	return d.To(t.Coordinates(b))
}

// Coordinates returns those of a place.
func (t *Topology) Coordinates(place int) (outer, inner int) {
	return place / t.inner.size, place % t.inner.size
}

// Distances are those from one place.
type Distances struct {
	Outer, Inner []float64 // by the coordinates of the other place
	Except       int       // the outer coordinate at which Inner alone counts, −1 where both always do
}

// From returns the distances from a place, in constant time.
func (t *Topology) From(place int) Distances {
	outer, inner := t.Coordinates(place)
	d := Distances{t.outer.row(outer), t.inner.row(inner), -1}
	if t.nested {
		d.Except = outer
	}
	return d
}

// To returns the distance to the place of some coordinates.
func (d *Distances) To(outer, inner int) float64 {
	if d.Except < 0 {
		return d.Outer[outer] + d.Inner[inner]
	}
	if outer == d.Except {
		return d.Inner[inner]
	}
	return d.Outer[outer]
}

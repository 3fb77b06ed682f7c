package anneal

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/rgm-go/rgm/qap"
)

// Bisected returns a matching by recursive bisection: halves of the facilities with few flows
// between them go to halves of the places, and so on. A half begins as one end of the facilities in
// the order of a smoothed breadth-first search; then pairs change sides as long as that pays.
//
// Sources: Pothen, Simon, Liou, SIAM J. Matrix Analysis 11 (1990), doi:10.1137/0611030, for bisection
// by a smooth vector; Kernighan, Lin, Bell System Technical J. 49 (1970),
// doi:10.1002/j.1538-7305.1970.tb01770.x, for pairs that change sides; Pellegrini, Roman, HPCN Europe
// 1996, doi:10.1007/3-540-61142-8_588, for both graphs at once.
func Bisected(k *qap.Mapping) qap.Matching {
	n1, n := k.Size()
	b := &bisection{k: k, n1: n1, side: make([]int32, n), value: make([]float64, n), next: make([]float64, n), gain: make([]float64, n)}
	facilities := make([]int, n)
	for i := range facilities {
		facilities[i] = i
	}
	places := k.Topology().Order()
	b.placed = make([]int, n)
	b.split(facilities, places)
	return b.placed[:n1]
}

// fewTrials reports whether annealing from anywhere has too few trials of each facility to find what
// bisection does, as on hierarchies of thousands of places; how many a time limit allows is measured.
func fewTrials(in *qap.Instance, k *qap.Mapping, o qap.Options, watch *qap.Watch) bool {
	if k.Topology().Levels() == nil {
		return false
	}
	places := k.Topology().Places()
	steps := float64(o.MaxSteps)
	if left, limited := watch.Remaining(); o.MaxSteps == 0 && limited {
		n, _ := k.Size()
		some := newMapping(k, -in.ScoreOf(1), qap.RandomMatching(n, places, rand.New(rand.NewPCG(o.Seed, 0xb15e))), &state{n: int64(places)})
		began := watch.Now()
		some.uphill()
		took := max(watch.Now().Sub(began), time.Microsecond)
		steps = float64(left) / float64(took) * uphillTrials / float64(places)
	}
	return steps > 0 && steps < float64(enoughTrials*places)
}

// enoughTrials is of a facility, for each place; chosen on geometric graphs with 1,024 and 4,096 places.
const enoughTrials = 8

type bisection struct {
	k      *qap.Mapping
	n1     int     // facilities behind have no flows
	side   []int32 // which part each facility is in, as numbers that are used once
	parts  int32
	value  []float64 // by which a part is split
	next   []float64
	gain   []float64 // of changing sides
	placed []int
}

const (
	smoothings   = 60
	kernighanLin = 6 // passes
)

func (b *bisection) partners(i int) ([]int32, []float64) {
	if i >= b.n1 {
		return nil, nil
	}
	return b.k.Partners(i)
}

// split places facilities, as many as places.
func (b *bisection) split(facilities, places []int) {
	if len(places) == 1 {
		b.placed[facilities[0]] = places[0]
		return
	}
	half := b.k.Topology().Half(places)
	b.order(facilities)
	b.exchange(facilities, half)
	b.split(facilities[:half], places[:half])
	b.split(facilities[half:], places[half:])
}

// order sorts the facilities of a part so that those with flows are near each other.
func (b *bisection) order(part []int) {
	b.parts++
	here := b.parts
	for _, i := range part {
		b.side[i] = here
		b.value[i] = -1
	}
	// Breadth first from the last facility that a first search reaches.
	visit := func(from []int) []int {
		queue := make([]int, 0, len(part))
		for _, first := range from {
			if b.value[first] >= 0 {
				continue
			}
			b.value[first] = float64(len(queue))
			queue = append(queue, first)
			for at := len(queue) - 1; at < len(queue); at++ {
				partner, _ := b.partners(queue[at])
				for _, j := range partner {
					if b.side[j] == here && b.value[j] < 0 {
						b.value[j] = float64(len(queue))
						queue = append(queue, int(j))
					}
				}
			}
		}
		return queue
	}
	queue := visit(part)
	for _, i := range part {
		b.value[i] = -1
	}
	slices.Reverse(queue)
	visit(queue)
	for range smoothings {
		for _, i := range part {
			partner, flow := b.partners(i)
			sum, all := 0.0, 0.0
			for at, j := range partner {
				if b.side[j] == here && flow[at] > 0 {
					sum += flow[at] * b.value[j]
					all += flow[at]
				}
			}
			b.next[i] = b.value[i]
			if all > 0 {
				b.next[i] = (b.value[i] + sum/all) / 2
			}
		}
		for _, i := range part {
			b.value[i] = b.next[i]
		}
	}
	slices.SortFunc(part, func(i, j int) int { return cmp.Or(cmp.Compare(b.value[i], b.value[j]), cmp.Compare(i, j)) })
}

// exchange lets pairs of both halves of a part change sides.
func (b *bisection) exchange(part []int, half int) {
	left, right := b.parts+1, b.parts+2
	b.parts += 2
	for at, i := range part {
		b.side[i] = left
		if at >= half {
			b.side[i] = right
		}
	}
	for range kernighanLin {
		for _, i := range part {
			b.gain[i] = 0
			partner, flow := b.partners(i)
			for at, j := range partner {
				switch b.side[j] {
				case b.side[i]:
					b.gain[i] -= flow[at]
				case left, right:
					b.gain[i] += flow[at]
				}
			}
		}
		byGain := func(i, j int) int { return cmp.Or(cmp.Compare(b.gain[j], b.gain[i]), cmp.Compare(i, j)) }
		slices.SortFunc(part[:half], byGain)
		slices.SortFunc(part[half:], byGain)
		changed := false
		for at := range min(half, len(part)-half) {
			i, j := part[at], part[half+at]
			if b.gain[i]+b.gain[j]-2*b.between(i, j) <= 0 {
				if b.gain[i]+b.gain[j] <= 0 {
					break
				}
				continue
			}
			b.cross(i, left, right)
			b.cross(j, left, right)
			part[at], part[half+at] = j, i
			changed = true
		}
		if !changed {
			return
		}
	}
}

// between is the flow of two facilities.
func (b *bisection) between(i, j int) float64 {
	partner, flow := b.partners(i)
	if at, ok := slices.BinarySearch(partner, int32(j)); ok {
		return flow[at]
	}
	return 0
}

// cross takes a facility to the other side, and its partners' gains with it.
func (b *bisection) cross(i int, left, right int32) {
	partner, flow := b.partners(i)
	for at, j := range partner {
		switch b.side[j] {
		case b.side[i]:
			b.gain[j] += 2 * flow[at]
		case left, right:
			b.gain[j] -= 2 * flow[at]
		}
	}
	b.gain[i] = -b.gain[i]
	b.side[i] = left + right - b.side[i]
}

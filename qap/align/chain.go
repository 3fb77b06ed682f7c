package align

import "math"

// A chain of exchanges moves a region of nodes to where another one is: a node takes a partner,
// whatever that costs, its neighbours then take those neighbours of the new partner that cost
// least, and so on. What of the chain is best up to some exchange stays, if the temperature allows
// (Kernighan, Lin, doi:10.1002/j.1538-7305.1970.tb01770.x).
const (
	trialsOfChain = 50  // of swaps, one of which begins a chain,
	fewerChains   = 500 // or where nodes have no attributes and fewer than fewTrials each
	fewTrials     = 5000
	longestChain  = 100 // exchanges
	deepestChain  = 5   // what may be lost on the way besides the first exchange, in units of an edge
	widestChain   = 64  // neighbours of a partner, of more of which none are looked at
)

// chain is one that is being made.
type chain struct {
	moves  []move
	total  float64 // what the moves changed
	best   float64 // the greatest total so far,
	kept   int     // and after how many moves it was
	queue  []int32 // moved nodes whose neighbours are to follow
	moved  []int32 // of each node of graph 1 the number of the last chain that moved it
	number int32
	floor  float64 // of the total, below which no neighbour follows
}

// chainFrom makes a chain that begins with the partner j of node i, and returns of how many
// exchanges.
func (s *swaps) chainFrom(i, j int32, temperature float64) int {
	s.grow(i, j, deepestChain, math.Inf(1))
	if !s.allows(s.chain.best, temperature) {
		s.chain.kept = 0
	}
	s.takeBack(s.chain.kept)
	return len(s.chain.moves)
}

// grow makes a chain that begins with the partner j of node i, and ends where so much is lost besides the first exchange: once all
// neighbours of a node followed, or at once.
func (s *swaps) grow(i, j int32, lost, atOnce float64) {
	c := &s.chain
	c.number++
	c.moves, c.queue = c.moves[:0], c.queue[:0]
	c.total, c.best, c.kept = 0, math.Inf(-1), 0
	s.extend(i, j)
	deepest := c.total - lost*s.unit
	c.floor = c.total - atOnce*s.unit
	for at := 0; at < len(c.queue) && c.total >= deepest; at++ {
		s.follow(c.queue[at])
	}
}

// takeBack undoes the moves of the chain but for so many.
func (s *swaps) takeBack(but int) {
	for at := len(s.chain.moves) - 1; at >= but; at-- {
		v := s.chain.moves[at]
		s.perform(move{v.i, v.k, v.to, v.from}, s.weigh(v.i, v.from, v.k))
	}
}

// extend makes the next exchange of the chain.
func (s *swaps) extend(i, j int32) {
	c, v := &s.chain, move{i, s.inverse[j], s.m[i], j}
	o := s.weigh(i, j, v.k)
	s.perform(v, o)
	c.moves = append(c.moves, v)
	if c.total += o.change; c.total > c.best {
		c.best, c.kept = c.total, len(c.moves)
	}
	for _, x := range []int32{v.i, v.k} {
		if x != none {
			c.moved[x] = c.number
			c.queue = append(c.queue, x)
		}
	}
}

// follow gives the neighbours of a moved node, where the edge to them is not shared, the
// neighbours of its partner that cost least.
func (s *swaps) follow(i int32) {
	c := &s.chain
	partner := int(s.m[i])
	if partner == s.b.Nodes() || s.b.Degree(partner) > widestChain {
		return
	}
	for x := s.a.start[i]; x < s.a.start[i+1] && len(c.moves) < longestChain && c.total >= c.floor; x++ {
		k := s.a.to[x]
		if c.moved[k] == c.number || s.fixed1[k] != none || s.pair(x, s.m[i], s.m[k]) != 0 {
			continue
		}
		to, most := int32(none), math.Inf(-1)
		for _, j := range s.b.Neighbours(partner) {
			owner := s.inverse[j]
			if s.fixed2[j] != none || !s.problem.May(int(k), int(j)) || owner == k || owner != none && c.moved[owner] == c.number {
				continue
			}
			if owner != none && s.most(k, j, owner) <= most {
				continue
			}
			if change := s.change(k, j, owner); change > most {
				to, most = j, change
			}
		}
		if to != none {
			s.extend(k, to)
		}
	}
}

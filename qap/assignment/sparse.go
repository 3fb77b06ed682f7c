package assignment

import (
	"container/heap"
	"context"
)

// A Choice is a column that a row may have, and what that is worth.
type Choice struct {
	Column int
	Score  float64
}

// Unassigned is the column of a row that has none.
const Unassigned = -1

// MaximizeSparse returns the column of each row, or Unassigned, so that no two have the same and the sum of
// the scores is greatest: rows are left without a column where that is worth more. Memory grows with the choices alone. Where
// ctx ends before, the rows that are left have what is free and worth most to them.
//
// Method: shortest augmenting paths with duals (Jonker and Volgenant, doi:10.1007/BF02278710), by a heap over the choices; a
// row may also end in a column of its own that is worth 0.
func MaximizeSparse(ctx context.Context, choices [][]Choice, columns int) (assigned []int) {
	s := &sparse{choices: choices, row: make([]float64, len(choices)), column: make([]float64, columns), columnOf: make([]int, len(choices)), rowOf: make([]int, columns)}
	s.length, s.from, s.seen, s.final = make([]float64, columns), make([]int, columns), make([]int, columns), make([]int, columns)
	for a := range columns {
		s.rowOf[a], s.seen[a], s.final[a] = Unassigned, -1, -1
	}
	var waiting []int
	for i, of := range choices {
		best := Choice{Column: Unassigned}
		for _, c := range of {
			if c.Score > best.Score {
				best = c
			}
		}
		s.row[i], s.columnOf[i] = -best.Score, Unassigned
		switch {
		case best.Column == Unassigned:
		case s.rowOf[best.Column] == Unassigned:
			s.columnOf[i], s.rowOf[best.Column] = best.Column, i
		default:
			waiting = append(waiting, i)
		}
	}
	const often = 256 // rows between two looks at the clock
	for k, i := range waiting {
		if k%often == 0 && ctx.Err() != nil {
			s.greedy(waiting[k:])
			break
		}
		s.augment(i)
	}
	return s.columnOf
}

// sparse is a problem of least costs, −Score, with its duals.
type sparse struct {
	choices     [][]Choice
	row, column []float64 // duals: cost − row − column is never below 0, and 0 of what is assigned
	columnOf    []int
	rowOf       []int

	length []float64 // of the shortest path to a column, where seen is the row that is augmented
	from   []int     // the row before it
	seen   []int
	final  []int // the row that is augmented, of columns whose length is known: rounding must not make it shorter
	queue  reached
	done   []int // columns whose length is known
}

// augment assigns a row by the shortest path from it, along which others change theirs.
func (s *sparse) augment(start int) {
	s.queue, s.done = s.queue[:0], s.done[:0]
	i, length := start, 0.0
	last, least := start, -s.row[start] // the row of the path that stays without a column
	end := Unassigned
	for {
		for _, c := range s.choices[i] {
			d := length - c.Score - s.row[i] - s.column[c.Column]
			if d >= least || s.final[c.Column] == start || s.seen[c.Column] == start && d >= s.length[c.Column] {
				continue
			}
			s.seen[c.Column], s.length[c.Column], s.from[c.Column] = start, d, i
			heap.Push(&s.queue, reachedColumn{d, c.Column})
		}
		a, found := s.next()
		if !found || s.length[a] >= least {
			break
		}
		if length = s.length[a]; s.rowOf[a] == Unassigned {
			end, least = a, length
			break
		}
		s.done = append(s.done, a)
		s.final[a] = start
		i = s.rowOf[a]
		if d := length - s.row[i]; d < least {
			last, least = i, d
		}
	}
	s.row[start] += least
	for _, a := range s.done {
		if gain := least - s.length[a]; gain > 0 {
			s.column[a] -= gain
			s.row[s.rowOf[a]] += gain
		}
	}
	if end == Unassigned {
		if last == start {
			return
		}
		end, s.columnOf[last] = s.columnOf[last], Unassigned
	}
	for {
		i := s.from[end]
		s.rowOf[end] = i
		end, s.columnOf[i] = s.columnOf[i], end
		if i == start {
			return
		}
	}
}

// next returns the nearest column that is not done.
func (s *sparse) next() (column int, found bool) {
	for len(s.queue) > 0 {
		if r := heap.Pop(&s.queue).(reachedColumn); r.length == s.length[r.column] {
			return r.column, true
		}
	}
	return 0, false
}

// greedy assigns rows what is free.
func (s *sparse) greedy(rows []int) {
	for _, i := range rows {
		best := Choice{Column: Unassigned}
		for _, c := range s.choices[i] {
			if s.rowOf[c.Column] == Unassigned && c.Score > best.Score {
				best = c
			}
		}
		if s.columnOf[i] = best.Column; best.Column != Unassigned {
			s.rowOf[best.Column] = i
		}
	}
}

type reachedColumn struct {
	length float64
	column int
}

// reached is a heap of columns, the nearest first.
type reached []reachedColumn

func (r reached) Len() int           { return len(r) }
func (r reached) Less(i, j int) bool { return r[i].length < r[j].length }
func (r reached) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r *reached) Push(x any)        { *r = append(*r, x.(reachedColumn)) }
func (r *reached) Pop() any {
	last := len(*r) - 1
	x := (*r)[last]
	*r = (*r)[:last]
	return x
}

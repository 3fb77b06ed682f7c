package train

import (
	"fmt"
	"math"
	"slices"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/models"
)

// NewGroups returns the actors, a group for the problems of each size. In a share of the
// environments of each, tabu search acts in the place of the network.
func NewGroups(c *Config, problems []*Problem, network models.Network, demonstrators float64) []*Group {
	var groups []*Group
	passes := NewPassPool(network)
	demonstrating := int(math.Round(demonstrators * float64(c.Environments)))
	for s, run := range sizeRuns(problems) {
		first, count := run[0], run[1]-run[0]
		var actors []*Actor
		for k := range c.Environments {
			actors = append(actors, newActor(c, problems, first, count, uint64(s*c.Environments+k), k < demonstrating))
		}
		groups = append(groups, newGroup(actors, passes))
	}
	return groups
}

// SaveActors returns what a checkpoint holds of the actors of groups.
func SaveActors(groups []*Group) ([]SavedActor, error) {
	var all []SavedActor
	for _, g := range groups {
		for _, a := range g.Actors {
			saved, err := a.save()
			if err != nil {
				return nil, err
			}
			all = append(all, saved)
		}
	}
	return all, nil
}

// LoadActors puts the actors where SaveActors found them.
func LoadActors(groups []*Group, saved []SavedActor) error {
	var actors []*Actor
	for _, g := range groups {
		actors = append(actors, g.Actors...)
	}
	if len(saved) != len(actors) {
		return fmt.Errorf("%w: %d actors, want %d", ErrCheckpoint, len(saved), len(actors))
	}
	for k, a := range actors {
		if err := a.load(saved[k]); err != nil {
			return err
		}
	}
	return nil
}

// Group is the actors that play instances of one size.
type Group struct {
	Actors  []*Actor
	Batches []*ActorBatch
}

// actorBatchSize is the largest number of states that one worker acts in together.
const actorBatchSize = 8

// ActorBatch is some actors of a group, moved by one worker.
type ActorBatch struct {
	actors []*Actor
	first  int // number of the first one in the group
	passes *MemoryPool[models.Pass]
}

func newGroup(actors []*Actor, passes *MemoryPool[models.Pass]) *Group {
	g := &Group{Actors: actors}
	for members := range slices.Chunk(actors, actorBatchSize) {
		g.Batches = append(g.Batches, &ActorBatch{members, len(g.Batches) * actorBatchSize, passes})
	}
	return g
}

// Each evaluates the states of all environments and hands Q to every actor.
func (g *Group) Each(do func(k int, a *Actor, q []float32)) {
	parallel.For(len(g.Batches), func(k int) { g.Batches[k].each(do) })
}

// Act takes one step in every environment of a batch (Algorithm 1, "Estimate
// Q-value" to "Interacting with the environment").
func (b *ActorBatch) Act(epsilon float64) {
	b.each(func(_ int, a *Actor, q []float32) { a.Step(a.Choose(q, epsilon)) })
}

// each evaluates the states of a batch and hands Q to every actor, with its number in
// the group. Neighbours whose instances have one shape are evaluated together.
func (b *ActorBatch) each(do func(k int, a *Actor, q []float32)) {
	for first := 0; first < len(b.actors); {
		n1, n2 := b.actors[first].Env.Size()
		end := first + 1
		for end < len(b.actors) {
			if m1, m2 := b.actors[end].Env.Size(); m1 != n1 || m2 != n2 {
				break
			}
			end++
		}
		s := Shape{end - first, n1, n2}
		pass := b.passes.Get(s)
		evaluate(b.actors[first:end], pass, n1*n2, func(k int, a *Actor, q []float32) { do(b.first+first+k, a, q) })
		b.passes.Put(s, pass)
		first = end
	}
}

// evaluate evaluates the states of actors and hands Q to each.
func evaluate(actors []*Actor, pass models.Pass, vertices int, do func(k int, a *Actor, q []float32)) {
	inputs := pass.Inputs()
	for k, a := range actors {
		a.extractor.Fill(inputs, k)
	}
	q := pass.Forward()
	for k, a := range actors {
		do(k, a, q[k*vertices:(k+1)*vertices])
	}
}

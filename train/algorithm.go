package train

import (
	"context"
	"fmt"
	"math"

	"github.com/rgm-go/rgm/models"
)

// algorithm is how a network learns: the part of a training that Config.Learner
// chooses.
type algorithm interface {
	// round acts, learns, or both, once. progress is the share of the budget that is
	// spent. A round that ends with the context's error has changed nothing.
	round(ctx context.Context, progress float64) (outcome, error)
	// trainable is the network that learns.
	trainable() *trainable
	// held returns how many transitions are kept.
	held() int
	// save adds to a checkpoint what it holds beside the trainable network, and load takes it
	// back.
	save(*checkpoint) error
	load(*checkpoint) error
}

// outcome is what is reported of a round. It belongs to the algorithm and holds
// until the next round.
type outcome struct {
	updates  []update
	episodes []episode
}

// newAlgorithm returns the algorithm of the configuration for a network.
func newAlgorithm(c *Config, problems []*problem, network models.Network) algorithm {
	switch c.Learner {
	case LearnerDQN:
		return newDQN(c, problems, network)
	case LearnerES:
		return newEvolution(c, problems, network)
	case LearnerA2C, LearnerPPO, LearnerTRPO:
		return newPolicyGradient(c, problems, network)
	case LearnerACER:
		return newACER(c, problems, network)
	}
	panic(fmt.Sprintf("train: learner %q", c.Learner)) // Validate let no such pass
}

// newGroups returns the actors, a group for the problems of each size.
func newGroups(c *Config, problems []*problem, network models.Network) []*group {
	var groups []*group
	passes := newPassPool(network)
	demonstrators := int(math.Round(c.Demonstrators * float64(c.Environments)))
	for s, run := range sizeRuns(problems) {
		first, count := run[0], run[1]-run[0]
		var actors []*actor
		for k := range c.Environments {
			actors = append(actors, newActor(c, problems, first, count, uint64(s*c.Environments+k), k < demonstrators))
		}
		groups = append(groups, newGroup(actors, passes))
	}
	return groups
}

// saveActors adds the actors of all groups to a checkpoint.
func saveActors(groups []*group, c *checkpoint) error {
	for _, g := range groups {
		for _, a := range g.actors {
			saved, err := a.save()
			if err != nil {
				return err
			}
			c.Actors = append(c.Actors, saved)
		}
	}
	return nil
}

// loadActors puts the actors where saveActors found them.
func loadActors(groups []*group, c *checkpoint, memory bool) error {
	want := 0
	for _, g := range groups {
		want += len(g.actors)
	}
	saved := c.Actors
	if len(saved) != want {
		return fmt.Errorf("%w: %d actors, want %d", ErrCheckpoint, len(saved), want)
	}
	for _, g := range groups {
		for _, a := range g.actors {
			if err := a.load(saved[0], memory); err != nil {
				return err
			}
			saved = saved[1:]
		}
	}
	return nil
}

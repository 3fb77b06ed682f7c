package train

import (
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/rollout"
)

// demonstrator acts in place of the network: a policy whose memory, the steps from
// which vertices are free, can be saved.
type demonstrator interface {
	rollout.Actor
	Until(k int) []int
}

// newDemonstrator returns the hard tabu list over exact changes of value.
func newDemonstrator(env *qap.Environment, rng *rand.Rand) demonstrator {
	actor, err := rollout.GreedyTabu{}.NewActor([]*qap.Environment{env}, []*rand.Rand{rng}, 0)
	if err != nil {
		panic(err) // it needs nothing that could fail
	}
	return actor.(demonstrator)
}

// demonstrated returns the demonstrator's action.
func demonstrated(d demonstrator) int {
	var action [1]int
	if err := d.Act(action[:]); err != nil {
		panic(err) // it needs nothing that could fail
	}
	return action[0]
}

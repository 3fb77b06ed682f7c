package models

import (
	"slices"

	"github.com/rgm-go/rgm/qap"
)

// Advantages returns a network as what policies ask that only compare the actions of one
// state: Q, or Q but for a number that all actions of a state share. That costs several
// times less where a Gain is linear, its hidden layers adding nothing to the advantages,
// as an evolution strategy over the skip weights trains it.
func Advantages(n Network) qap.QFunction { return advantages{qFunction{n}} }

type advantages struct{ qFunction }

func (a advantages) NewBatch(size, n1, n2 int) (qap.QBatch, error) {
	batch := qBatch{a.network.NewPass(size, n1, n2)}
	if pass, ok := batch.Pass.(*gainPass); ok && pass.net.isLinear() {
		return linearBatch{batch, pass}, nil
	}
	return batch, nil
}

// isLinear reports whether the advantages are w_skip·f alone.
func (n *Gain) isLinear() bool {
	return !slices.ContainsFunc(n.w2.Data, func(w float32) bool { return w != 0 })
}

type linearBatch struct {
	qBatch
	pass *gainPass
}

// Evaluate returns w_skip·f, without the channels of the state.
func (b linearBatch) Evaluate() ([]float32, error) {
	clear(b.pass.q)
	b.pass.addSkip()
	return b.pass.q, nil
}

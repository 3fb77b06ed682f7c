package policygradient

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/models"

	"github.com/rgm-go/rgm/train"
)

// pieceSize is the most samples of a piece.
const pieceSize = 8

// Piece is some samples of one shape, which one goroutine learns from. Pieces do
// not depend on the machine, so neither do the sums of their gradients.
type Piece struct {
	Shape    train.Shape
	Samples  []*Sample
	Gradient [][]float32
	Update   train.Update // sums over the samples
}

// Update takes one step of the optimiser on a batch of samples. A whole segment of a
// large network takes long: where the context ends between two pieces, nothing is
// changed.
func (g *Learner) Update(ctx context.Context, batch []int, progress float64) (train.Update, error) {
	u, err := g.Differentiate(ctx, batch, g.config.Aims(progress))
	if err != nil {
		return train.Update{}, err
	}
	u.Norm, err = g.Net.Descend(u.Loss, g.Sum, g.config.Rate(progress))
	return u, err
}

// Differentiate returns the loss of a batch of samples and writes its gradient to Sum.
func (g *Learner) Differentiate(ctx context.Context, batch []int, aims train.Aims) (train.Update, error) {
	pieces := g.Split(batch)
	share := 1 / float64(len(batch))
	parallel.For(len(pieces), func(k int) {
		if ctx.Err() == nil {
			g.learnPiece(pieces[k], share, aims)
		}
	})
	if err := ctx.Err(); err != nil {
		return train.Update{}, err
	}
	for _, part := range g.Sum {
		clear(part)
	}
	var u train.Update
	for _, p := range pieces {
		u.Add(p.Update)
		AddGradient(g.Sum, p.Gradient)
	}
	return u, nil
}

// AddGradient adds a gradient to a sum.
func AddGradient(sum, gradient [][]float32) {
	for k, part := range gradient {
		for i, d := range part {
			sum[k][i] += d
		}
	}
}

// Split groups samples by shape.
func (g *Learner) Split(batch []int) []*Piece {
	byShape := map[train.Shape][]*Sample{}
	for _, k := range batch {
		s := &g.Segment.Samples[k]
		n1, n2 := g.Problems[train.ProblemOf(s.State)].Instance.Size()
		byShape[train.Shape{N1: n1, N2: n2}] = append(byShape[train.Shape{N1: n1, N2: n2}], s)
	}
	var pieces []*Piece
	for of, samples := range byShape {
		for part := range slices.Chunk(samples, pieceSize) {
			of.Batch = len(part)
			pieces = append(pieces, &Piece{Shape: of, Samples: part, Gradient: models.NewGradient(g.Net.Network)})
		}
	}
	slices.SortStableFunc(pieces, func(x, y *Piece) int { // those of one shape stay in their order
		return cmp.Or(cmp.Compare(x.Shape.N1, y.Shape.N1), cmp.Compare(x.Shape.N2, y.Shape.N2))
	})
	return pieces
}

// learnPiece computes loss and gradient of a piece, each sample by a share.
func (g *Learner) learnPiece(p *Piece, share float64, aims train.Aims) {
	pass := g.Passes.Get(p.Shape)
	defer g.Passes.Put(p.Shape, pass)
	workspaces := g.Fill(p, pass)
	vertices := p.Shape.N1 * p.Shape.N2
	q := pass.Forward()
	dq := make([]float32, len(q))
	policy := NewPolicy(g.config.Temperature)
	for j, s := range p.Samples {
		own := q[j*vertices : (j+1)*vertices]
		policy.Set(workspaces[j].Env, own)
		p.Update.Add(g.Loss.Of(&policy, s, own, dq[j*vertices:(j+1)*vertices], workspaces[j].Problem.Guide, share, aims))
		workspaces[j].Release()
	}
	pass.Backward(dq, p.Gradient)
}

// Fill writes the inputs of a piece's states, and returns the workspaces that are in them,
// to be released in the end.
func (g *Learner) Fill(p *Piece, pass models.Pass) []*train.Workspace {
	workspaces := make([]*train.Workspace, len(p.Samples))
	for j, s := range p.Samples {
		workspaces[j] = g.Problems[train.ProblemOf(s.State)].At(s.State)
		workspaces[j].Extractor.Fill(pass.Inputs(), j)
	}
	return workspaces
}

// Loss is the loss of samples.
type Loss struct {
	Own Config
	// Action returns the loss of an action with a log-probability, and its derivative by that.
	Action func(logarithm float64, s *Sample) (loss, slope float64)
}

// Of returns what a sample, whose state has the given Q, adds to the loss,
// and adds the gradient to dq. The policy is that of the state.
func (l *Loss) Of(p *Policy, s *Sample, q, dq, guide []float32, share float64, aims train.Aims) train.Update {
	value, entropy := stateValue(q), p.Entropy()
	u := train.Update{MeanTD: share * math.Abs(value-s.Return), MeanQ: share * value, Entropy: share * entropy}

	if aims.Reward > 0 {
		logarithm := p.Logarithm(int(s.Action))
		loss, slope := l.Action(logarithm, s)
		p.AddLogarithm(dq, int(s.Action), aims.Reward*share*slope)
		p.AddEntropy(dq, entropy, -aims.Reward*share*l.Own.Entropy)
		u.Loss = aims.Reward * share * (loss - l.Own.Entropy*entropy)
	}

	miss := value - s.Return
	u.Loss += aims.Critic * share * l.Own.ValueWeight * miss * miss / 2
	slope := aims.Critic * share * l.Own.ValueWeight * miss / float64(len(q))
	for v := range dq {
		dq[v] += float32(slope)
	}
	if guide != nil {
		u.Imitation = share * p.AddImitation(dq, guide, aims.Guide*share)
		u.Loss += aims.Guide * u.Imitation
	}
	return u
}

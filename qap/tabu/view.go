package tabu

import "github.com/rgm-go/rgm/qap"

// A View is an instance as searches over swaps see it: facilities i, j are assigned to
// locations c, d, and the cost
//
//	Σ Flow[i,j]·Distance[p(i),p(j)] + Σ Linear[i,p(i)]
//
// is minimised. Either matrix of the instance may be the flow: Distance is symmetric if
// one of them is, and else Flow has more zeros. All are n×n, row-major, and must
// not be changed; the diagonals of Flow and Distance are 0.
type View struct {
	Flow, Distance, Linear []float64
	FlowT, DistanceT       []float64 // transposed, to be read along rows
	Symmetric              bool      // Distance is
	Integer                bool      // all numbers are

	FlowEntries, DistanceEntries qap.Entries // but for the sign, which a problem that is maximised turns

	problem problem
}

// NewView returns the view of an instance. It returns an error wrapping
// qap.ErrUnsupported unless tabu search Serves it.
func NewView(in *qap.Instance) (*View, error) {
	if err := checkServed(in); err != nil {
		return nil, err
	}
	p := newProblem(in, in.Affinity.(*qap.KoopmansBeckmann))
	return &View{
		Flow: p.flow, Distance: p.distance, Linear: p.linear, FlowT: p.flowT, DistanceT: p.distanceT,
		Symmetric: p.symmetric, Integer: p.isInteger(), FlowEntries: p.flowEntries, DistanceEntries: p.distanceEntries, problem: p,
	}, nil
}

// Assignment turns a matching into locations by facility, or back.
func (v *View) Assignment(m qap.Matching) qap.Matching { return v.problem.assignment(m) }

// Largest bounds the size of every change of the cost by a swap.
func (v *View) Largest() float64 { return v.problem.largest() }

// Tolerance returns what a cost must be less by to be better: the rounding of sums,
// where they are not exact.
func (v *View) Tolerance() float64 { return v.problem.tolerance() }

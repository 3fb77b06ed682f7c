package rgm

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/confidence"
)

// looking is the part of a time limit, a tenth at most, that a search leaves for the look at its matches.
func (p *Problem) looking(limit time.Duration) time.Duration {
	if p.Instance == nil || !confidence.Meaningful(p.Instance) {
		return 0
	}
	n1, n2 := p.Size()
	return min(limit/10, time.Duration(2*entryTime*confidence.Entries(p.Instance, min(n1, n2))))
}

// lastLook is how much longer a look at the matches may take where the time limit is up or the search was interrupted, in
// parts of the limit or of a second.
const lastLook = 20

// entryTime is how long a look at an affinity takes, in nanoseconds.
const entryTime = 5

// tell tells how likely each match of an instance is right, where there is something to be right about, and leaves out
// matches where that is asked for.
func (p *Problem) tell(ctx context.Context, r *Result) {
	if p.options.TimeLimit > 0 || ctx.Err() != nil {
		most := cmp.Or(p.options.TimeLimit, time.Second)/lastLook + p.looking(p.options.TimeLimit)
		if ctx.Err() != nil {
			most = min(most, time.Second/lastLook)
		}
		if confidence.Entries(p.Instance, r.Matched)*entryTime > float64(most) {
			return
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), most)
		defer cancel()
	}
	look := confidence.Of(ctx, p.Instance, r.Matching, r.AffinityUsed == AffinityLearned)
	known, err := p.options.fixed(p.Size())
	if look == nil || err != nil {
		return
	}
	fixed := func(i int) bool { return slices.ContainsFunc(known, func(k graphs.Pair) bool { return k.I == i }) }
	r.Confidence = make([]float64, len(look.Told))
	for i, t := range look.Told {
		if r.Confidence[i] = t.Right; fixed(i) {
			r.Confidence[i] = 1
		}
	}
	if p.route != nil {
		r.Ask = look.Ask(ctx, fixed)
	}
	if p.route != nil && p.options.LeaveOut {
		p.leaveOut(r, look.Told, fixed)
	}
}

// checkLeaveOut returns an error for what says how many nodes are matched where LeaveOut decides it.
func (o *Options) checkLeaveOut() error {
	if !o.LeaveOut {
		return nil
	}
	for _, other := range []struct {
		name  string
		given bool
	}{
		{"complete", o.Complete}, {"inliers", o.Inliers > 0}, {"regularize", o.Regularize != ""},
		{"affinity", o.Affinity != "" && o.Affinity != AffinityGiven}, {"profile", o.Profile}, {"best", o.Best > 0},
		{"method " + o.Method, o.Method == MethodWithin || o.Method == MethodInduced},
	} {
		if other.given {
			return optionError("LeaveOut", "decides which nodes are matched, and so does %s: leave one of them out", other.name)
		}
	}
	return nil
}

// leaveOut leaves matches whose nodes more likely have no partner out of a result.
func (p *Problem) leaveOut(r *Result, told []confidence.Told, fixed func(i int) bool) {
	m := r.Matching.Clone()
	for i, out := range confidence.LeftOut(told) {
		if out && !fixed(i) {
			m[i] = qap.Unmatched
		}
	}
	if r.LeftOut = r.Matched - m.Size(); r.LeftOut == 0 {
		return
	}
	for i := range m {
		if m[i] != r.Matching[i] {
			r.Confidence[i] = told[i].Alone
		}
	}
	r.Score = p.Instance.Score(m)
	r.Matching, r.Matched, r.Objective, r.Bound, r.BoundGap = m, m.Size(), p.Instance.Objective(r.Score), nil, nil
	if r.Status == qap.Optimal {
		r.Status = qap.Converged // it was of matchings of other sizes
	}
}

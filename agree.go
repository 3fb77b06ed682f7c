package rgm

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/rgm-go/rgm/compare"
	"github.com/rgm-go/rgm/qap"
)

// agree takes the attributes of Options.MustAgree out of the graphs.
func (p *pair) agree() (err error) {
	if len(p.o.MustAgree) == 0 {
		return nil
	}
	if p.o.Profile {
		return optionError("Profile", "matchings of every size have nodes that do not agree where too few do: leave it or must_agree out")
	}
	if p.design.Agree, p.g1, p.g2, err = compare.Agree(p.g1, p.g2, p.o.MustAgree); err != nil {
		return optionError("MustAgree", "%v", withoutPackage(err))
	}
	fixed, err := p.o.fixed(p.g1.Nodes, p.g2.Nodes)
	for k, f := range fixed {
		if !p.design.Agree.May(f.I, f.J) {
			return &FixError{k, fmt.Sprintf("%s is of nodes that do not agree in %s", p.o.Fix[k], strings.Join(p.o.MustAgree, ", "))}
		}
	}
	return err
}

// compare searches by affinities, which are 0 of nodes that must agree and do not: such matches are released.
func (p *Problem) compare(ctx context.Context, limit time.Duration) (Result, error) {
	tell := p.options.OnBest
	if p.agree == nil || p.agree.Nodes1 == nil {
		return p.solver.searchInstance(ctx, p.Instance, p.options, limit, tell)
	}
	if tell != nil {
		tell = func(i Incumbent) {
			i.Matching = p.agreeing(i.Matching)
			i.Score = p.Instance.Score(i.Matching)
			i.Objective = p.Instance.Objective(i.Score)
			p.options.OnBest(i)
		}
	}
	r, err := p.solver.searchInstance(ctx, p.Instance, p.options, limit, tell)
	if err != nil {
		return r, err
	}
	r.Matching = p.agreeing(r.Matching)
	score := p.Instance.Score(r.Matching)
	if score < r.Score-rounding*math.Abs(r.Score) && r.Status == qap.Optimal {
		r.Status = qap.Converged // it was of matchings some of whose nodes do not agree
	}
	r.Score, r.Objective, r.Matched = score, p.Instance.Objective(score), r.Matching.Size()
	return r, nil
}

// agreeing returns a matching without nodes that do not agree, and with as many that do as are wanted.
func (p *Problem) agreeing(m qap.Matching) qap.Matching {
	wanted := p.options.Inliers
	if p.Instance.Complete {
		n1, n2 := p.Instance.Size()
		wanted = min(n1, n2)
	}
	return p.agree.Keep(p.Instance, m, wanted)
}

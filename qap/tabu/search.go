package tabu

import (
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
)

// search is the state of a trajectory. Matrices over pairs of facilities are
// n×n, of which the part below the diagonal is kept.
type search struct {
	n         int
	symmetric bool // A or B is: one product a pair serves both directions
	a, at     []float64
	b, bt     []float64 // permuted in place: b[i,j] is B[p(i),p(j)]
	linear    []float64 // L[i, location]
	p         qap.Matching
	delta     []float64 // cost change of swapping i and j
	allowed   []int     // tabu until: step from which i may go to a location
	oldest    []int     // the lesser of allowed[i,p(j)] and allowed[j,p(i)]
	cost      float64
	step      int
	best      qap.Matching
	bestCost  float64
	bestStep  int
	rng       *rand.Rand
	u, w      []float64 // scratch of swap
	ut, wt    []float64
}

func newSearch(in *qap.Instance, kb *qap.KoopmansBeckmann, start qap.Matching, rng *rand.Rand) *search {
	n := len(start)
	sign := 1.0
	if in.Sense == qap.Maximize {
		sign = -1
	}
	s := &search{
		n: n, p: start.Clone(), best: start.Clone(), cost: -in.Score(start), rng: rng,
		linear: make([]float64, n*n), delta: make([]float64, n*n),
		allowed: make([]int, n*n), oldest: make([]int, n*n),
		u: make([]float64, n), w: make([]float64, n), ut: make([]float64, n), wt: make([]float64, n),
	}
	s.bestCost = s.cost
	s.setMatrices(kb, sign)
	for k := range s.allowed {
		s.allowed[k] = -rng.IntN(n * n)
	}
	for i := range n {
		for j := range i {
			s.delta[i*n+j] = s.swapCost(i, j)
			s.setOldest(i, j)
		}
	}
	return s
}

// setMatrices copies the matrices, B permuted. Where A or B is symmetric, what a
// pair of facilities costs in both directions is the one product
// (A+Aᵀ)[i,j]·(B+Bᵀ)[a,b]/2.
func (s *search) setMatrices(kb *qap.KoopmansBeckmann, sign float64) {
	n, a, b := s.n, kb.A(), kb.B()
	s.a, s.at = make([]float64, n*n), make([]float64, n*n)
	s.b, s.bt = make([]float64, n*n), make([]float64, n*n)
	s.symmetric = isSymmetric(a, n) || isSymmetric(b, n)
	for i := range n {
		for j := range n {
			x, xt := sign*a[i*n+j], sign*a[j*n+i]
			y, yt := b[s.p[i]*n+s.p[j]], b[s.p[j]*n+s.p[i]]
			if s.symmetric {
				x, y = x+xt, (y+yt)/2
			}
			s.a[i*n+j], s.at[i*n+j] = x, xt
			s.b[i*n+j], s.bt[i*n+j] = y, yt
		}
	}
	for k, l := range kb.Linear() {
		s.linear[k] = sign * l
	}
}

func isSymmetric(m []float64, n int) bool {
	for i := range n {
		for j := range i {
			if m[i*n+j] != m[j*n+i] {
				return false
			}
		}
	}
	return true
}

// swapCost returns the cost change of swapping the locations of i and j, in O(n).
func (s *search) swapCost(i, j int) float64 {
	n := s.n
	cost := s.linear[i*n+s.p[j]] + s.linear[j*n+s.p[i]] - s.linear[i*n+s.p[i]] - s.linear[j*n+s.p[j]]
	cost += s.rowCost(s.a, s.b, i, j)
	if !s.symmetric {
		cost += s.rowCost(s.at, s.bt, i, j)
		cost += (s.a[i*n+j] - s.a[j*n+i]) * (s.b[j*n+i] - s.b[i*n+j])
	}
	return cost
}

// rowCost is the part of swapCost that rows i and j of a and b bring with the
// other facilities.
func (s *search) rowCost(a, b []float64, i, j int) float64 {
	n := s.n
	ai, aj := a[i*n:(i+1)*n], a[j*n:(j+1)*n]
	bi, bj := b[i*n:(i+1)*n], b[j*n:(j+1)*n]
	aj, bi, bj = aj[:len(ai)], bi[:len(ai)], bj[:len(ai)]
	sum := 0.0
	for k, x := range ai {
		sum += (x - aj[k]) * (bj[k] - bi[k])
	}
	// k = i and k = j are no other facilities; diagonals are 0.
	return sum - (ai[i]-aj[i])*(bj[i]-bi[i]) - (ai[j]-aj[j])*(bj[j]-bi[j])
}

func (s *search) setOldest(i, j int) {
	if j > i {
		i, j = j, i
	}
	n := s.n
	s.oldest[i*n+j] = min(s.allowed[i*n+s.p[j]], s.allowed[j*n+s.p[i]])
}

// choose returns the best swap that is not tabu. A swap is tabu while both
// facilities were lately where it puts them. Leading to a new best, or holding a
// match that has not been for long (aspiration), overrides that, and such swaps
// come first. Equal swaps are chosen among at random.
func (s *search) choose() (i, j int, ok bool) {
	n := s.n
	aspiration := lateAspiration
	if s.step < earlySteps {
		aspiration = earlyAspiration
	}
	forcedBefore := s.step - aspiration*n*n
	toBest := s.bestCost - s.cost
	var least float64
	rank, ties := 0, 0 // rank of the swap held: 0 none, 1 not tabu, 2 overriding
	first := s.rng.IntN(max(n, 1))
	for k := range n {
		row := first + k
		if row >= n {
			row -= n
		}
		deltas := s.delta[row*n : row*n+row]
		oldest := s.oldest[row*n : row*n+row][:len(deltas)]
		for col, delta := range deltas {
			if rank == 2 && delta > least {
				continue
			}
			age := oldest[col]
			r := 0
			switch {
			case delta < toBest || age < forcedBefore:
				r = 2
			case age < s.step:
				r = 1
			}
			switch {
			case r < rank || r == 0 || r == rank && delta > least:
				continue
			case r == rank && delta == least:
				ties++
				if s.rng.IntN(ties+1) != 0 {
					continue
				}
			default:
				ties = 0
			}
			rank, least, i, j = r, delta, row, col
		}
	}
	if rank == 0 && n > 1 { // all tabu: any swap
		i = 1 + s.rng.IntN(n-1)
		return i, s.rng.IntN(i), true
	}
	return i, j, rank > 0
}

// tenure draws for how many steps a facility may not return to its place.
func (s *search) tenure() int {
	n, u := float64(s.n), s.rng.Float64()
	if s.step < earlySteps {
		return int(n * (1 - earlyTenureSpread + 2*earlyTenureSpread*u))
	}
	return int(lateTenureFactor * n * u * u * u)
}

// swap exchanges the locations of r and q and updates everything kept.
func (s *search) swap(r, q int) {
	n := s.n
	if r < q {
		r, q = q, r
	}
	s.cost += s.delta[r*n+q]
	s.updateDeltas(r, q)
	s.swapB(r, q)
	s.allowed[r*n+s.p[r]] = s.step + 1 + s.tenure()
	s.allowed[q*n+s.p[q]] = s.step + 1 + s.tenure()
	s.p[r], s.p[q] = s.p[q], s.p[r]
	for k := range n {
		for _, f := range [2]int{r, q} {
			if k == f {
				continue
			}
			s.setOldest(k, f)
			if lo, hi := min(k, f), max(k, f); f == r || k != r {
				s.delta[hi*n+lo] = s.swapCost(hi, lo)
			}
		}
	}
	s.step++
	if s.cost < s.bestCost-1e-12*math.Abs(s.bestCost) { // by more than rounding
		s.bestCost, s.bestStep = s.cost, s.step
		copy(s.best, s.p)
	}
}

// updateDeltas brings the deltas of pairs that touch neither r nor q to the state
// after the swap: (u_i−u_j)·(w_i−w_j) a pair and direction.
func (s *search) updateDeltas(r, q int) {
	n := s.n
	differences(s.u, s.a[r*n:(r+1)*n], s.a[q*n:(q+1)*n])
	differences(s.w, s.b[r*n:(r+1)*n], s.b[q*n:(q+1)*n])
	if !s.symmetric {
		differences(s.ut, s.at[r*n:(r+1)*n], s.at[q*n:(q+1)*n])
		differences(s.wt, s.bt[r*n:(r+1)*n], s.bt[q*n:(q+1)*n])
	}
	for i := range n {
		deltas := s.delta[i*n : i*n+i]
		u, w := s.u[:len(deltas)], s.w[:len(deltas)]
		ui, wi := s.u[i], s.w[i]
		if s.symmetric {
			for j := range deltas {
				deltas[j] += (ui - u[j]) * (wi - w[j])
			}
			continue
		}
		ut, wt := s.ut[:len(deltas)], s.wt[:len(deltas)]
		uti, wti := s.ut[i], s.wt[i]
		for j := range deltas {
			deltas[j] += (ui-u[j])*(wi-w[j]) + (uti-ut[j])*(wti-wt[j])
		}
	}
}

func differences(dst, x, y []float64) {
	x, y = x[:len(dst)], y[:len(dst)]
	for k := range dst {
		dst[k] = x[k] - y[k]
	}
}

// swapB exchanges rows and columns r and q of the permuted B and its transpose.
func (s *search) swapB(r, q int) {
	n := s.n
	for _, m := range [2][]float64{s.b, s.bt} {
		for k := range n {
			m[r*n+k], m[q*n+k] = m[q*n+k], m[r*n+k]
		}
		for k := range n {
			m[k*n+r], m[k*n+q] = m[k*n+q], m[k*n+r]
		}
	}
}

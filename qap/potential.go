package qap

// The potential V of a partial assignment is the expected score of a uniformly
// random completion. With R and C the free nodes of the two graphs,
// h = max(|R|, |C|), M the gains and S_R = Σ A over R×R (zero diagonal), and the
// sign σ that turns the user's sense into a score,
//
//	V = J + ΣM[R,C]/h + σ·ΣA[R,R]·ΣB[C,C]/(h·(h−1))
//
// since a completion holds a free vertex with probability 1/h and two that do
// not conflict with probability 1/(h·(h−1)). Terms without free nodes vanish.
// Changing R and C by one node each changes these sums by sums over single rows
// and columns, so the change of V by every action costs O(n1·n2).

// freeSums holds the sums over free nodes that V and its changes need.
type freeSums struct {
	rowGain, colGain []float64 // M[i,C] for every i; M[R,a] for every a
	aOut, aIn        []float64 // A[i,R], A[R,i]
	bOut, bIn        []float64 // B[a,C], B[C,a]
	gain, a, b       float64   // M[R,C], A[R,R], B[C,C]
	rows, cols       []int     // R and C
}

// renew makes room for graphs of n1 and n2 nodes.
func (s *freeSums) renew(n1, n2 int) {
	s.rowGain, s.aOut, s.aIn = zeros(s.rowGain, n1), zeros(s.aOut, n1), zeros(s.aIn, n1)
	s.colGain, s.bOut, s.bIn = zeros(s.colGain, n2), zeros(s.bOut, n2), zeros(s.bIn, n2)
	s.rows, s.cols = zeros(s.rows, n1)[:0], zeros(s.cols, n2)[:0]
}

// collect computes the sums for the free nodes of e.
func (s *freeSums) collect(e *Environment) {
	kb, n1, n2 := e.kb, e.n1, e.n2
	s.rows, s.cols = s.rows[:0], s.cols[:0]
	for i, a := range e.match {
		if a == Unmatched {
			s.rows = append(s.rows, i)
		}
	}
	for a, i := range e.inverse {
		if i == Unmatched {
			s.cols = append(s.cols, a)
		}
	}
	s.gain, s.a, s.b = 0, 0, 0
	for i := range n1 {
		s.rowGain[i] = sumAt(e.gains[i*n2:(i+1)*n2], s.cols)
		s.aOut[i] = sumAt(kb.a[i*n1:(i+1)*n1], s.rows)
		s.aIn[i] = sumAt(kb.at[i*n1:(i+1)*n1], s.rows)
	}
	clear(s.colGain)
	for _, i := range s.rows {
		s.gain += s.rowGain[i]
		s.a += s.aOut[i]
		for a, g := range e.gains[i*n2 : (i+1)*n2] {
			s.colGain[a] += g
		}
	}
	for a := range n2 {
		s.bOut[a] = sumAt(kb.b[a*n2:(a+1)*n2], s.cols)
		s.bIn[a] = sumAt(kb.bt[a*n2:(a+1)*n2], s.cols)
	}
	for _, a := range s.cols {
		s.b += s.bOut[a]
	}
}

func sumAt(values []float64, indices []int) float64 {
	sum := 0.0
	for _, i := range indices {
		sum += values[i]
	}
	return sum
}

// completion is V − J for the given sums over free nodes, h their larger number.
func completion(gain, pairs float64, h int) float64 {
	switch {
	case h <= 0:
		return 0
	case h == 1:
		return gain
	}
	return gain/float64(h) + pairs/float64(h*(h-1))
}

// potentialChanges sets value to V and changes to ΔV. The four cases are those
// of an action: nobody, the node of graph 2, the node of graph 1, or both are
// matched elsewhere before.
func (e *Environment) potentialChanges() {
	s, kb, n1, n2 := &e.sums, e.kb, e.n1, e.n2
	s.collect(e)
	sign := kb.sign
	h := max(n1, n2) - e.size
	e.value = e.score + completion(s.gain, sign*s.a*s.b, h)
	base := e.score - e.value
	for i, b := range e.match {
		gains := e.gains[i*n2 : (i+1)*n2]
		for a, k := range e.inverse {
			var change float64
			switch {
			case b == Unmatched && k == Unmatched:
				change = gains[a] + s.afterAdd(e, i, a, h-1)
			case b == Unmatched:
				change = gains[a] - e.gains[k*n2+a] + s.afterTakeColumn(e, i, a, k, h)
			case k == Unmatched:
				change = gains[a] - gains[b] + s.afterMove(e, i, a, b, h)
			case k == i:
				e.changes[i*n2+a] = 0
				continue
			default:
				change = gains[a] - gains[b] - e.gains[k*n2+a] +
					sign*kb.pair(i, b, k, a) + s.afterDisplace(e, i, a, k, b, h+1)
			}
			e.changes[i*n2+a] = base + change
		}
	}
}

// afterAdd: i and a leave the free nodes.
func (s *freeSums) afterAdd(e *Environment, i, a, h int) float64 {
	sign := e.kb.sign
	gain := s.gain - s.rowGain[i] - s.colGain[a] + e.gains[i*e.n2+a] +
		sign*(s.aIn[i]*s.bIn[a]+s.aOut[i]*s.bOut[a])
	pairs := (s.a - s.aOut[i] - s.aIn[i]) * (s.b - s.bOut[a] - s.bIn[a])
	return completion(gain, sign*pairs, h)
}

// afterTakeColumn: i takes a from k, so k replaces i among the free nodes.
func (s *freeSums) afterTakeColumn(e *Environment, i, a, k, h int) float64 {
	kb, n1 := e.kb, e.n1
	ik, ki := kb.a[i*n1+k], kb.a[k*n1+i]
	// Sums over the new free nodes R−i+k of what i now adds and k no longer adds.
	in := (s.aIn[i] + ki) - (s.aIn[k] - ik)
	out := (s.aOut[i] + ik) - (s.aOut[k] - ki)
	gain := s.gain - s.rowGain[i] + s.rowGain[k] + kb.sign*(in*s.bIn[a]+out*s.bOut[a])
	free := s.a - s.aOut[i] - s.aIn[i] + s.aOut[k] + s.aIn[k] - ik - ki
	return completion(gain, kb.sign*free*s.b, h)
}

// afterMove: i leaves b for a, so b replaces a among the free nodes.
func (s *freeSums) afterMove(e *Environment, i, a, b, h int) float64 {
	kb, n2 := e.kb, e.n2
	ab, ba := kb.b[a*n2+b], kb.b[b*n2+a]
	in := (s.bIn[a] + ba) - (s.bIn[b] - ab)
	out := (s.bOut[a] + ab) - (s.bOut[b] - ba)
	gain := s.gain - s.colGain[a] + s.colGain[b] + kb.sign*(s.aIn[i]*in+s.aOut[i]*out)
	free := s.b - s.bOut[a] - s.bIn[a] + s.bOut[b] + s.bIn[b] - ab - ba
	return completion(gain, kb.sign*s.a*free, h)
}

// afterDisplace: i leaves b and takes a from k, so k and b join the free nodes.
func (s *freeSums) afterDisplace(e *Environment, i, a, k, b, h int) float64 {
	kb, n1, n2 := e.kb, e.n1, e.n2
	ik, ki := kb.a[i*n1+k], kb.a[k*n1+i]
	ab, ba := kb.b[a*n2+b], kb.b[b*n2+a]
	aIn, aOut := s.aIn[i]+ki, s.aOut[i]+ik // of i over R+k
	gain := s.gain + s.rowGain[k] + s.colGain[b] + e.gains[k*n2+b] + kb.sign*
		(aIn*((s.bIn[a]+ba)-(s.bIn[b]))+aOut*((s.bOut[a]+ab)-s.bOut[b])-
			s.aIn[k]*(s.bIn[a]+ba)-s.aOut[k]*(s.bOut[a]+ab))
	pairs := (s.a + s.aOut[k] + s.aIn[k]) * (s.b + s.bOut[b] + s.bIn[b])
	return completion(gain, kb.sign*pairs, h)
}

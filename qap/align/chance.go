package align

import "math"

// mostLikely is how many changes are listed.
const mostLikely = 32

// list lists how likely changes are allowed at a temperature.
func (s *swaps) list(temperature float64) {
	if !s.plain || s.hasTerms() || temperature == s.at {
		return
	}
	for k := range s.likely {
		s.likely[k] = math.Exp(-float64(k) / temperature)
	}
	s.at = temperature
}

// allows reports whether a temperature allows a change, by chance where it is for the worse.
func (s *swaps) allows(change, temperature float64) bool {
	if change >= 0 {
		return true
	}
	chance := float64(s.random.Uint64()>>11) * 0x1p-53
	if s.at == temperature && change > -mostLikely {
		return chance < s.likely[int(-change)]
	}
	return chance < math.Exp(change/temperature)
}

// hopeless is of what change in units of the temperature no random number allows it, but for 0.
const hopeless = -37

// most returns what change an exchange cannot exceed, as far as degrees tell that without a look at the edges, of which hubs have many.
func (s *swaps) most(i, j, k int32) float64 {
	if !s.plain || s.hasTerms() {
		return math.Inf(1)
	}
	most := min(s.a.Degree(int(i)), s.b.Degree(int(j)))
	if from := int(s.m[i]); from < s.b.Nodes() {
		most += min(s.a.Degree(int(k)), s.b.Degree(from))
	}
	const between = 2 // an edge between them counts for both
	return float64(most+between) - s.support[i] - s.support[k]
}

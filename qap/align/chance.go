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

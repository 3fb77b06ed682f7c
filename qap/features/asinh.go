package features

import "math"

// asinh is math.Asinh at the precision of a float32, in a fifth of its time: two
// of them a vertex would be most of the work of Fill.
func asinh(x float64) float32 {
	y := math.Abs(x)
	return float32(math.Copysign(log(y+math.Sqrt(y*y+1)), x))
}

// log is math.Log for finite x ≥ 1 with an absolute error below 1e-9: the exponent
// apart, it sums the first terms of log m = 2·artanh((m−1)/(m+1)) for the mantissa
// m in [√½, √2).
func log(x float64) float64 {
	const (
		mantissaBits = 52
		rootHalf     = 0x3fe6a09e667f3bcd // the bits of √½
	)
	bits := math.Float64bits(x)
	exponent := int64(bits-rootHalf) >> mantissaBits // of two, such that x/2^exponent is in the range of m
	m := math.Float64frombits(bits - uint64(exponent)<<mantissaBits)
	s := (m - 1) / (m + 1)
	t := s * s
	series := 1 + t*(1.0/3+t*(1.0/5+t*(1.0/7+t*(1.0/9+t*(1.0/11)))))
	return float64(exponent)*math.Ln2 + 2*s*series
}

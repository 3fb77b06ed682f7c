// Package splitmix draws numbers and mixes bits by SplitMix64 (Steele, Lea, Flood, doi:10.1145/2660193.2660195).
// The kernels in C draw the same numbers.
package splitmix

// Source is a stream of random numbers; its value is the seed of what comes.
type Source uint64

// Next returns the next number.
func (s *Source) Next() uint64 {
	x := Mix(uint64(*s))
	*s += gamma
	return x
}

// Below returns a number of 0..n-1, for n below 2³². Its bias is below n/2³².
func (s *Source) Below(n int) int { return int(s.Next() & 0xffffffff * uint64(n) >> 32) }

// Mix returns a hash of x: the first number of the stream whose seed is x.
func Mix(x uint64) uint64 {
	x += gamma
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// gamma is 2⁶⁴ divided by the golden ratio.
const gamma = 0x9e3779b97f4a7c15

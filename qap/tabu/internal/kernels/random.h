// The random numbers of the search; random.go has the same in Go.

// next_random is xoshiro256++ (Blackman, Vigna, doi:10.1145/3460772).
static inline uint64_t next_random(uint64_t s[4]) {
	uint64_t sum = s[0] + s[3];
	uint64_t result = (sum << 23 | sum >> 41) + s[0];
	uint64_t t = s[1] << 17;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = s[3] << 45 | s[3] >> 19;
	return result;
}

// random_below returns 0..n-1; its bias, below n/2³², does not matter here.
static inline int64_t random_below(uint64_t s[4], int64_t n) {
	return (int64_t)((next_random(s) >> 32) * (uint64_t)n >> 32);
}

// random_unit returns a number in [0, 1).
static inline double random_unit(uint64_t s[4]) {
	return (double)(next_random(s) >> 11) * 0x1p-53;
}

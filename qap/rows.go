package qap

// Rows is an affinity whose rows hold few entries, so that what a match changes can
// be visited one by one: Sparse and EdgePairs.
type Rows interface {
	Affinity
	// RowEntries returns the vertices q whose K[p,q] is held, of those that do not
	// conflict with p, in increasing order, and their K[p,q]. They are not to be
	// changed and hold until the next call with the same buffers, which have room for
	// LongestRow entries.
	RowEntries(p int, q []int32, k []float64) ([]int32, []float64)
	// LongestRow bounds how many entries RowEntries returns.
	LongestRow() int
}

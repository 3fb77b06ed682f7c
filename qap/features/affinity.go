package features

// Affinity is the set of inputs of networks that re-weigh affinities instead of
// choosing actions; package reweigh fills it in. What stands in the place of a
// vertex is a question: what an edge affinity is worth, or, where AsksSize is 1,
// how good the best matching of a size is. Inputs that the other question has are 0.
const Affinity = "affinity"

// The channels of the Affinity set.
const (
	AsksSize = 0

	// Of an edge affinity.
	RelativeAffinity = 1 // share of the greatest one
	LogAffinity      = 2 // logarithm of the share, −12 at least

	// Of the instance: see reweigh.Measure.
	FirstStatistic = 3
	StatisticCount = 16

	// Of a size: see package reweigh.
	FirstOfSize = FirstStatistic + StatisticCount
	OfSizeCount = 16

	AffinityChannels = FirstOfSize + OfSizeCount
)

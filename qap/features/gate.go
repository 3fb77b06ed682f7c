package features

// Gate is the set of inputs of networks that choose between given and learned affinities,
// and how many matches to make; package reweigh fills it in. What stands in the place of a
// vertex is a candidate: the best matching of a size by one of the two.
const Gate = "gate"

// The channels of the Gate set.
const (
	// Of the instance: those that φ is told, then others. See package reweigh.
	GateStatisticCount = 16
	FirstGateInstance  = GateStatisticCount
	GateInstanceCount  = 10

	// Of a candidate: see package reweigh.
	FirstOfCandidate = FirstGateInstance + GateInstanceCount
	OfCandidateCount = 30

	GateChannels = FirstOfCandidate + OfCandidateCount
)

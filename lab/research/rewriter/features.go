package rewriter

// Set is the name of the set of inputs of the networks that pick regions and rules for local
// rewriting (package rewrite, which fills it in). What stands in the place of a vertex is a
// question: whether to take a region, a node of graph 1, or with AsksRule a rule there, its
// next partner. n1 is 1, n2 the number of regions or rules. Changes are of the score, over its
// scale, as asinh of four times that; memory fades as exp(−2·steps/n).
const Set = "rewrite"

// The channels of the set. Those of the question that is not asked are 0.
const (
	AsksRule = 0

	// Of a region.
	RegionChange   = 1 // the greatest of its rules
	RegionSecond   = 2 // that less the greatest of all regions
	RegionOwn      = 3 // gain of the node's match, less the mean over the matches
	RegionFree     = 4 // the node is not matched
	RegionAge      = 5 // since it was rewritten
	RegionBehind   = 6 // best score so far less the present one
	RegionStagnant = 7 // since the best

	// Of a rule.
	RuleChange  = 8  // of the score
	RuleSecond  = 9  // that less the greatest of the region's rules
	RuleBeats   = 10 // the score would be the best so far
	RuleHeld    = 11 // another node has the partner
	RuleAge     = 12 // since the node had the partner last
	RuleHolder  = 13 // since the other node was rewritten
	RuleRelease = 14 // it releases the node
	RuleInBest  = 15 // the best matching has it

	Channels = 16
)

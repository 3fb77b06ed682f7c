package features

// Selector is the set of inputs of networks that choose among searches; package auto
// fills it in. What stands in the place of a vertex is a question: how good it would be
// to give the next turn, and those after it, to a component, or to go on by the unlearned
// rule. n1 is 1, n2 the number of options: the components, then the rule.
const Selector = "selector"

// The channels of the Selector set. Pairs are of the two matrices, the lesser first.
const (
	// Of the instance.
	SizeOf         = 0 // ln(n/30)
	LeastDensity   = 1
	MostDensity    = 2
	LeastLikeness  = 3 // how alike the nodes are that are most alike
	MostLikeness   = 4
	IsNarrow       = 5 // few neighbors each in one matrix, the other without structure
	LeastDominance = 6 // ln(0.1 + spread of the entries)
	MostDominance  = 7
	Symmetries     = 8  // matrices that are symmetric, 0 to 1
	Ruggedness     = 9  // how far apart the costs of the opening's local optima are
	Distance       = 10 // how far apart they are themselves

	// Of the search.
	BudgetSwaps  = 11 // ln of the swaps for each node, /100
	SpentBudget  = 12 // share of them
	AllStagnant  = 13 // share of the swaps since the best
	SinceBest    = 14 // ln of those swaps, for each node, /100
	OpeningShort = 15 // 1 where the opening was of the short population

	// Of the option; what is its own is of the component that has the next turn then.
	FirstOption  = 16 // 1 in the place of the option
	OptionCount  = 5
	OwnShare     = 21 // of the swaps
	OwnSwaps     = 22 // ln of 1 + its swaps for each node, /100
	OwnUntried   = 23
	OwnBehind    = 24 // how far its best is behind the best of all; 0 where it is untried
	OwnHolds     = 25 // it found the best of all
	OwnStagnant  = 26 // share of its swaps since its best
	OwnGain      = 27 // of its last turn
	HadLast      = 28 // it had the last turn
	OthersBehind = 29 // the least of the other components
	ByRule       = 30 // the rule would give it the turn

	SelectorChannels = 31
)

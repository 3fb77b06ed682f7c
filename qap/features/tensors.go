package features

import (
	"strconv"
	"sync"

	"github.com/rgm-go/rgm/internal/lists"
	"github.com/rgm-go/rgm/qap"
)

// A Tensor is one input of a network: float32, row-major, the states of a batch first.
type Tensor struct {
	Name  string
	Shape []Dim // of one state
}

// A Dim is a number of channels, or N1 or N2 for the nodes of a graph.
type Dim int

// The nodes of graph 1, and of graph 2.
const (
	N1 Dim = -1
	N2 Dim = -2
)

func (d Dim) String() string {
	switch d {
	case N1:
		return "n1"
	case N2:
		return "n2"
	}
	return strconv.Itoa(int(d))
}

// The channels of each tensor of the Gain set, in order: those of vertices, of nodes of
// graph 1 and of graph 2, and of the state.
var (
	VertexChannels = []int{Matched, Change, Regret, Gained, ReleasedAge, InBest, BeatsBest, PartnerAge, Visited}
	RowChannels    = []int{RowFree, GainedRow, RowAge}
	ColumnChannels = []int{ColFree, GainedCol, ColAge}
	StateChannels  = []int{BehindBest, FreeShare, Complete, Stagnation, StepsLeft}
)

var tensors = map[string][]Tensor{
	Gain: {
		{"vertices", []Dim{Dim(len(VertexChannels)), N1, N2}},
		{"rows", []Dim{Dim(len(RowChannels)), N1}},
		{"columns", []Dim{Dim(len(ColumnChannels)), N2}},
		{"state", []Dim{Dim(len(StateChannels))}},
	},
	Affinity: {{"features", []Dim{N1, N2, AffinityChannels}}},
}

var registered, policies sync.Map // tensors, and how Policies compute them, by the set

// Register makes a set known to all that read models: its tensors. A package that has one
// calls it before models are read.
func Register(set string, tensors ...Tensor) { registered.LoadOrStore(set, tensors) }

// NewExtractor returns an extractor for an environment over an instance, whose episodes last
// horizon steps.
type NewExtractor func(env *qap.Environment, horizon int) Extractor

// Policy is how a set is computed that networks take which choose actions.
type Policy struct {
	// New computes once what the extractors of an instance share.
	New func(in *qap.Instance) (NewExtractor, error)
	// Plain says that such networks know the paper's actions alone: episodes begin at the empty
	// matching, no forced match is filled in, and none is released but by another.
	Plain bool
}

// RegisterPolicy is Register of a set that policies take.
func RegisterPolicy(set string, p Policy, tensors ...Tensor) {
	Register(set, tensors...)
	policies.LoadOrStore(set, p)
}

// OfPolicy reports whether a set is one of the networks that choose actions.
func OfPolicy(set string) bool {
	_, other := policies.Load(set)
	return set == Gain || other
}

// Plain reports whether a set is of networks that know the paper's actions alone: see Policy.
func Plain(set string) bool {
	p, other := policies.Load(set)
	return other && p.(Policy).Plain
}

// Tensors returns the inputs that a set consists of, nil for an unknown set.
func Tensors(set string) []Tensor {
	if others, known := registered.Load(set); known {
		return others.([]Tensor)
	}
	return tensors[set]
}

// Dims returns the shape of one state.
func (t Tensor) Dims(n1, n2 int) []int {
	dims := make([]int, len(t.Shape))
	for k, d := range t.Shape {
		dims[k] = d.size(n1, n2)
	}
	return dims
}

// size returns the number that a Dim stands for.
func (d Dim) size(n1, n2 int) int {
	switch d {
	case N1:
		return n1
	case N2:
		return n2
	}
	return int(d)
}

// Size returns how many numbers a state has.
func (t Tensor) Size(n1, n2 int) int {
	size := 1
	for _, d := range t.Shape {
		size *= d.size(n1, n2)
	}
	return size
}

// Make returns the tensors of a set for a batch of states.
func Make(set string, batch, n1, n2 int) [][]float32 {
	return lists.Of(Tensors(set), func(t Tensor) []float32 { return make([]float32, batch*t.Size(n1, n2)) })
}

// slots has the place of each channel of a vertex among VertexChannels.
var slots = func() (slots [GainChannels]int) {
	for slot, channel := range VertexChannels {
		slots[channel] = slot
	}
	return slots
}()

// Plane returns a channel of the vertices of the k-th state of Gain inputs, [n1, n2];
// size is n1·n2.
func Plane(inputs [][]float32, k, channel, size int) []float32 {
	at := (k*len(VertexChannels) + slots[channel]) * size
	return inputs[0][at : at+size]
}

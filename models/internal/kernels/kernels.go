// Package kernels computes the network Gain of 16 hidden channels forward and backward, a
// state at a time: compiled for each set of vector instructions, and in Go. All sums have one
// order, so that every set gives the same numbers to the last bit.
package kernels

// Set is an instruction set of the C kernels, or Go.
type Set int

// Go stands for what needs no C.
const Go Set = -1

// Width is how many channels both hidden layers have.
const Width = 16

// The input channels, in this order: of vertices, of nodes of graph 1 and of graph 2, and of the state.
const (
	vertexChannels = 9
	rowChannels    = 3
	columnChannels = 3
	stateChannels  = 5

	Channels = vertexChannels + rowChannels + columnChannels + stateChannels
)

// Weights are those of the network, or their gradient, input channels by output channels.
type Weights struct {
	Vertices           [vertexChannels][Width]float32 // of the channels of vertices,
	Rows, Columns, All [Channels][Width]float32       // of the means of all channels over rows, columns and the state
	B                  [Width]float32
	W1                 [Width][Width]float32
	B1, W2             [Width]float32
	Skip               [Channels]float32
}

// State is the memory of one state of graphs of N1 and N2 nodes.
type State struct {
	N1, N2                         int
	Vertices, Rows, Columns, State []float32 // inputs: [channels, N1, N2], [channels, N1], [channels, N2], [channels]
	RowMeans, ColumnMeans, Means   []float32 // of all channels: [N1, Channels], [N2, Channels], [Channels]
	RowPart, ColumnPart            []float32 // scratch: [N1, Width], [N2, Width]
	H, U, DH                       []float32 // hidden layers [N1, N2, Width], and scratch for Backward, nil for Forward alone
	Q                              []float32 // advantages [N1, N2]; for Backward their gradient
	HSum                           []float32 // [Width]: sum of H over the vertices; for Backward the gradient of each from elsewhere
}

// Forward fills in all but the inputs. Q has the skip connection of all channels but the state's.
func (set Set) Forward(w *Weights, s *State) {
	if set == Go {
		s.forward(w)
		return
	}
	set.forward(w, s)
}

// Backward adds to a gradient, given Q and HSum, after Forward. It overwrites RowPart, ColumnPart,
// DH and HSum.
func (set Set) Backward(w *Weights, s *State, gradient *Weights) {
	if set == Go {
		s.backward(w, gradient)
		return
	}
	set.backward(w, s, gradient)
}

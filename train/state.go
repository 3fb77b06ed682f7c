package train

import (
	"encoding/binary"
	"fmt"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// A packed state is all that the networks' inputs depend on: which problem, the
// matching, the best solution, the counters, and the memory of the Gain features.
// Layout, little endian: problem, steps, best step, horizon (4 bytes each), the
// matching and the best solution (2 bytes a node of graph 1), the packed memory.

const stateHeader = 16

const noNode = 0xffff // packed qap.Unmatched

func stateSize(n1, n2 int, memory bool) int {
	size := stateHeader + 4*n1
	if memory {
		size += features.PackedSize(n1, n2)
	}
	return size
}

// packState packs the state of an environment. memory is nil where the features
// need none.
func packState(problem int, env *qap.Environment, memory *features.Memory, horizon int) []byte {
	n1, n2 := env.Size()
	b := make([]byte, 0, stateSize(n1, n2, memory != nil))
	for _, v := range []int{problem, env.Steps(), env.BestStep(), horizon} {
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	for i := range n1 {
		b = binary.LittleEndian.AppendUint16(b, uint16(env.Match(i)))
	}
	best, _ := env.Best()
	for i := range n1 {
		a := qap.Unmatched
		if env.HasBest() {
			a = best[i]
		}
		b = binary.LittleEndian.AppendUint16(b, uint16(a))
	}
	if memory != nil {
		b = memory.Pack(b)
	}
	return b
}

// ProblemOf returns the index of a packed state's problem.
func ProblemOf(state []byte) int { return int(binary.LittleEndian.Uint32(state)) }

// unpackSnapshot returns the state of the environment that a packed state holds,
// in the memory of two matchings.
func unpackSnapshot(state []byte, matching, best qap.Matching) qap.Snapshot {
	unpackMatching(matching, state[stateHeader:])
	s := qap.Snapshot{
		Matching: matching,
		Steps:    int(binary.LittleEndian.Uint32(state[4:])),
		BestStep: int(binary.LittleEndian.Uint32(state[8:])),
	}
	if unpackMatching(best, state[stateHeader+2*len(matching):]); best.Size() > 0 {
		s.Best = best
	}
	return s
}

func unpackMatching(m qap.Matching, b []byte) {
	for i := range m {
		m[i] = qap.Unmatched
		if a := binary.LittleEndian.Uint16(b[2*i:]); a != noNode {
			m[i] = int(a)
		}
	}
}

// restore puts a workspace of the state's problem into a state that packState made.
func (w *Workspace) restore(state []byte) {
	n1, _ := w.Env.Size()
	w.Env.Restore(unpackSnapshot(state, w.matching, w.best))
	w.Extractor.SetHorizon(int(binary.LittleEndian.Uint32(state[12:])))
	if memory := w.Extractor.Memory(); memory != nil {
		if err := memory.Unpack(state[stateHeader+4*n1:]); err != nil {
			panic(err) // checkState let no such state in
		}
	}
}

// CheckState refuses a packed state, read from a file, that restore could not
// serve.
func CheckState(state []byte, problems []*Problem) error {
	if len(state) < stateHeader || ProblemOf(state) >= len(problems) {
		return fmt.Errorf("train: packed state of %d bytes names no problem of the pool", len(state))
	}
	p := problems[ProblemOf(state)]
	in := p.Instance
	n1, n2 := in.Size()
	if want := stateSize(n1, n2, p.memory); len(state) != want {
		return fmt.Errorf("train: packed state of %d bytes, want %d", len(state), want)
	}
	s := unpackSnapshot(state, qap.NewMatching(n1), qap.NewMatching(n1))
	if s.Best != nil {
		if err := in.CheckMatching(s.Best); err != nil {
			return err
		}
	}
	return in.CheckMatching(s.Matching)
}

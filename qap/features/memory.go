package features

import (
	"encoding/binary"
	"fmt"

	"github.com/rgm-go/rgm/qap"
)

// never is the step of what has not happened yet: older than any age that counts.
const never = -1 << 30

// maxVisits is where the count of visits saturates; it fits a byte.
const maxVisits = 255

// Memory is what a policy remembers of an episode beside the matching: when each
// vertex was last released, when each node's match last changed, and how often
// each vertex was matched.
type Memory struct {
	n1, n2     int
	step       int
	released   []int32 // per vertex: step of its last release
	rowChanged []int32 // per node of graph 1: step of its last change
	colChanged []int32 // per node of graph 2
	visits     []uint8 // per vertex: times matched by a step, at most maxVisits
	most       uint8   // the largest of visits
}

// NewMemory returns the memory of an episode that has not begun.
func NewMemory(n1, n2 int) *Memory {
	m := &Memory{}
	m.resize(n1, n2)
	return m
}

// resize makes m the memory of an episode that has not begun, of graphs of n1 and n2 nodes.
func (m *Memory) resize(n1, n2 int) {
	m.n1, m.n2 = n1, n2
	m.released, m.visits = resized(m.released, n1*n2), resized(m.visits, n1*n2)
	m.rowChanged, m.colChanged = resized(m.rowChanged, n1), resized(m.colChanged, n2)
	m.Reset()
}

// Reset forgets everything.
func (m *Memory) Reset() {
	m.step = 0
	for _, steps := range [][]int32{m.released, m.rowChanged, m.colChanged} {
		for i := range steps {
			steps[i] = never
		}
	}
	clear(m.visits)
	m.most = 0
}

// CopyFrom remembers what another memory of the same size does, and no more.
func (m *Memory) CopyFrom(o *Memory) {
	m.step = o.step
	copy(m.released, o.released)
	copy(m.rowChanged, o.rowChanged)
	copy(m.colChanged, o.colChanged)
	copy(m.visits, o.visits)
	m.most = o.most
}

// Observe records the last step of an environment.
func (m *Memory) Observe(env *qap.Environment) {
	m.step++
	for _, v := range env.Released() {
		m.released[v] = int32(m.step)
		m.touch(v)
	}
	for _, v := range env.Added() {
		if m.visits[v] < maxVisits {
			m.visits[v]++
			m.most = max(m.most, m.visits[v])
		}
		m.touch(v)
	}
}

func (m *Memory) touch(v int) {
	m.rowChanged[v/m.n2] = int32(m.step)
	m.colChanged[v%m.n2] = int32(m.step)
}

// ageLimit returns the age from which on things count as never having happened,
// in steps: exp(−age/(n/2)) is below 1e-7 there.
func ageLimit(n1, n2 int) int { return min(8*max(n1, n2), 1<<16-1) }

// age returns the steps since, at most limit.
func (m *Memory) age(since int32, limit int) int { return min(m.step-int(since), limit) }

// PackedSize returns the number of bytes that Pack appends.
func PackedSize(n1, n2 int) int { return 4 + 2*(n1*n2+n1+n2) + n1*n2 }

// Pack appends the memory to dst in a compact form: the step, an age in two
// bytes a vertex and node, a count in one byte a vertex.
func (m *Memory) Pack(dst []byte) []byte {
	limit := ageLimit(m.n1, m.n2)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(m.step))
	for _, steps := range [][]int32{m.released, m.rowChanged, m.colChanged} {
		for _, since := range steps {
			dst = binary.LittleEndian.AppendUint16(dst, uint16(m.age(since, limit)))
		}
	}
	return append(dst, m.visits...)
}

// Unpack restores what Pack wrote; ages at the limit become never. The features
// of the restored memory are those of the packed one.
func (m *Memory) Unpack(src []byte) error {
	if len(src) != PackedSize(m.n1, m.n2) {
		return fmt.Errorf("features: packed memory of %d bytes, want %d", len(src), PackedSize(m.n1, m.n2))
	}
	limit := ageLimit(m.n1, m.n2)
	m.step = int(binary.LittleEndian.Uint32(src))
	src = src[4:]
	for _, steps := range [][]int32{m.released, m.rowChanged, m.colChanged} {
		for i := range steps {
			age := int(binary.LittleEndian.Uint16(src[2*i:]))
			steps[i] = int32(m.step - age)
			if age >= limit {
				steps[i] = never
			}
		}
		src = src[2*len(steps):]
	}
	copy(m.visits, src)
	m.most = 0
	for _, count := range m.visits {
		m.most = max(m.most, count)
	}
	return nil
}

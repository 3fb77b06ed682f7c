package serve

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"golang.org/x/sync/semaphore"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/infer/request"
)

// The memory of a service is one number, Options.Memory. Off it go the program with its networks
// and its connections, and the results that the memory queue keeps. Half of the rest is for what
// waits: bodies, and the instances read from them until they are solved; a request for which there
// is no room is answered 429. The other half is for work: reading and searching wait for room there.
// Who holds some of the first half may wait for the second, never the other way round, so that
// nobody waits for ever.

// baseMemory is what a service takes besides.
const baseMemory = 256 << 20

// memory is both halves.
type memory struct{ held, work pool }

// pool is an amount of bytes; who comes first is served first.
type pool struct {
	*semaphore.Weighted
	all int64
}

func newPool(bytes int64) pool { return pool{semaphore.NewWeighted(bytes), bytes} }

func newMemory(o *Options) *memory {
	half := max((o.Memory-baseMemory-o.results())/2, 0)
	return &memory{held: newPool(half), work: newPool(half)}
}

// charge is what one request holds of a pool.
type charge struct {
	pool  *pool
	bytes int64
}

// set makes it n bytes, if that many are free.
func (c *charge) set(n int64) bool {
	switch {
	case n > c.bytes && !c.pool.TryAcquire(n-c.bytes):
		return false
	case n < c.bytes:
		c.pool.Release(c.bytes - n)
	}
	c.bytes = n
	return true
}

// release gives all back.
func (c *charge) release() { c.set(0) }

// What an instance takes while it is read, by the most that tests measured: TestReadingIsCounted.
const (
	perNumber   = 48  // bytes a number of JSON: it as read, and the matrices of flows and distances made of it
	perByte     = 24  // bytes a byte of a file, which has a number in two bytes at least
	perTextByte = 80  // bytes a byte of a file of a graph, whose edges and nodes are four bytes at least
	perPair     = 48  // bytes a pair of nodes, of sparse affinities
	perEdgePair = 100 // bytes a pair of edges that is compared
)

// And while it is searched: TestSearchesAreCounted.
const (
	perInstance    = 7       // times what the instance takes: matrices of a relaxation, or of a bound
	perEnvironment = 2       // the same, where states advance
	perState       = 216     // bytes a pair of nodes and state
	perAligned     = 4 << 10 // bytes a node of graphs that are aligned, and perStructure times what they take
	perStructure   = 4
)

// readingBytes returns the most memory that it takes to read an instance.
func readingBytes(r *request.Request, l rgm.Limits) int64 {
	pairs := perPair * int64(l.Nodes) * int64(l.Nodes)
	if r.Block {
		return perTextByte * int64(len(r.Body))
	}
	if r.Files != nil {
		return perTextByte*int64(len(r.Body)) + pairs + maxEdgePairs*perEdgePair
	}
	if r.Format != request.FormatJSON {
		return perByte*inflated(r.Format, r.Body) + pairs
	}
	bytes := perNumber * int64(bytes.Count(r.Body, []byte(","))+1)
	switch kindOf(r.Body) {
	case "sparse":
		bytes += pairs
	case "graphs":
		bytes += pairs + maxEdgePairs*perEdgePair
	}
	return bytes
}

// searchingBytes returns about the most memory that a search takes besides its instance.
func (t *task) searchingBytes() int64 {
	switch {
	case t.block != nil:
		return measuringBytes(t.block.Part.MostNodes())
	case t.pair != nil:
		return measuringBytes(max(t.pair.Graphs[0].Nodes, t.pair.Graphs[1].Nodes))
	}
	n1, n2 := t.Size()
	if t.Alignment != nil {
		bytes := perAligned*int64(n1+n2) + perStructure*t.bytes
		if n := int64(max(n1, n2)); t.Assigned() {
			bytes += perInstance * 2 * 8 * n * n
		}
		return bytes
	}
	if t.Nodes != nil {
		return perAligned * int64(n1+n2)
	}
	states := int64(t.States())
	return max(perInstance*t.bytes, perEnvironment*t.bytes+perState*states*int64(n1)*int64(n2))
}

// kindOf returns the kind of an instance, "" where that cannot be read.
func kindOf(text []byte) (kind string) {
	if request.CheckJSON(text) == nil {
		request.Members(text, "", func(name, _ string, value []byte) error {
			if name == "kind" {
				json.Unmarshal(value, &kind) // the decoder says what is wrong
			}
			return nil
		})
	}
	return kind
}

// inflated returns the length of a file, of an archive with its members uncompressed.
func inflated(format string, text []byte) int64 {
	size := int64(len(text))
	archive, err := zip.NewReader(bytes.NewReader(text), size)
	if format != "npz" || err != nil {
		return size // whoever reads it says what is wrong
	}
	size = 0
	for _, member := range archive.File {
		size += int64(min(member.UncompressedSize64, 1<<40))
	}
	return size
}

// sizeOf returns the memory that what is searched takes: all arrays that its parts refer to.
func sizeOf(p *rgm.Problem) (bytes int64) {
	seen := map[uintptr]bool{}
	var add func(v reflect.Value)
	add = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer, reflect.Slice:
			if v.IsNil() || seen[v.Pointer()] {
				return
			}
			seen[v.Pointer()] = true
		}
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			add(v.Elem())
		case reflect.String:
			bytes += int64(v.Len())
		case reflect.Slice:
			of := v.Type().Elem()
			bytes += int64(v.Cap()) * int64(of.Size())
			if of.Kind() == reflect.Slice || of.Kind() == reflect.Struct || of.Kind() == reflect.String {
				for i := range v.Len() {
					add(v.Index(i))
				}
			}
		case reflect.Array:
			for i := range v.Len() {
				add(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				add(v.Field(i))
			}
		}
	}
	for _, part := range []any{p.Instance, p.Alignment, p.Nodes, p.Compared} {
		add(reflect.ValueOf(part))
	}
	return bytes
}

// systemMemory returns the memory that the process may use, 0 where the system does not say: the
// machine's or, where that is less, its control group's, or three quarters of what RLIMIT_AS
// (ulimit -v) leaves beside the addresses that the process has without memory behind them: of these
// there come more, with every thread, and between what was freed.
func systemMemory() int64 {
	var memory int64
	atMost := func(limit int64) {
		if limit > 0 {
			memory = min(cmp.Or(memory, limit), limit)
		}
	}
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		if fields := strings.Fields(string(text)); len(fields) > 1 && fields[0] == "MemTotal:" {
			kibibytes, _ := strconv.ParseInt(fields[1], 10, 64)
			atMost(kibibytes << 10)
		}
	}
	paths := []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}
	if text, err := os.ReadFile("/proc/self/cgroup"); err == nil {
		if _, own, unified := strings.Cut(strings.TrimSpace(string(text)), "0::"); unified {
			paths = append(paths, filepath.Join("/sys/fs/cgroup", own, "memory.max"))
		}
	}
	for _, path := range paths {
		if text, err := os.ReadFile(path); err == nil {
			limit, _ := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64) // or max
			atMost(limit)
		}
	}
	atMost(addressLimit())
	return memory
}

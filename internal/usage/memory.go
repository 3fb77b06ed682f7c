package usage

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// AtMost fails the test where f allocates more than most bytes. f runs a second time where
// it may have: what is cheap to ask, and asked first, counts small objects late.
func AtMost(t testing.TB, most uint64, f func()) {
	t.Helper()
	before := Quick()
	f()
	if Quick()-before <= most/2 {
		return
	}
	before = Exact()
	f()
	if used := Exact() - before; used > most {
		t.Fatalf("%d bytes allocated, want at most %d", used, most)
	}
}

// Quick returns the bytes allocated so far. Objects of more than 32 KiB count at once, small
// ones once their span is full.
func Quick() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// Exact returns the bytes allocated so far, which stops the world.
func Exact() uint64 {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return memory.TotalAlloc
}

// Resident returns the bytes of the process that are in memory, after a collection. Where the
// system does not tell, the test is skipped.
func Resident(t testing.TB) int {
	t.Helper()
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("needs Linux: ", err)
	}
	pages := must.Get(strconv.Atoi(strings.Fields(string(text))[1]))(t)
	return pages * os.Getpagesize()
}

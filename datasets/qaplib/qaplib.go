// Package qaplib holds the instances of QAPLIB with their best known solutions, and reads what arguments stand for: files,
// folders, or names of its instances (Expand). Its files are under the GNU General Public License: see README.md.
package qaplib

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/lists"
	"github.com/rgm-go/rgm/qap"
)

// Names returns the names of the embedded instances of QAPLIB, sorted by
// class, then size, then name.
func Names() []string { return slices.Clone(names()) }

var files = sync.OnceValue(embedded)

var names = sync.OnceValue(func() []string {
	files, err := fs.ReadDir(files(), ".")
	if err != nil {
		panic(err)
	}
	names := make([]string, len(files))
	for k, file := range files {
		names[k] = strings.TrimSuffix(file.Name(), ".dat")
	}
	slices.SortFunc(names, func(x, y string) int {
		return cmp.Or(cmp.Compare(Class(x), Class(y)), cmp.Compare(nominalSize(x), nominalSize(y)), cmp.Compare(x, y))
	})
	return names
})

// Open returns the embedded instance of that name, to be minimised. An error
// for an unknown name proposes similar ones.
//
// Source: Burkard, Karisch, Rendl, J. Global Optimization 10 (1997),
// doi:10.1023/A:1008293323270.
func Open(name string) (*qap.Instance, error) {
	if !isName(name) {
		return nil, fmt.Errorf("datasets: no QAPLIB instance is called %q%s", name, suggestion(name))
	}
	data, err := fs.ReadFile(files(), name+".dat")
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	for in, err := range datasets.Read(name+".dat", ".dat", bytes.NewReader(data), int64(len(data)), datasets.Options{}) {
		return in, err
	}
	panic("a .dat file holds one instance")
}

func isName(name string) bool { return slices.Contains(names(), name) }

// Class returns the leading letters of a QAPLIB name, which stand for its
// authors: "nug30" is of class "nug".
func Class(name string) string {
	if k := strings.IndexFunc(name, isDigit); k >= 0 {
		return name[:k]
	}
	return name
}

// nominalSize returns the number of nodes, which every QAPLIB name holds behind
// its class.
func nominalSize(name string) int {
	digits := name[len(Class(name)):]
	if k := strings.IndexFunc(digits, func(r rune) bool { return !isDigit(r) }); k >= 0 {
		digits = digits[:k]
	}
	n, _ := strconv.Atoi(digits)
	return n
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// PaperSet returns the QAPLIB instances of the paper's 14 classes (all but els)
// with minN to maxN nodes, sorted like Names, without esc16f: its best
// known cost is 0, so that a gap is undefined.
func PaperSet(minN, maxN int) []string {
	return slices.DeleteFunc(Names(), func(name string) bool {
		n := nominalSize(name)
		return n < minN || n > maxN || Class(name) == "els" || name == "esc16f"
	})
}

// SmallerHalf returns the instances of a class that a network may be trained on by
// the paper's protocol (appendix, "Train/test protocols"): the smaller half, by
// nodes and then by name, of its PaperSet with 12 to 64 nodes. Of an odd number the
// larger half has one more; a class with one instance has no smaller half. What is
// reported of such a network is measured on the others.
func SmallerHalf(class string) []string {
	names := slices.DeleteFunc(PaperSet(12, 64), func(name string) bool { return Class(name) != class })
	return names[:len(names)/2]
}

// InSmallerHalf reports whether an instance is one of the SmallerHalf of its class.
func InSmallerHalf(name string) bool { return slices.Contains(SmallerHalf(Class(name)), name) }

// PaperClasses returns the paper's 14 classes, sorted.
func PaperClasses() []string {
	return slices.Compact(lists.Of(PaperSet(12, 64), Class))
}

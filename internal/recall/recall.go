// Package recall keeps the assignments that were found for problems in the files of a folder, and
// gives back the one that is best for a problem like them.
//
// A file is whole or not there (package sealed); one that is damaged, or of another program, counts for
// nothing. Several programs may share a folder.
package recall

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rgm-go/rgm/internal/sealed"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu"
)

// Most is how many problems a folder keeps; the oldest go first.
const Most = 200

// mostBytes is the largest file that is read.
const mostBytes = 64 << 20

const ending = ".problem"

var format = sealed.Format{Magic: "rgm problem\n", Version: 1}

// problem is what a file holds.
type problem struct {
	Name       string
	Flows      []float64 // n×n, in the user's sense; nil above mostAligned nodes
	Sums       []float64 // of the rows and columns of the flows
	Assignment []int32
}

// kept is a file that was read, nil where it counts for nothing.
type kept struct {
	*problem
	changed time.Time
}

// Store is a folder of problems. It may be used by several goroutines.
type Store struct {
	folder string
	mutex  sync.Mutex
	known  map[string]kept // by file name
}

// Open returns the store of a folder, which it makes where it is not there.
func Open(folder string) (*Store, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	s := &Store{folder: folder, known: map[string]kept{}}
	return s, s.look()
}

// look reads the files that are new, and forgets those that are gone.
func (s *Store) look() error {
	entries, err := os.ReadDir(s.folder)
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ending) {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // another program let it go
		} else if err != nil {
			return err
		}
		there[name] = true
		if have, read := s.known[name]; read && have.changed.Equal(info.ModTime()) {
			continue
		}
		s.known[name] = kept{s.read(name, info.Size()), info.ModTime()}
	}
	for name := range s.known {
		if !there[name] {
			delete(s.known, name)
		}
	}
	return nil
}

// read returns what a file holds, nil where that counts for nothing.
func (s *Store) read(name string, size int64) *problem {
	if size > mostBytes {
		return nil
	}
	data, err := os.ReadFile(filepath.Join(s.folder, name))
	if err != nil {
		return nil
	}
	var p problem
	if format.Decode(data, &p) != nil || !p.whole() {
		return nil
	}
	return &p
}

// whole reports whether a problem could have been written.
func (p *problem) whole() bool {
	n := len(p.Assignment)
	if n == 0 || len(p.Sums) != n || p.Flows != nil && (n > mostAligned || len(p.Flows) != n*n) {
		return false
	}
	taken := make([]bool, n)
	for _, a := range p.Assignment {
		if a < 0 || int(a) >= n || taken[a] {
			return false
		}
		taken[a] = true
	}
	finite := func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
	return !slices.ContainsFunc(p.Flows, func(v float64) bool { return !finite(v) }) && !slices.ContainsFunc(p.Sums, func(v float64) bool { return !finite(v) })
}

// Serves reports whether problems of this kind are kept: flows and distances of as many places.
func Serves(in *qap.Instance) bool {
	n, _ := in.Size()
	return n >= 2 && tabu.Serves(in)
}

// Found is what was kept for a problem like one at hand.
type Found struct {
	Kept       int          // problems of this size
	Name       string       // of the one
	Assignment qap.Matching // nil where there is none
	Score      float64      // for the problem at hand
	Renumbered bool         // the nodes were brought into order by their flows
}

// Recall returns the assignment of a problem of the same size that is best for this one, nodes being the
// same by their number or, where the sums of their flows say that they were renumbered, by how the flows
// of both problems align.
func (s *Store) Recall(ctx context.Context, in *qap.Instance) (Found, error) {
	n, _ := in.Size()
	alike, err := s.ofSize(n)
	if err != nil {
		return Found{}, err
	}
	found := Found{Kept: len(alike), Score: math.Inf(-1)}
	consider := func(p *problem, m qap.Matching, renumbered bool) {
		if score := in.Score(m); score > found.Score {
			found.Name, found.Assignment, found.Score, found.Renumbered = p.Name, m, score, renumbered
		}
	}
	flows := flowsOf(in)
	sums := sumsOf(flows, n)
	for k, p := range alike {
		if ctx.Err() != nil {
			break
		}
		m := p.matching()
		consider(p, m, false)
		if k < mostRenumbered && p.renumbered(sums) {
			if order := p.align(ctx, flows); order != nil {
				other := qap.NewMatching(n)
				for i, j := range order {
					other[i] = m[j]
				}
				consider(p, other, true)
			}
		}
	}
	return found, nil
}

// ofSize returns the problems of n nodes, the last one written first.
func (s *Store) ofSize(n int) ([]*problem, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err := s.look(); err != nil {
		return nil, err
	}
	var all []*problem
	for _, name := range s.newest() {
		if p := s.known[name].problem; p != nil && len(p.Assignment) == n {
			all = append(all, p)
		}
	}
	return all, nil
}

// matching returns the assignment as searches have it.
func (p *problem) matching() qap.Matching {
	m := qap.NewMatching(len(p.Assignment))
	for i, a := range p.Assignment {
		m[i] = int(a)
	}
	return m
}

// newest returns the names of the files, the last one written first.
func (s *Store) newest() []string {
	var names []string
	for name := range s.known {
		names = append(names, name)
	}
	slices.SortFunc(names, func(x, y string) int {
		return cmp.Or(s.known[y].changed.Compare(s.known[x].changed), cmp.Compare(x, y))
	})
	return names
}

// Keep keeps an assignment of a problem, unless a better one of the very problem is there, and lets the
// oldest problems go that are too many.
func (s *Store) Keep(in *qap.Instance, m qap.Matching) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err := s.look(); err != nil {
		return err
	}
	n, _ := in.Size()
	name := sumOf(in) + ending
	if have := s.known[name].problem; have != nil && len(have.Assignment) == n {
		if in.Score(have.matching()) >= in.Score(m) {
			return nil
		}
	}
	flows := flowsOf(in)
	p := problem{Name: in.Name, Sums: sumsOf(flows, n), Assignment: make([]int32, n)}
	if n <= mostAligned {
		p.Flows = flows
	}
	for i, a := range m {
		p.Assignment[i] = int32(a)
	}
	if err := format.Write(filepath.Join(s.folder, name), p); err != nil {
		return err
	}
	if err := s.look(); err != nil {
		return err
	}
	all := s.newest()
	for len(all) > Most {
		oldest := all[len(all)-1]
		if err := os.Remove(filepath.Join(s.folder, oldest)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		delete(s.known, oldest)
		all = all[:len(all)-1]
	}
	return nil
}

// sumOf names a problem by its content.
func sumOf(in *qap.Instance) string {
	h := sha256.New()
	kb := in.Affinity.(*qap.KoopmansBeckmann)
	a, b, linear := kb.Given()
	for _, m := range [][]float64{{float64(in.Sense)}, a, b, linear} {
		bytes := binary.LittleEndian.AppendUint64(nil, uint64(len(m)))
		for _, v := range m {
			bytes = binary.LittleEndian.AppendUint64(bytes, math.Float64bits(v))
		}
		h.Write(bytes)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

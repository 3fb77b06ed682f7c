// Package graphpairs is what rgm match reads and prints: pairs of files of graphs, and
// answers that name the nodes as the files do.
package graphpairs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/datasets/graphs"

	"github.com/rgm-go/rgm/internal/suggest"
)

// Pair is two files of graphs to match, or the error in their place.
type Pair struct {
	Name         string
	File1, File2 string
	Err          error
}

// Of returns the pairs that two arguments stand for: two files, or two folders whose
// files have the same names without their extensions, sorted, with those in the folders in
// them where recursive; and whether they are folders. A file without a partner gives a pair
// with an error.
func Of(a, b string, recursive bool) (pairs []Pair, folders bool, err error) {
	info1, err1 := os.Stat(a)
	info2, err2 := os.Stat(b)
	if err := errors.Join(err1, err2); err != nil {
		return nil, false, err
	}
	switch {
	case info1.IsDir() != info2.IsDir():
		return nil, false, fmt.Errorf("%s and %s: want two files or two folders", a, b)
	case info1.IsDir():
		pairs, err = ofFolders(a, b, recursive)
		return pairs, true, err
	}
	return []Pair{{Name: graphs.PairName(a, b), File1: a, File2: b}}, false, nil
}

// ofFolders pairs the files of two folders.
func ofFolders(a, b string, recursive bool) ([]Pair, error) {
	files1, err1 := graphFiles(a, recursive)
	files2, err2 := graphFiles(b, recursive)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	var names []string
	for name := range files1 {
		names = append(names, name)
	}
	for name := range files2 {
		if files1[name] == nil {
			names = append(names, name)
		}
	}
	if names == nil {
		return nil, fmt.Errorf("%s and %s hold no graphs: want files %s", a, b, suggest.OneOf(graphs.Extensions()...))
	}
	slices.Sort(names)
	var pairs []Pair
	for _, name := range names {
		pairs = append(pairs, paired(name, a, files1[name], b, files2[name]))
	}
	return pairs, nil
}

// paired returns the pair of a name: each folder should hold one file of it.
func paired(name, a string, files1 []string, b string, files2 []string) Pair {
	p := Pair{Name: name}
	for _, side := range []struct {
		folder, other string
		files, others []string
	}{{a, b, files1, files2}, {b, a, files2, files1}} {
		switch {
		case len(side.files) == 0:
			p.Err = fmt.Errorf("%s has no partner: want a file %s in %s too", side.others[0], name+".*", side.folder)
		case len(side.files) > 1 && p.Err == nil:
			p.Err = fmt.Errorf("%s are called the same: want one of them", strings.Join(side.files, " and "))
		}
	}
	if p.Err == nil {
		p.File1, p.File2 = files1[0], files2[0]
	}
	return p
}

// graphFiles returns the files of a folder that hold graphs, by their names without
// extensions: those in the folders in it, where recursive, by their paths.
func graphFiles(folder string, recursive bool) (map[string][]string, error) {
	files := map[string][]string{}
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != folder && !recursive:
			return fs.SkipDir
		case e.IsDir() || !graphs.Reads(path):
			return nil
		}
		name, err := filepath.Rel(folder, strings.TrimSuffix(path, filepath.Ext(path)))
		name = filepath.ToSlash(name)
		files[name] = append(files[name], path)
		return err
	})
	return files, err
}

// Open reads both graphs; weight names the numbers of their edges that are their weights,
// "" those called weight, and rule says what becomes of repeated edges. The error is that of the
// first that cannot be read.
func (p *Pair) Open(rule graphs.Repeats) (g1, g2 graphs.Graph, err error) {
	if p.Err != nil {
		return g1, g2, p.Err
	}
	second := make(chan error, 1)
	go func() {
		var err error
		g2, err = open(p.File2, rule)
		second <- err
	}()
	g1, err = open(p.File1, rule)
	if other := <-second; err == nil {
		err = other
	}
	return g1, g2, err
}

func open(path string, rule graphs.Repeats) (graphs.Graph, error) {
	g, err := graphs.OpenBy(path, rule)
	g.Name = path // as errors show it
	return g, err
}

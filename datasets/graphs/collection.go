package graphs

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/rgm-go/rgm/datasets"
)

// mostGraphs bounds a collection.
const mostGraphs = 1 << 20

// OpenCollection reads many graphs: all files of a folder that Open reads, by their names, but tables *pairs.csv, which list
// pairs of the others; a .jsonl file with a graph of nodes and links a line (see ReadNodeLink); a .sdf file of molecules (see
// ReadMol); or a .cxl file, which lists files of GXL beside it. Graphs of files are called as these are, without the extension, those of lines and molecules by their number from 0, unless a graph has a name.
func OpenCollection(path string) ([]Graph, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return openFolder(path)
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".jsonl":
		return openLines(path)
	case ".sdf":
		return openMolecules(path)
	case ".cxl":
		return openListed(path)
	}
	return nil, fmt.Errorf("%s is no collection of graphs: want a folder, a .jsonl or .sdf file, or a .cxl file of GXL", path)
}

// endOfTables is how the names of tables end that list pairs of the graphs beside them.
const endOfTables = "pairs.csv"

func openFolder(path string) ([]Graph, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		if !e.IsDir() && Reads(e.Name()) && !strings.HasSuffix(e.Name(), endOfTables) {
			files = append(files, filepath.Join(path, e.Name()))
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s holds no files of graphs", path)
	}
	return openFiles(files)
}

func openFiles(files []string) ([]Graph, error) {
	if len(files) > mostGraphs {
		return nil, fmt.Errorf("%d files: want at most %d graphs", len(files), mostGraphs)
	}
	all := make([]Graph, len(files))
	for k, file := range files {
		var err error
		if all[k], err = Open(file); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func openLines(path string) ([]Graph, error) {
	return openMany(path, func(r io.Reader) func() (Graph, int, error) {
		lines, number := bufio.NewReader(r), 0
		return func() (g Graph, line int, err error) {
			for {
				text, err := lines.ReadBytes('\n')
				number++
				if text = bytes.TrimSpace(text); len(text) > 0 && (err == nil || err == io.EOF) {
					g, _, err = readNodeLink(bytes.NewReader(text))
					return g, number, err
				}
				if err != nil {
					return g, number, err
				}
			}
		}
	})
}

func openMolecules(path string) ([]Graph, error) {
	return openMany(path, func(r io.Reader) func() (Graph, int, error) {
		m := molecules{in: bufio.NewReader(r)}
		return func() (Graph, int, error) {
			g, err := m.next()
			return g, m.line, err
		}
	})
}

// openMany reads graphs of one file: reader returns what reads the next, with the line where it was, io.EOF after the last.
func openMany(path string, reader func(io.Reader) func() (Graph, int, error)) (all []Graph, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	next := reader(io.LimitReader(file, mostText))
	for {
		g, line, err := next()
		if err == io.EOF {
			break
		}
		name := g.Name
		if g, err = graphOf(path, g, RepeatsAuto, line, err); err != nil {
			return nil, err
		}
		if g.Name = name; name == "" {
			g.Name = fmt.Sprint(len(all))
		}
		if all = append(all, g); len(all) > mostGraphs {
			return nil, &datasets.Error{File: path, Line: line, Err: fmt.Errorf("want at most %d graphs", mostGraphs)}
		}
	}
	if len(all) == 0 {
		return nil, &datasets.Error{File: path, Err: errors.New("no graphs: want one at least")}
	}
	return all, nil
}

// openListed reads the files that a list of GXL names.
func openListed(path string) ([]Graph, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	list := listed{elements: elements{decoder: xml.NewDecoder(io.LimitReader(file, mostText)), namesType: true}}
	if line, err := list.read(&list); err != nil {
		return nil, &datasets.Error{File: path, Line: line, Err: err}
	}
	if len(list.files) == 0 {
		return nil, &datasets.Error{File: path, Err: errors.New("no graphs: want elements print, each with a file")}
	}
	for k, name := range list.files {
		if !filepath.IsLocal(name) {
			return nil, &datasets.Error{File: path, Err: fmt.Errorf("the file %q is not beside the list", name)}
		}
		list.files[k] = filepath.Join(filepath.Dir(path), name)
	}
	return openFiles(list.files)
}

// listed reads the names of files.
type listed struct {
	elements
	files []string
}

func (l *listed) open(e xml.StartElement) error {
	if name := attribute(e, "file"); name != "" && (e.Name.Local == "print" || e.Name.Local == "graph") {
		l.files = append(l.files, name)
	}
	return nil
}

func (*listed) close(string) error { return nil }

func (*listed) characters([]byte) {}

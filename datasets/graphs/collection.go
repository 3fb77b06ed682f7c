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
	"slices"
	"strings"

	"github.com/rgm-go/rgm/datasets"
)

// mostGraphs bounds a collection.
const mostGraphs = 1 << 20

// OpenCollection reads many graphs: all files of a folder that Open reads, by their names; a .jsonl file with a graph of
// nodes and links a line (see ReadNodeLink); or a .cxl file, which lists files of GXL beside it. Graphs of files are called
// as these are, without the extension, those of lines by their number from 0, unless a graph has a name.
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
	case ".cxl":
		return openListed(path)
	}
	return nil, fmt.Errorf("%s is no collection of graphs: want a folder, a .jsonl file, or a .cxl file of GXL", path)
}

func openFolder(path string) ([]Graph, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		if !e.IsDir() && slices.Contains(Extensions(), strings.ToLower(filepath.Ext(e.Name()))) {
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

func openLines(path string) (all []Graph, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewReader(io.LimitReader(file, mostText))
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, err
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			g, _, wrong := readNodeLink(bytes.NewReader(text))
			name := g.Name
			if g, wrong = graphOf(path, g, RepeatsAuto, number, wrong); wrong != nil {
				return nil, wrong
			}
			if g.Name = name; name == "" {
				g.Name = fmt.Sprint(len(all))
			}
			if all = append(all, g); len(all) > mostGraphs {
				return nil, &datasets.Error{File: path, Line: number, Err: fmt.Errorf("want at most %d graphs", mostGraphs)}
			}
		}
		if err == io.EOF {
			break
		}
	}
	if len(all) == 0 {
		return nil, &datasets.Error{File: path, Err: errors.New("no graphs: want one a line")}
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

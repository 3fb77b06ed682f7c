package qaplib

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/qap"
)

// Input is a file of instances or an embedded instance of QAPLIB.
type Input struct {
	Path     string // of the file, or the name of the embedded instance
	Embedded bool
}

// Instances returns the instances of the input, as datasets.Open does. Options do not
// change an embedded one.
func (in Input) Instances(o datasets.Options) iter.Seq2[*qap.Instance, error] {
	if !in.Embedded {
		return datasets.Open(in.Path, o)
	}
	return func(yield func(*qap.Instance, error) bool) { yield(Open(in.Path)) }
}

// Expand returns what arguments of a command line stand for, in their order. An
// argument is a file; a folder, which stands for the files in it (not in its
// subfolders) whose extension is one of datasets.Formats, sorted; a pattern of
// path/filepath.Match, which stands for such files likewise; or the name of an
// embedded instance of QAPLIB. What exists on disk comes first. The error tells of
// every argument that stands for nothing; the inputs of the others are returned
// all the same.
func Expand(args []string) ([]Input, error) { return Expansion{}.Expand(args) }

// Expansion says how folders are read.
type Expansion struct {
	Recursive bool // also the folders in a folder; links to folders are not followed

	// Skipped is told of what stands in a folder, or matches a pattern, and is not read.
	// It may be nil.
	Skipped func(path string, why SkipReason)
}

// SkipReason says why something is not read.
type SkipReason string

// The reasons.
const (
	SkippedFolder      SkipReason = "folder"
	SkippedLink        SkipReason = "link to a folder or to nowhere"
	SkippedSpecial     SkipReason = "special file"
	SkippedOtherFormat SkipReason = "file of another format"
	SkippedUnreadable  SkipReason = "folder that cannot be read"
)

// Expand is the function Expand, with folders read as e says.
func (e Expansion) Expand(args []string) ([]Input, error) {
	var inputs []Input
	var failures []error
	for _, arg := range args {
		expanded, err := e.Argument(arg)
		if err != nil {
			failures = append(failures, err)
		}
		inputs = append(inputs, expanded...)
	}
	return inputs, errors.Join(failures...)
}

// Argument is Expand of one argument.
func (e Expansion) Argument(arg string) ([]Input, error) {
	inputs, err := e.expand(arg)
	if err != nil {
		err = fmt.Errorf("datasets: %w", err)
	}
	return inputs, err
}

func (e Expansion) expand(arg string) ([]Input, error) {
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		return e.folder(arg)
	case err == nil:
		return []Input{{Path: arg}}, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case strings.ContainsAny(arg, `*?[`):
		return e.pattern(arg)
	case isName(arg):
		return []Input{{Path: arg, Embedded: true}}, nil
	case readable(arg):
		return nil, fmt.Errorf("%s: no such file", arg)
	}
	return nil, fmt.Errorf("%s: no such file, and no QAPLIB instance of that name%s", arg, suggestion(arg))
}

func (e Expansion) folder(path string) ([]Input, error) {
	files, err := e.filesIn(path)
	if err != nil {
		return nil, err
	}
	return e.readableFiles(path, files)
}

// filesIn returns what stands in a folder, and in those in it where they count.
func (e Expansion) filesIn(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		if !e.Recursive || !entry.IsDir() {
			files = append(files, path)
			continue
		}
		below, err := e.filesIn(path)
		if err != nil {
			e.skip(path, SkippedUnreadable)
		}
		files = append(files, below...)
	}
	return files, nil
}

func (e Expansion) pattern(glob string) ([]Input, error) {
	files, err := filepath.Glob(glob)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", glob, err)
	}
	return e.readableFiles(glob, files)
}

// readableFiles returns those of the files that hold instances, sorted, and an
// error if there are none.
func (e Expansion) readableFiles(arg string, files []string) ([]Input, error) {
	var inputs []Input
	for _, file := range files {
		info, err := os.Stat(file)
		switch {
		case err != nil:
			e.skip(file, SkippedLink)
		case info.IsDir():
			why := SkippedFolder
			if own, err := os.Lstat(file); err == nil && own.Mode()&fs.ModeSymlink != 0 {
				why = SkippedLink
			}
			e.skip(file, why)
		case !info.Mode().IsRegular():
			e.skip(file, SkippedSpecial)
		case !readable(file):
			e.skip(file, SkippedOtherFormat)
		default:
			inputs = append(inputs, Input{Path: file})
		}
	}
	switch {
	case len(files) == 0:
		return nil, fmt.Errorf("%s: no files there", arg)
	case len(inputs) == 0:
		return nil, fmt.Errorf("%s: none of its %d files is %s", arg, len(files), strings.Join(datasets.Formats(), ", "))
	}
	slices.SortFunc(inputs, func(x, y Input) int { return strings.Compare(x.Path, y.Path) })
	return inputs, nil
}

// readable reports whether a file's extension is that of instances.
func readable(path string) bool {
	return slices.Contains(datasets.Formats(), strings.ToLower(filepath.Ext(path)))
}

func (e Expansion) skip(path string, why SkipReason) {
	if e.Skipped != nil {
		e.Skipped(path, why)
	}
}

package datasets

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/qap"
)

// Input is a file of instances or an embedded instance of QAPLIB.
type Input struct {
	Path     string // of the file, or the name of the embedded instance
	Embedded bool
}

// Instances returns the instances of the input, as Open does. Options do not
// change an embedded one.
func (in Input) Instances(o Options) iter.Seq2[*qap.Instance, error] {
	if !in.Embedded {
		return Open(in.Path, o)
	}
	return func(yield func(*qap.Instance, error) bool) { yield(QAPLIB(in.Path)) }
}

// Expand returns what arguments of a command line stand for, in their order. An
// argument is a file; a folder, which stands for the files in it (not in its
// subfolders) whose extension is one of Formats, sorted; a pattern of
// path/filepath.Match, which stands for such files likewise; or the name of an
// embedded instance of QAPLIB. What exists on disk comes first. The error tells of
// every argument that stands for nothing; the inputs of the others are returned
// all the same.
func Expand(args []string) ([]Input, error) {
	var inputs []Input
	var failures []error
	for _, arg := range args {
		expanded, err := expand(arg)
		if err != nil {
			failures = append(failures, fmt.Errorf("datasets: %w", err))
		}
		inputs = append(inputs, expanded...)
	}
	return inputs, errors.Join(failures...)
}

func expand(arg string) ([]Input, error) {
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		return folder(arg)
	case err == nil:
		return []Input{{Path: arg}}, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case strings.ContainsAny(arg, `*?[`):
		return pattern(arg)
	case isQAPLIB(arg):
		return []Input{{Path: arg, Embedded: true}}, nil
	case readable(arg):
		return nil, fmt.Errorf("%s: no such file", arg)
	}
	return nil, fmt.Errorf("%s: no such file, and no QAPLIB instance of that name%s", arg, suggestion(arg))
}

func folder(path string) ([]Input, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, entry := range entries {
		files = append(files, filepath.Join(path, entry.Name()))
	}
	return readableFiles(path, files)
}

func pattern(glob string) ([]Input, error) {
	files, err := filepath.Glob(glob)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", glob, err)
	}
	return readableFiles(glob, files)
}

// readableFiles returns those of the files that hold instances, sorted, and an
// error if there are none.
func readableFiles(arg string, files []string) ([]Input, error) {
	var inputs []Input
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && readable(file) {
			inputs = append(inputs, Input{Path: file})
		}
	}
	switch {
	case len(files) == 0:
		return nil, fmt.Errorf("%s: no files there", arg)
	case len(inputs) == 0:
		return nil, fmt.Errorf("%s: none of its %d files is %s", arg, len(files), strings.Join(Formats(), ", "))
	}
	slices.SortFunc(inputs, func(x, y Input) int { return strings.Compare(x.Path, y.Path) })
	return inputs, nil
}

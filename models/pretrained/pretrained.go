// Package pretrained holds the models that ship with the program, as bytes of
// ONNX files; each has a card beside it, NAME.md, that tells how it was trained.
package pretrained

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/internal/suggest"
)

//go:embed *.onnx
var files embed.FS

// folders are where models are, NAME.onnx each.
var folders = []fs.FS{files}

// Register adds the models of a folder to those of every program that links the caller: rgm-lab's
// are in lab/research/pretrained. An init calls it.
func Register(folder fs.FS) { folders = append(folders, folder) }

// Align is the model that begins alignments of graphs (package propagation): no policy, so that
// Names leaves it out.
const Align = "align"

// Names returns the names of the models that serve searches over instances, sorted.
func Names() []string {
	var names []string
	for _, folder := range folders {
		found, err := fs.Glob(folder, "*.onnx")
		if err != nil {
			panic(err) // the pattern is right
		}
		for _, file := range found {
			names = append(names, strings.TrimSuffix(file, ".onnx"))
		}
	}
	slices.Sort(names)
	return slices.DeleteFunc(names, func(name string) bool { return name == Align })
}

// Has reports whether a name is that of a model, of alignments too.
func Has(name string) bool { return name == Align || slices.Contains(Names(), name) }

// Model returns the bytes of a model file.
func Model(name string) ([]byte, error) {
	for _, folder := range folders {
		if data, err := fs.ReadFile(folder, name+".onnx"); err == nil {
			return data, nil
		}
	}
	return nil, fmt.Errorf("pretrained: no model %q: want %s, or the path of an .onnx file", name, suggest.OneOf(Names()...))
}

// ModelOrFile returns the bytes of a model that ships with the program or, by any other name,
// of a file.
func ModelOrFile(name string) ([]byte, error) {
	if Has(name) {
		return Model(name)
	}
	return os.ReadFile(name)
}

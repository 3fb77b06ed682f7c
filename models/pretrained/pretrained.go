// Package pretrained holds the models that ship with the program, as bytes of
// ONNX files; each has a card beside it, NAME.md, that tells how it was trained.
package pretrained

import (
	"embed"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/internal/suggest"
)

//go:embed *.onnx
var files embed.FS

// Align is the model that begins alignments of graphs (package propagation): no policy, so that
// Names leaves it out.
const Align = "align"

// Names returns the names of the models that serve searches over instances, sorted.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	var names []string
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), ".onnx"); name != Align {
			names = append(names, name)
		}
	}
	return names
}

// Model returns the bytes of a model file.
func Model(name string) ([]byte, error) {
	data, err := files.ReadFile(name + ".onnx")
	if err != nil {
		return nil, fmt.Errorf("pretrained: no model %q: want %s, or the path of an .onnx file", name, suggest.OneOf(Names()...))
	}
	return data, nil
}

// ModelOrFile returns the bytes of a model that ships with the program or, by any other name,
// of a file.
func ModelOrFile(name string) ([]byte, error) {
	if name == Align || slices.Contains(Names(), name) {
		return Model(name)
	}
	return os.ReadFile(name)
}

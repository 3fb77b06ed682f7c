// Package pretrained adds the models of research to those that ship (models/pretrained): rgm-lab
// takes them by their names, rgm links none of them. Each has its card beside it, NAME.md.
package pretrained

import (
	"embed"

	"github.com/rgm-go/rgm/models/pretrained"
)

//go:embed *.onnx
var files embed.FS

// Whoever imports the package has its models.
func init() { pretrained.Register(files) }

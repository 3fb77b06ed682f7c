package serve

import (
	"bytes"
	"errors"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/infer/request"
)

// graphFile is a file of a graph: its name, and how many bytes of the body it has.
type graphFile struct {
	Name   string `json:"name"`
	Length int    `json:"length"`
}

// graphParts are the parts of a form that are files of graphs.
var graphParts = [2]string{"a", "b"}

// pair reads the two graphs of files.
func (r *Request) pair(limits request.Limits) (*request.Pair, error) {
	both := &request.Pair{Name: request.ShortName(r.Name), Design: request.DesignOf(r.Kernel, r.Scale)}
	text := r.Body
	for k, file := range r.Files {
		pointer := "/" + graphParts[k]
		if file.Length < 0 || file.Length > len(text) {
			return nil, request.Invalid(pointer, "%d bytes, but the body has %d", file.Length, len(text))
		}
		g, err := graphs.Read(file.Name, bytes.NewReader(text[:file.Length]))
		text = text[file.Length:]
		if err == nil && r.Weight != "" {
			err = g.Weigh(r.Weight)
		}
		switch {
		case errors.Is(err, graphs.ErrFormat):
			return nil, request.Invalid(pointer, "%s", request.WithoutPackage(err))
		case err != nil:
			wrong := request.Unreadable("%s", request.WithoutPackage(err))
			wrong.Pointer = pointer
			return nil, wrong
		case g.Nodes > limits.Nodes:
			return nil, request.TooLarge(pointer, "a graph of %d nodes: the limit is %d", g.Nodes, limits.Nodes)
		}
		g.Name = file.Name // as in what is told of it
		both.Graphs[k] = g
	}
	return both, nil
}

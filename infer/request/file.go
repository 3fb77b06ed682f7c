package request

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/table"
	"github.com/rgm-go/rgm/qap"
)

// FormatJSON is the format of an Instance; the others are those of files.
const FormatJSON = "json"

// Request is an instance with its options, as it travels through a queue. What is documented
// is what a query or form may say of a file.
type Request struct {
	Format  string      `json:"format,omitempty" choices:"format" doc:"of a file, or json: an Instance"`
	Name    string      `json:"name,omitempty" doc:"what the result calls the instance of a file"`
	N1      int         `json:"n1,omitempty" minimum:"0" doc:"nodes of graph 1 of an affinity matrix (square root of the number of vertices)"`
	N2      int         `json:"n2,omitempty" minimum:"0" doc:"nodes of graph 2 (as n1)"`
	Order   string      `json:"order,omitempty" enum:"row,col" doc:"of the vertices of an affinity matrix (row)"`
	Sense   string      `json:"sense,omitempty" enum:"max,min" doc:"of an affinity matrix (max)"`
	Weight  string      `json:"weight,omitempty" doc:"of the files a and b: the attribute of edges that is their weight (weight)"`
	Known   string      `json:"known,omitempty" doc:"of the files a and b: known matches, the name of a node of a and that of one of b a line"`
	Similar string      `json:"similarity,omitempty" doc:"of the files a and b: similarities, a node of a, one of b and a number above 0 a line"`
	Options rgm.Options `json:"options,omitzero"`
	// Distance, if not nil, asks for the edit distance of two graphs.
	Distance *DistanceOptions `json:"distance,omitempty"`
	// Block tells that Body is a distances.Block, whose pairs are measured with the options of Distance.
	Block bool        `json:"block,omitempty"`
	Files []GraphFile `json:"files,omitempty"` // two of graphs, which Body has one after the other
	// Deadline ends a search that no time limit ends.
	Deadline Duration `json:"deadline,omitempty"`
	Body     []byte   `json:"-"`
}

// DistanceOptions are the options of a distance as they travel: rgm.Options with the fields of that call.
type DistanceOptions rgm.Options

// Call says which fields the options have.
func (DistanceOptions) Call() string { return "distance" }

// MarshalJSON writes the options that are not the default.
func (o DistanceOptions) MarshalJSON() ([]byte, error) { return rgm.Options(o).MarshalDistance() }

// GraphFile is a file of a graph: its name, and how many bytes of the body it has.
type GraphFile struct {
	Name   string `json:"name"`
	Length int    `json:"length"`
}

// GraphParts are the parts of a form that are files of graphs.
var GraphParts = [2]string{"a", "b"}

// Encode returns the payload of a job: one line of JSON, then the body.
func (r *Request) Encode() ([]byte, error) {
	head, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return slices.Concat(head, []byte("\n"), r.Body), nil
}

// DecodeRequest reads what Encode wrote.
func DecodeRequest(payload []byte) (*Request, error) {
	head, body, found := bytes.Cut(payload, []byte("\n"))
	if !found {
		return nil, errors.New("request: there is no line of JSON before the body")
	}
	r := &Request{Body: body}
	if err := (&Decoder{Choices: table.Choices{"format": Formats()}}).Decode(head, r, ""); err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	return r, nil
}

// Formats returns the formats of files that are taken, without the dot, and json.
func Formats() []string {
	names := []string{FormatJSON}
	for _, extension := range datasets.Formats() {
		names = append(names, strings.TrimPrefix(extension, "."))
	}
	return names
}

// Problem reads what is to be searched and checks the options against it, or returns the error of ctx where
// that ends first.
func (r *Request) Problem(ctx context.Context, s *rgm.Solver, limits rgm.Limits) (*rgm.Problem, error) {
	ctx = rgm.Started(ctx)
	in, both, err := r.read(limits)
	if err != nil {
		return nil, err
	}
	o := r.Options
	o.Limits = limits
	var p *rgm.Problem
	if both != nil {
		p, err = both.Problem(ctx, s, o)
	} else {
		p, err = s.Prepare(in, o)
	}
	if err != nil {
		return nil, AsError(err, "/instance")
	}
	n1, n2 := p.Size()
	return p, checkStates(&r.Options, n1, n2)
}

// Check returns an error unless the instance can be read and the options serve it, whatever the method.
func (r *Request) Check(limits rgm.Limits) error {
	in, _, err := r.read(limits)
	if err != nil || in == nil {
		return err
	}
	n1, n2 := in.Size()
	return cmp.Or(AsError(r.Options.CheckInstance(in), "/instance"), checkStates(&r.Options, n1, n2))
}

// read reads an instance, or two graphs.
func (r *Request) read(limits rgm.Limits) (in *qap.Instance, both *Pair, err error) {
	switch {
	case len(r.Files) == len(GraphParts):
		both, err = r.pair(limits)
	case r.Format == FormatJSON:
		in, both, err = ReadInstance(r.Body, limits)
	default:
		in, err = r.file(limits)
	}
	return in, both, err
}

// file reads the one instance of a file.
func (r *Request) file(limits rgm.Limits) (*qap.Instance, error) {
	if r.Format == "" {
		return nil, Invalid("/format", "the format is missing: want %s", strings.Join(Formats(), ", "))
	}
	if err := limits.CheckInstance(r.N1, r.N2); err != nil {
		return nil, AsError(err, "/instance")
	}
	options := datasets.Options{N1: r.N1, N2: r.N2, Complete: r.Options.Complete, Sense: SenseOf(r.Sense)}
	if r.Order != "" {
		var err error
		if options.Order, err = datasets.ParseOrder(r.Order); err != nil {
			return nil, Invalid("/order", "%q: want row or col", r.Order)
		}
	}
	var found *qap.Instance
	name := ShortName(r.Name)
	for in, err := range datasets.Read(name, "."+r.Format, bytes.NewReader(r.Body), int64(len(r.Body)), options) {
		if err != nil {
			return nil, Unreadable("%s", WithoutPackage(err))
		}
		if found != nil {
			return nil, Invalid("/instance", "the file holds several instances: send one at a time")
		}
		found = in
	}
	if found == nil {
		return nil, Unreadable("the file holds no instance")
	}
	n1, n2 := found.Size()
	return found, AsError(limits.CheckInstance(n1, n2), "/instance")
}

// pair reads the two graphs of files.
func (r *Request) pair(limits rgm.Limits) (*Pair, error) {
	both := &Pair{Name: ShortName(r.Name), files: true}
	text := r.Body
	for k, file := range r.Files {
		pointer := "/" + GraphParts[k]
		if file.Length < 0 || file.Length > len(text) {
			return nil, Invalid(pointer, "%d bytes, but the body has %d", file.Length, len(text))
		}
		g, err := graphs.Read(file.Name, bytes.NewReader(text[:file.Length]), int64(file.Length))
		text = text[file.Length:]
		if err == nil && r.Weight != "" {
			err = g.Weigh(r.Weight)
		}
		switch {
		case errors.Is(err, graphs.ErrFormat):
			return nil, Invalid(pointer, "%s", WithoutPackage(err))
		case err != nil:
			wrong := Unreadable("%s", WithoutPackage(err))
			wrong.Pointer = pointer
			return nil, wrong
		case limits.Nodes > 0 && g.Nodes > limits.Nodes:
			return nil, TooLarge(pointer, "a graph of %d nodes: the limit is %d", g.Nodes, limits.Nodes)
		}
		g.Name = file.Name // as in what is told of it
		both.Graphs[k] = g
	}
	return both, r.pairNodes(both)
}

// pairNodes reads which nodes of two graphs are known to belong together, which become fixed
// matches, and which are alike.
func (r *Request) pairNodes(both *Pair) error {
	if r.Known == "" && r.Similar == "" {
		return nil
	}
	pairing := graphs.NewPairing(&both.Graphs[0], &both.Graphs[1])
	known, err := pairing.Known(strings.NewReader(r.Known))
	if err != nil {
		return Invalid("/known", "%s", WithoutPackage(err))
	}
	if both.Similar, err = pairing.Similar(strings.NewReader(r.Similar)); err != nil {
		return Invalid("/similarity", "%s", WithoutPackage(err))
	}
	for _, k := range known {
		r.Options.Fix = append(r.Options.Fix, fmt.Sprintf("%d:%d", k.I, k.J))
	}
	r.Known = ""
	return nil
}

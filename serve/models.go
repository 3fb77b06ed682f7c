package serve

import (
	"context"
	"fmt"
	"slices"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/internal/modelfile"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/internal/table"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// ModelFile is a network that clients may name.
type ModelFile struct {
	Name string
	Data []byte // of the .onnx file
}

// Tensor is an input or output of a network.
type Tensor struct {
	Name     string  `json:"name"`
	Datatype string  `json:"datatype" doc:"FP32"`
	Shape    []int64 `json:"shape" doc:"-1 where any size will do"`
}

// Model describes a network, as KServe's V2 protocol does.
type Model struct {
	Name     string   `json:"name"`
	Versions []string `json:"versions" doc:"the architecture"`
	Platform string   `json:"platform"`
	Inputs   []Tensor `json:"inputs"`
	Outputs  []Tensor `json:"outputs"`

	affinity string // of the options by which a search evaluates a model that chooses no actions
}

// pretrainedModels returns the files that ship with the program.
func pretrainedModels() ([]ModelFile, error) {
	var files []ModelFile
	for _, name := range pretrained.Names() {
		data, err := pretrained.Model(name)
		if err != nil {
			return nil, err
		}
		files = append(files, ModelFile{name, data})
	}
	return files, nil
}

// describeModels returns the metadata of files.
func describeModels(files []ModelFile) ([]Model, error) {
	var described []Model
	for _, file := range files {
		model, header, err := modelfile.Read(file.Data)
		if err != nil {
			return nil, fmt.Errorf("serve: model %s: %w", file.Name, err)
		}
		described = append(described, Model{
			Name: file.Name, Versions: []string{header.Architecture}, Platform: "onnx_onnxv1",
			Inputs: tensors(model.Graph.Inputs), Outputs: tensors(model.Graph.Outputs),
			affinity: affinityOf(file.Name, header.Features),
		})
	}
	return described, nil
}

// tensors returns what a network reads or writes.
func tensors(values []onnx.ValueInfo) []Tensor {
	var all []Tensor
	for _, v := range values {
		t := Tensor{Name: v.Name, Datatype: "FP32"}
		for _, d := range v.Dims {
			size := d.Size
			if d.Name != "" {
				size = -1
			}
			t.Shape = append(t.Shape, size)
		}
		all = append(all, t)
	}
	return all
}

// picks reports whether a client names the model as the one that a method evaluates.
func (m *Model) picks() bool { return m.affinity == "" }

// affinityOf returns the value of rgm.Options.Affinity that evaluates a model, "" for one
// that chooses actions.
func affinityOf(model, set string) string {
	if set == features.Affinity {
		return model
	}
	return ""
}

// tryModels solves nug12 with every model.
func tryModels(ctx context.Context, p *rgm.Solver, models []Model) error {
	in, err := qaplib.Open("nug12")
	if err != nil {
		return err
	}
	for _, model := range models {
		form := in
		options := rgm.Options{Method: rgm.MethodRGM, Model: model.Name, Unlogged: true, Rollouts: 1, MaxSteps: 12, Threads: 1}
		if model.affinity != "" {
			options.Model, options.Affinity = "", model.affinity
			form, err = asAffinity(in)
		}
		if err == nil {
			_, err = p.Solve(ctx, form, options)
		}
		if err != nil {
			return fmt.Errorf("serve: model %s does not solve nug12: %w", model.Name, err)
		}
	}
	return nil
}

// asAffinity returns the costs of an instance as an affinity matrix, entry by entry,
// which is what a network that re-weighs affinities takes.
func asAffinity(in *qap.Instance) (*qap.Instance, error) {
	n1, n2 := in.Size()
	return qap.DenseByRows(context.Background(), n1, n2, func(p int, row []float64) {
		in.Affinity.Row(row, p)
		for q := range row {
			row[q] = -row[q]
		}
	})
}

// choicesOf returns the methods, models and affinities that a client may ask for: the methods that
// search without a model of one's own or with one of those loaded, and what some method takes.
func choicesOf(p *rgm.Solver, loaded []Model) table.Choices {
	c := table.Choices{"affinity": {rgm.AffinityGiven}, "format": request.Formats()}
	takes := func(o rgm.Options) bool { return p.Check(o) == nil }
	for _, method := range p.Methods() {
		serves := takes(rgm.Options{Method: method})
		for _, m := range loaded {
			if !takes(rgm.Options{Method: method, Model: m.Name}) || !m.picks() {
				continue
			}
			serves = true
			if !slices.Contains(c["model"], m.Name) {
				c["model"] = append(c["model"], m.Name)
			}
		}
		if serves {
			c["method"] = append(c["method"], method)
		}
	}
	c["method"] = append(c["method"], rgm.GraphMethodsAlone()...) // of two graphs
	if takes(rgm.Options{Affinity: rgm.AffinityLearned}) {
		c["affinity"] = append(c["affinity"], rgm.AffinityLearned)
	}
	for _, m := range loaded {
		if m.affinity == m.Name {
			c["affinity"] = append(c["affinity"], m.Name)
		}
	}
	slices.Sort(c["model"])
	return c
}

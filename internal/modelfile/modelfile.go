// Package modelfile says what a model file of this program is: an ONNX graph with
// fixed inputs and output, and metadata that describe the network in it. docs/MODEL_FORMAT.md
// tells the same to users.
package modelfile

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/rgm-go/rgm/internal/lab"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/qap/features"
)

// Output is the name of Q, a float32 tensor [batch, n1, n2]; the inputs are the
// tensors of the network's set of features (see features.Tensors).
const Output = "q"

// formatVersion is the version of the inputs, the output and the metadata. Format 1 is read too: its
// weights are the same, its graph took all channels as one tensor.
const formatVersion = 2

// The keys of the metadata beside onnx.WeightsKey.
const (
	keyFormat       = "rgm_format"
	keyArchitecture = "architecture"
	keyFeatures     = "features"
	keyHidden       = "hidden"
	keyHead         = "head"
	keyIterations   = "iterations"
	keyTraining     = "training"
	keyDueling      = "dueling" // false, or absent
)

// errFormat is wrapped by the errors of files that are no model of this program.
var errFormat = errors.New("not a model of this program")

// SelfContainedKey is the metadata's key of self-contained models, which take an instance
// and its state instead of features; the value is the form of the instance. They are
// for other programs: Read refuses them with ErrSelfContained.
const SelfContainedKey = "self_contained"

// ErrSelfContained is the error of a self-contained model.
var ErrSelfContained = errors.New("a self-contained model, which computes its features itself, for use from other programs " +
	"(docs/MODEL_FORMAT.md); here give the model or checkpoint that it was exported from")

// SelfContained reports whether a file is a self-contained model. The first ones, of the
// architecture paper, did not say so.
func SelfContained(m *onnx.Model) bool {
	_, says := m.Metadata[SelfContainedKey]
	inputs := m.Graph.Inputs
	return says || m.Metadata[keyFormat] != "" && len(inputs) == 2 && inputs[0].Name == "affinity" && inputs[1].Name == "matching"
}

// Header is what a model file says of its network.
type Header struct {
	Format       int // 1 or formatVersion
	Architecture string
	Features     string // the set of inputs, see package features
	Hidden, Head int    // widths
	Iterations   int    // of the architectures that have them
	Training     string // how the weights came to be, as JSON
	SingleStream bool   // no duelling: Q is the advantages alone
}

// Metadata returns the header as metadata of a model.
func (h Header) Metadata() map[string]string {
	m := map[string]string{
		keyFormat: strconv.Itoa(formatVersion), keyArchitecture: h.Architecture, keyFeatures: h.Features,
		keyHidden: strconv.Itoa(h.Hidden), keyHead: strconv.Itoa(h.Head), keyTraining: h.Training,
	}
	if h.Iterations > 0 {
		m[keyIterations] = strconv.Itoa(h.Iterations)
	}
	if h.SingleStream {
		m[keyDueling] = "false"
	}
	return m
}

// Read checks a model file and returns its graph and header. It is safe on bytes
// from untrusted sources; see onnx.Check for what is refused before the header counts.
func Read(data []byte) (*onnx.Model, Header, error) {
	m, err := onnx.Check(data)
	if err != nil {
		return nil, Header{}, fmt.Errorf("%w: %w", errFormat, err)
	}
	if SelfContained(m) {
		return nil, Header{}, ErrSelfContained
	}
	if m.Metadata[keyFeatures] == ByPairs {
		return nil, Header{}, errByPairs
	}
	h, err := readHeader(m.Metadata)
	if err == nil {
		err = errors.Join(checkSignature(&m.Graph, h), checkFinite(&m.Graph))
	}
	if err != nil {
		return nil, Header{}, fmt.Errorf("%w: %w", errFormat, err)
	}
	return m, h, nil
}

func readHeader(m map[string]string) (Header, error) {
	version, err := strconv.Atoi(m[keyFormat])
	if err != nil || version < 1 || version > formatVersion {
		return Header{}, fmt.Errorf("metadata %s is %q, want 1 to %d", keyFormat, m[keyFormat], formatVersion)
	}
	if m[onnx.WeightsKey] == "" {
		return Header{}, fmt.Errorf("metadata %s is missing", onnx.WeightsKey)
	}
	h := Header{
		Format: version, Architecture: m[keyArchitecture], Features: m[keyFeatures], Training: m[keyTraining],
		SingleStream: m[keyDueling] == "false",
	}
	if text, ok := m[keyDueling]; ok && !h.SingleStream {
		return Header{}, fmt.Errorf("metadata %s is %q, want false or nothing", keyDueling, text)
	}
	for key, field := range map[string]*int{keyHidden: &h.Hidden, keyHead: &h.Head, keyIterations: &h.Iterations} {
		text, ok := m[key]
		if !ok && key == keyIterations {
			continue
		}
		v, err := strconv.Atoi(text)
		if err != nil || v < 1 {
			return Header{}, fmt.Errorf("metadata %s is %q, want a number from 1", key, text)
		}
		*field = v
	}
	if features.Tensors(h.Features) == nil {
		if hint := lab.Hint("an architecture", h.Architecture, lab.Architectures); hint != "" {
			return Header{}, errors.New(hint)
		}
		return Header{}, fmt.Errorf("metadata %s is %q, a set of inputs that this program does not compute", keyFeatures, h.Features)
	}
	return h, nil
}

// ByPairs is what files say of their inputs that hold a step of belief propagation (package
// propagation), which are no networks over instances.
const ByPairs = "pairs"

// errByPairs is the error of such a file, which is a model of this program but no policy.
var errByPairs = errors.New("a learned step of belief propagation, for rgm match --method align --model FILE: it searches no instance, and its file is its only form")

// firstGain is what a gain network of format 1 took.
var firstGain = []features.Tensor{{Name: "features", Shape: []features.Dim{features.N1, features.N2, features.GainChannels}}}

// Current reports whether the graph takes the inputs of this program's features. That of a
// gain network of format 1 does not: only its weights are of use.
func (h Header) Current() bool { return h.Format == formatVersion || h.Features != features.Gain }

// checkSignature compares names, types and shapes of inputs and outputs, which ONNX
// Runtime itself would only notice when the model is run.
func checkSignature(g *onnx.Graph, h Header) error {
	want := features.Tensors(h.Features)
	if !h.Current() {
		want = firstGain
	}
	if len(g.Inputs) != len(want) {
		return fmt.Errorf("%d inputs, want %d", len(g.Inputs), len(want))
	}
	for k, t := range want {
		if !hasShape(g.Inputs[k], t.Name, t.Shape...) {
			return fmt.Errorf("input %d is not %s with %v after the batch", k, t.Name, t.Shape)
		}
	}
	if len(g.Outputs) != 1 || !hasShape(g.Outputs[0], Output, features.N1, features.N2) {
		return fmt.Errorf("outputs are not %s [batch, n1, n2]", Output)
	}
	return nil
}

// checkFinite returns an error if a weight is NaN or infinite: what such a network answers is
// no number either, and a search by it would be one by chance.
func checkFinite(g *onnx.Graph) error {
	for k := range g.Initializers {
		values, err := g.Initializers[k].Float32s()
		if err != nil { // of whole numbers
			continue
		}
		for _, v := range values {
			if v-v != 0 {
				return fmt.Errorf("weights %s hold %v: export the model again, from a training that did not diverge", g.Initializers[k].Name, v)
			}
		}
	}
	return nil
}

// hasShape reports whether v has a name, a batch of any size, and the shape after it.
func hasShape(v onnx.ValueInfo, name string, shape ...features.Dim) bool {
	if v.Name != name || v.Type != onnx.Float32 || len(v.Dims) != 1+len(shape) || v.Dims[0].Size != 0 {
		return false
	}
	for k, d := range shape {
		if v.Dims[1+k].Size != max(int64(d), 0) { // 0: of any size
			return false
		}
	}
	return true
}

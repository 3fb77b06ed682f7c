// Package modelfile says what a model file of this program is: an ONNX graph with
// one face, and metadata that describe the network in it. docs/MODEL_FORMAT.md
// tells the same to users.
package modelfile

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/qap/features"
)

// The face: a float32 tensor Input [batch, n1, n2, channels] gives a float32
// tensor Output [batch, n1, n2].
const (
	Input  = "features"
	Output = "q"
)

// FormatVersion is the version of the face and the metadata.
const FormatVersion = 1

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

// ErrFormat is wrapped by the errors of files that are no model of this program.
var ErrFormat = errors.New("not a model of this program")

// Header is what a model file says of its network.
type Header struct {
	Architecture string
	Features     string // the set of inputs, see package features
	Hidden, Head int    // widths
	Iterations   int    // of the paper architecture
	Training     string // how the weights came to be, as JSON
	SingleStream bool   // no duelling: Q is the advantages alone
}

// Metadata returns the header as metadata of a model.
func (h Header) Metadata() map[string]string {
	m := map[string]string{
		keyFormat: strconv.Itoa(FormatVersion), keyArchitecture: h.Architecture, keyFeatures: h.Features,
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
// from strangers; see onnx.Check for what is refused before the header counts.
func Read(data []byte) (*onnx.Model, Header, error) {
	m, err := onnx.Check(data)
	if err != nil {
		return nil, Header{}, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	h, err := readHeader(m.Metadata)
	if err == nil {
		err = checkFace(&m.Graph, h)
	}
	if err != nil {
		return nil, Header{}, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	return m, h, nil
}

func readHeader(m map[string]string) (Header, error) {
	if version := m[keyFormat]; version != strconv.Itoa(FormatVersion) {
		return Header{}, fmt.Errorf("metadata %s is %q, want %d", keyFormat, version, FormatVersion)
	}
	if m[onnx.WeightsKey] == "" {
		return Header{}, fmt.Errorf("metadata %s is missing", onnx.WeightsKey)
	}
	h := Header{
		Architecture: m[keyArchitecture], Features: m[keyFeatures], Training: m[keyTraining],
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
	if features.Channels(h.Features) == 0 {
		return Header{}, fmt.Errorf("metadata %s is %q, want %s or %s", keyFeatures, h.Features, features.Gain, features.Paper)
	}
	return h, nil
}

// checkFace compares names, types and shapes of inputs and outputs, which ONNX
// Runtime itself would only notice when the model is run.
func checkFace(g *onnx.Graph, h Header) error {
	channels := int64(features.Channels(h.Features))
	if len(g.Inputs) != 1 || !hasShape(g.Inputs[0], Input, 3, channels) {
		return fmt.Errorf("inputs are not %s [batch, n1, n2, %d]", Input, channels)
	}
	if len(g.Outputs) != 1 || !hasShape(g.Outputs[0], Output, 3) {
		return fmt.Errorf("outputs are not %s [batch, n1, n2]", Output)
	}
	return nil
}

// hasShape tells whether v has a name, leading dimensions of any size, and the
// given ones after them.
func hasShape(v onnx.ValueInfo, name string, free int, fixed ...int64) bool {
	if v.Name != name || v.Type != onnx.Float32 || len(v.Dims) != free+len(fixed) {
		return false
	}
	for k, d := range v.Dims {
		if k < free && d.Size != 0 || k >= free && d.Size != fixed[k-free] {
			return false
		}
	}
	return true
}

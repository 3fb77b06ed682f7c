package modeltest

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/internal/modelfile"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
)

// The files of docs/vectors let a port in another language compare: instances and
// episodes, the features of states, and Q. -update writes them.
var update = flag.Bool("update", false, "write docs/vectors anew")

// Update reports whether vectors are written anew.
func Update() bool { return *update }

// vectorFile is one of them; docs/MODEL_FORMAT.md describes its fields.
type vectorFile struct {
	Model         string `json:"model"`
	Architecture  string `json:"architecture"`
	Features      string `json:"features,omitempty"` // where the architecture does not say which
	WeightsSHA256 string `json:"weights_sha256"`
	Cases         []any  `json:"-"`
}

// VectorInstance is an instance and the rules of its episode.
type VectorInstance struct {
	Name     string    `json:"name"`
	N1       int       `json:"n1"`
	N2       int       `json:"n2"`
	Sense    string    `json:"sense"`
	Complete bool      `json:"complete"`
	A        []float64 `json:"a,omitempty"`
	B        []float64 `json:"b,omitempty"`
	Linear   []float64 `json:"linear,omitempty"`
	K        []float64 `json:"k,omitempty"`
}

type vectorEpisode struct {
	VectorInstance
	Release     bool          `json:"release"`
	Autofill    bool          `json:"autofill"`
	Inliers     int           `json:"inliers"`
	Regularizer string        `json:"regularizer"`
	Fixed       qap.Matching  `json:"fixed,omitempty"`
	Scale       float64       `json:"scale,omitempty"`
	Horizon     int           `json:"horizon"`
	Start       qap.Matching  `json:"start"`
	Actions     []int         `json:"actions"`
	States      []vectorState `json:"states"`
}

// vectorState is the state after a number of steps.
type vectorState struct {
	Step      int          `json:"step"`
	Matching  qap.Matching `json:"matching"`
	Value     float64      `json:"value"`
	BestValue *float64     `json:"best_value"` // null before the first solution
	Changes   []float64    `json:"changes"`
	Inputs    [][]float32  `json:"inputs"` // the tensors of the features
	Q         []float32    `json:"q"`
}

// CheckVectors compares NAME.json in a folder with the Go forward pass of a model file, whose cases are
// made by a function, or writes it.
func CheckVectors(t *testing.T, folder, name, model string, data []byte, cases func(models.Network) []any) {
	t.Helper()
	n, header, err := models.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := modelfile.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	file := vectorFile{Model: model, Architecture: header.Architecture, WeightsSHA256: onnx.WeightsDigest(m), Cases: cases(n)}
	if header.Features != header.Architecture {
		file.Features = header.Features
	}
	path := filepath.Join(folder, name+".json")
	made := file.marshal(t)
	if *update {
		if err := atomicfile.Write(path, atomicfile.Bytes(made)); err != nil {
			t.Fatal(err)
		}
		return
	}
	kept, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if difference := jsonDifference(kept, made); difference != "" {
		t.Errorf("%s: %s; if the model was meant to change, go test -run TestVectors -update here writes it anew", path, difference)
	}
}

// marshal writes a case a line.
func (f vectorFile) marshal(t *testing.T) []byte {
	t.Helper()
	head := must.Get(json.Marshal(f))(t)
	text := bytes.TrimSuffix(head, []byte("}"))
	text = append(text, `,"cases":[`...)
	for k, c := range f.Cases {
		line := must.Get(json.Marshal(c))(t)
		if k > 0 {
			text = append(text, ',')
		}
		text = append(append(text, '\n'), line...)
	}
	return append(text, "\n]}\n"...)
}

// jsonDifference says where two JSON texts differ by more than rounding, "" if nowhere.
func jsonDifference(kept, made []byte) string {
	var x, y any
	if err := json.Unmarshal(kept, &x); err != nil {
		return err.Error()
	}
	if err := json.Unmarshal(made, &y); err != nil {
		return err.Error()
	}
	return difference("", x, y)
}

// vectorTolerance bounds |Δ|/(1+|v|): other processors may add float32 in another order.
const vectorTolerance = 1e-5

func difference(at string, x, y any) string {
	switch x := x.(type) {
	case float64:
		if y, ok := y.(float64); ok && math.Abs(x-y) <= vectorTolerance*(1+math.Abs(y)) {
			return ""
		}
	case []any:
		list, ok := y.([]any)
		if !ok || len(list) != len(x) {
			return at + " has another length"
		}
		for k := range x {
			if d := difference(fmt.Sprintf("%s[%d]", at, k), x[k], list[k]); d != "" {
				return d
			}
		}
		return ""
	case map[string]any:
		fields, ok := y.(map[string]any)
		if !ok || len(fields) != len(x) {
			return at + " has other fields"
		}
		for key := range x {
			if d := difference(at+"."+key, x[key], fields[key]); d != "" {
				return d
			}
		}
		return ""
	default:
		if x == y {
			return ""
		}
	}
	return fmt.Sprintf("%s is %v, now %v", at, x, y)
}

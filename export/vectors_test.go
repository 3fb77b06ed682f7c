package export

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/rgm-go/rgm/internal/modelfile"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/research/lcs"
	"github.com/rgm-go/rgm/research/ngm"
	"github.com/rgm-go/rgm/research/paper"
)

// The files of docs/vectors let a port in another language compare: instances and
// episodes, the features of states, and Q. They are made by
//
//	go test ./export -run TestVectors -update
var update = flag.Bool("update", false, "write docs/vectors anew")

// vectorFolder holds the vectors, one file a network.
const vectorFolder = "../docs/vectors"

// vectorFile is one of them; docs/MODEL_FORMAT.md describes its fields.
type vectorFile struct {
	Model         string `json:"model"`
	Architecture  string `json:"architecture"`
	Features      string `json:"features,omitempty"` // where the architecture does not say which
	WeightsSHA256 string `json:"weights_sha256"`
	Cases         []any  `json:"-"`
}

// vectorInstance is an instance and the rules of its episode.
type vectorInstance struct {
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
	vectorInstance
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

// vectorAffinity is an instance that is re-weighed.
type vectorAffinity struct {
	vectorInstance
	Alike     [4]qap.Matching  `json:"alike"`
	Profile   []qap.Matching   `json:"profile"`
	Questions []vectorQuestion `json:"questions"`
	Reweighed []float32        `json:"reweighed"`
}

// vectorQuestion is one of an affinity's share or of a size.
type vectorQuestion struct {
	Share float64   `json:"share,omitempty"`
	Size  int       `json:"size,omitempty"`
	Input []float32 `json:"input"`
	Q     float32   `json:"q"`
}

func TestVectors(t *testing.T) {
	for _, name := range pretrained.Names() {
		data := must.Get(pretrained.Model(name))(t)
		checkVectors(t, name, "models/pretrained/"+name+".onnx", data)
	}
	checkSmallVectors(t, models.Config{Architecture: paper.Name, Hidden: 6, Head: 4})
	checkSmallVectors(t, models.Config{Architecture: ngm.Name, Hidden: 6})
	checkSmallVectors(t, models.Config{Architecture: lcs.Name, Hidden: 6, Head: 4})
	checkSmallVectors(t, models.Config{Architecture: paper.Weighted, Hidden: 6, Head: 4, Features: "paper-weighted-literal"})
	checkSmallVectors(t, models.Config{Architecture: paper.Matched, Hidden: 6, Head: 4, Features: "paper-matched-literal"})
}

// checkSmallVectors does so for a small network of random weights, whose file is kept too.
func checkSmallVectors(t *testing.T, c models.Config) {
	t.Helper()
	small := must.Get(models.New(c, rand.New(rand.NewPCG(7, 8))))(t)
	data := must.Get(Marshal(small, "{}"))(t)
	path := filepath.Join(vectorFolder, c.Architecture+".onnx")
	if *update {
		if err := Save(path, data); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(path); err != nil || !bytes.Equal(kept, data) {
		t.Errorf("%s is not the network of the vectors (%v)", path, err)
	}
	checkVectors(t, c.Architecture, "docs/vectors/"+c.Architecture+".onnx", data)
}

// checkVectors compares a file of vectors with the Go forward pass, or writes it.
func checkVectors(t *testing.T, name, model string, data []byte) {
	t.Helper()
	n, header, err := models.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := modelfile.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	file := vectorFile{Model: model, Architecture: header.Architecture, WeightsSHA256: onnx.WeightsDigest(m)}
	if header.Features != header.Architecture {
		file.Features = header.Features
	}
	switch {
	case header.Features == features.Affinity:
		file.Cases = affinityVectors(t, n)
	case name == "qap":
		file.Cases = episodeVectors(t, n, qapCases(t))
	default:
		file.Cases = episodeVectors(t, n, matchingCases(t))
	}
	path := filepath.Join(vectorFolder, name+".json")
	made := file.marshal(t)
	if *update {
		if err := Save(path, made); err != nil {
			t.Fatal(err)
		}
		return
	}
	kept, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if difference := jsonDifference(kept, made); difference != "" {
		t.Errorf("%s: %s; if the model was meant to change, go test ./export -run TestVectors -update writes it anew", path, difference)
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

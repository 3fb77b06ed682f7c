// Package exporttest has what every network must do once it is exported.
package exporttest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/export"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/ortlib"
	"github.com/rgm-go/rgm/internal/modelfile"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/internal/testdata"
	"github.com/rgm-go/rgm/internal/usage"
	"github.com/rgm-go/rgm/models"
)

// Case is a network to be exported, and the forms of instances that its self-contained models take.
type Case struct {
	models.Config
	Forms []export.Form
}

// exported is the network of a case.
type exported struct {
	models.Network
	forms []export.Form
}

// networks makes those of cases, with biases too.
func networks(t testing.TB, cases []Case) []exported {
	rng := rand.New(rand.NewPCG(1, 2))
	var list []exported
	for _, c := range cases {
		n := must.Get(models.New(c.Config, rng))(t)
		for _, p := range n.Parameters() {
			for i := range p.Data {
				p.Data[i] += float32(0.1 * rng.NormFloat64())
			}
		}
		list = append(list, exported{n, c.Forms})
	}
	return list
}

// NeedRuntime skips a test where ONNX Runtime cannot be had.
func NeedRuntime(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, ortlib.ErrUnavailable) {
		t.Skipf("needs ONNX Runtime: %v", err)
	}
}

// Test exports the networks of cases.
func Test(t *testing.T, cases []Case) {
	for name, test := range map[string]func(*testing.T, []exported){
		"ONNX Runtime agrees with Go": agrees, "other weights are noticed": otherWeights, "files pass the checker": checked,
		"self-contained models say what they are": saysSo, "other forms are refused": otherForms, "equal networks give equal bytes": equalBytes,
		"a network is read back": readBack,
	} {
		t.Run(name, func(t *testing.T) { test(t, networks(t, cases)) })
	}
}

func agrees(t *testing.T, list []exported) {
	dir := t.TempDir()
	for k, n := range list {
		path := filepath.Join(dir, n.Architecture()+string(rune('0'+k))+".onnx")
		err := export.Write(context.Background(), path, n.Network, "{}", infer.SessionOptions{Install: true})
		NeedRuntime(t, err)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range n.forms {
			if err := export.WriteSelfContained(context.Background(), path, n.Network, "{}", form, infer.SessionOptions{Install: true}); err != nil {
				t.Errorf("%s, %s: %v", n.Architecture(), form, err)
			}
		}
	}
}

// otherWeights: a file whose weights are not the network's is never
// put in place.
func otherWeights(t *testing.T, list []exported) {
	for _, n := range list {
		data := must.Get(export.Marshal(n.Network, "{}"))(t)
		n.Parameters()[0].Data[0] += 1
		err := export.Verify(context.Background(), data, n.Network, infer.SessionOptions{Install: true})
		NeedRuntime(t, err)
		if !errors.Is(err, export.ErrParity) {
			t.Errorf("%s: error %v, want ErrParity", n.Architecture(), err)
		}
	}
}

// checked judges every export by ONNX's own checker.
func checked(t *testing.T, list []exported) {
	python := testdata.PythonWithONNX(t)
	dir := t.TempDir()
	args := []string{"-c", "import sys, onnx\nfor f in sys.argv[1:]: onnx.checker.check_model(onnx.load(f), full_check=True)"}
	keep := func(name string, data []byte) {
		path := filepath.Join(dir, name)
		if err := export.Save(path, data); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	for k, n := range list {
		data := must.Get(export.Marshal(n.Network, "{}"))(t)
		keep(fmt.Sprintf("%d.onnx", k), data)
		for _, form := range n.forms {
			data := must.Get(export.MarshalSelfContained(n.Network, "{}", form))(t)
			keep(fmt.Sprintf("%d-self-contained-%s.onnx", k, form), data)
		}
	}
	if output, err := exec.Command(python, args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}

// saysSo: none is taken for a model that searches use.
func saysSo(t *testing.T, list []exported) {
	for _, n := range list {
		for _, form := range n.forms {
			data := must.Get(export.MarshalSelfContained(n.Network, "{}", form))(t)
			if _, _, err := models.Load(data); !errors.Is(err, modelfile.ErrSelfContained) {
				t.Errorf("%s: error %v, want ErrSelfContained", n.Architecture(), err)
			}
		}
	}
}

// otherForms: only gain networks serve the form of Koopmans and Beckmann.
func otherForms(t *testing.T, list []exported) {
	path := filepath.Join(t.TempDir(), "x.onnx")
	for _, n := range list {
		for _, form := range []export.Form{export.Lawler, export.KoopmansBeckmann, "other"} {
			if slices.Contains(n.forms, form) {
				continue
			}
			if err := export.WriteSelfContained(context.Background(), path, n.Network, "{}", form, infer.SessionOptions{Install: true}); err == nil {
				t.Errorf("%s: form %s is accepted", n.Architecture(), form)
			}
			if _, err := os.Stat(path); err == nil {
				t.Error("a file is left")
			}
		}
	}
}

func equalBytes(t *testing.T, list []exported) {
	for _, n := range list {
		first := must.Get(export.Marshal(n.Network, `{"seed":1}`))(t)
		second, err := export.Marshal(models.Clone(n.Network), `{"seed":1}`)
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("%s: bytes differ (%v)", n.Architecture(), err)
		}
		for _, form := range n.forms {
			first, err1 := export.MarshalSelfContained(n.Network, "{}", form)
			second, err2 := export.MarshalSelfContained(models.Clone(n.Network), "{}", form)
			if err := errors.Join(err1, err2); err != nil || !bytes.Equal(first, second) {
				t.Errorf("%s, self-contained, %s: bytes differ (%v)", n.Architecture(), form, err)
			}
		}
	}
}

func readBack(t *testing.T, list []exported) {
	for _, n := range list {
		data := must.Get(export.Marshal(n.Network, `{"seed":1}`))(t)
		loaded, header, err := models.Load(data)
		if err != nil {
			t.Fatal(err)
		}
		if header.Training != `{"seed":1}` || header.Architecture != n.Architecture() {
			t.Errorf("header %+v", header)
		}
		for k, p := range n.Parameters() {
			if !slices.Equal(p.Data, loaded.Parameters()[k].Data) {
				t.Errorf("%s: %s differs", n.Architecture(), p.Name)
			}
		}
	}
}

// smallest are networks of configurations, as small as they can be.
func smallest(t testing.TB, configs []models.Config) []models.Network {
	rng := rand.New(rand.NewPCG(3, 4))
	var list []models.Network
	for _, c := range configs {
		c.Hidden, c.Head, c.Iterations = 2, 3, 2
		list = append(list, must.Get(models.New(c, rng))(t))
	}
	return list
}

// TestLoad reads damaged files of networks.
func TestLoad(t *testing.T, configs []models.Config) {
	t.Run("weights are finite", func(t *testing.T) { finite(t, smallest(t, configs)) })
	t.Run("widths are those of the weights", func(t *testing.T) { widths(t, smallest(t, configs)) })
}

// FuzzLoad holds that whatever a model file holds whose digest is right, reading gives an error or a
// network that can be evaluated, and is the same once it is written and read again. It
// allocates little more than the file is long.
func FuzzLoad(f *testing.F, configs []models.Config) {
	for _, n := range smallest(f, configs) {
		data := must.Get(export.Marshal(n, "{}"))(f)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := onnx.Unmarshal(data)
		if err != nil {
			return
		}
		m.Metadata[onnx.WeightsKey] = onnx.WeightsDigest(m)
		data = onnx.Marshal(m)
		var n models.Network
		var header models.Header
		usage.AtMost(t, uint64(16<<20+200*len(data)), func() { n, header, err = models.Load(data) })
		if err != nil {
			return
		}
		pass := n.NewPass(1, 2, 3)
		if q := pass.Forward(); len(q) != 6 {
			t.Errorf("%d values of 6 vertices", len(q))
		}
		first := must.Get(export.Marshal(n, header.Training))(t)
		again, _, err := models.Load(first)
		if err != nil {
			t.Fatalf("accepted, but written again refused: %v", err)
		}
		if second, err := export.Marshal(again, header.Training); err != nil || !bytes.Equal(first, second) {
			t.Errorf("written again twice, the bytes differ, %v", err)
		}
	})
}

// finite: a model of NaN, whose searches would be by chance, is refused.
func finite(t *testing.T, list []models.Network) {
	for _, n := range list {
		parameters := n.Parameters()
		parameters[len(parameters)-1].Data[0] = float32(math.NaN())
		data := must.Get(export.Marshal(n, "{}"))(t)
		if _, _, err := models.Load(data); err == nil || !strings.Contains(err.Error(), "hold NaN: export the model again") {
			t.Errorf("%s: %v", n.Architecture(), err)
		}
	}
}

// widths: a file that states wide layers and holds few weights is
// refused before memory is taken for them.
func widths(t *testing.T, list []models.Network) {
	for _, n := range list {
		data := must.Get(export.Marshal(n, "{}"))(t)
		m := must.Get(onnx.Unmarshal(data))(t)
		m.Metadata["hidden"], m.Metadata["head"], m.Metadata["iterations"] = "4096", "4096", "64"
		data = onnx.Marshal(m)
		usage.AtMost(t, 16<<20, func() {
			if _, _, err := models.Load(data); err == nil {
				t.Errorf("%s: accepted", n.Architecture())
			}
		})
	}
}

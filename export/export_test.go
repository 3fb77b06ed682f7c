package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/ortlib"
	"github.com/rgm-go/rgm/internal/modelfile"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/internal/testdata"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/qap/rollout"
	"github.com/rgm-go/rgm/research/lcs"
	"github.com/rgm-go/rgm/research/ngm"
	"github.com/rgm-go/rgm/research/paper"
	"github.com/rgm-go/rgm/research/rewriter"
	"github.com/rgm-go/rgm/research/soft"
)

func networks(t testing.TB) []models.Network {
	rng := rand.New(rand.NewPCG(1, 2))
	var list []models.Network
	for _, c := range []models.Config{
		{Architecture: models.ArchitectureGain},
		{Architecture: models.ArchitectureGain, Hidden: 5, Head: 3},
		{Architecture: models.ArchitectureGain, SingleStream: true},
		{Architecture: paper.Name},
		{Architecture: paper.Name, Hidden: 6, Head: 4, SingleStream: true},
		{Architecture: paper.Name, Hidden: 7, Head: 4, Iterations: 1},
		{Architecture: paper.Name, Hidden: 6, Head: 4, Features: "paper-literal"},
		{Architecture: paper.Weighted, Hidden: 6, Head: 4},
		{Architecture: paper.Weighted, Hidden: 6, Head: 4, Iterations: 2, SingleStream: true, Features: "paper-weighted-exact"},
		{Architecture: paper.Matched, Hidden: 6, Head: 4},
		{Architecture: paper.Matched, Hidden: 5, Head: 3, Iterations: 2, SingleStream: true, Features: "paper-matched-literal"},
		{Architecture: ngm.Name},
		{Architecture: ngm.Name, Hidden: 5, Iterations: 1},
		{Architecture: rewriter.Name, Hidden: 6, Head: 5},
		{Architecture: lcs.Name},
		{Architecture: lcs.Name, Hidden: 5, Head: 3, Iterations: 2},
		{Architecture: models.ArchitectureAffinity},
		{Architecture: models.ArchitectureAffinity, Hidden: 6, Head: 3},
	} {
		n := must.Get(models.New(c, rng))(t)
		for _, p := range n.Parameters() { // biases too
			for i := range p.Data {
				p.Data[i] += float32(0.1 * rng.NormFloat64())
			}
		}
		list = append(list, n)
	}
	return list
}

// needRuntime skips a test where ONNX Runtime cannot be had.
func needRuntime(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, ortlib.ErrUnavailable) {
		t.Skipf("needs ONNX Runtime: %v", err)
	}
}

func TestOnnxRuntimeAgreesWithGo(t *testing.T) {
	dir := t.TempDir()
	for k, n := range networks(t) {
		path := filepath.Join(dir, n.Architecture()+string(rune('0'+k))+".onnx")
		err := Write(context.Background(), path, n, "{}", infer.SessionOptions{Install: true})
		needRuntime(t, err)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range formsOf(n) {
			if err := WriteSelfContained(context.Background(), path, n, "{}", form, infer.SessionOptions{Install: true}); err != nil {
				t.Errorf("%s, %s: %v", n.Architecture(), form, err)
			}
		}
	}
}

// TestSelfContainedUnderEveryRule compares all sizes under all rules; an export
// compares some of them.
func TestSelfContainedUnderEveryRule(t *testing.T) {
	if testing.Short() {
		t.Skip("an export compares some of this too")
	}
	n := networks(t)[1]
	for _, form := range formsOf(n) {
		data := must.Get(MarshalSelfContained(n, "{}", form))(t)
		m := must.Get(onnx.Check(data))(t)
		check := newSelfContainedCheck(context.Background(), m, n, infer.SessionOptions{Install: true})
		for _, shape := range parityShapes {
			for k, rule := range check.rules(form, shape) {
				err := check.episodes(shape, form, rule)
				needRuntime(t, err)
				if err != nil {
					t.Errorf("%s, %v, rule %d: %v", form, shape, k, err)
				}
			}
		}
	}
}

// TestOtherWeightsAreNoticed: a file whose weights are not the network's is never
// put in place.
func TestOtherWeightsAreNoticed(t *testing.T) {
	for _, n := range networks(t) {
		data := must.Get(Marshal(n, "{}"))(t)
		n.Parameters()[0].Data[0] += 1
		err := Verify(context.Background(), data, n, infer.SessionOptions{Install: true})
		needRuntime(t, err)
		if !errors.Is(err, ErrParity) {
			t.Errorf("%s: error %v, want ErrParity", n.Architecture(), err)
		}
	}
}

// TestFilesPassTheChecker judges every export by ONNX's own checker.
func TestFilesPassTheChecker(t *testing.T) {
	python := testdata.PythonWithONNX(t)
	dir := t.TempDir()
	args := []string{"-c", "import sys, onnx\nfor f in sys.argv[1:]: onnx.checker.check_model(onnx.load(f), full_check=True)"}
	keep := func(name string, data []byte) {
		path := filepath.Join(dir, name)
		if err := Save(path, data); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	for k, n := range networks(t) {
		data := must.Get(Marshal(n, "{}"))(t)
		keep(fmt.Sprintf("%d.onnx", k), data)
		for _, form := range formsOf(n) {
			data := must.Get(MarshalSelfContained(n, "{}", form))(t)
			keep(fmt.Sprintf("%d-self-contained-%s.onnx", k, form), data)
		}
	}
	if output, err := exec.Command(python, args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}

// formsOf are the forms of instances that self-contained models of a network take.
func formsOf(n models.Network) []Form {
	switch n.Architecture() {
	case models.ArchitectureGain:
		return []Form{Lawler, KoopmansBeckmann}
	case rewriter.Name:
		return nil
	}
	if n.Features() == soft.Set {
		return nil
	}
	return []Form{Lawler}
}

// TestSelfContainedModelsSayWhatTheyAre: none is taken for a model that searches use.
func TestSelfContainedModelsSayWhatTheyAre(t *testing.T) {
	for _, n := range networks(t) {
		for _, form := range formsOf(n) {
			data := must.Get(MarshalSelfContained(n, "{}", form))(t)
			for _, old := range []bool{false, true} { // the first of paper had no key of their own
				if old && n.Architecture() != paper.Name {
					continue
				}
				m := must.Get(onnx.Unmarshal(data))(t)
				if old {
					delete(m.Metadata, modelfile.SelfContainedKey)
				}
				if _, _, err := models.Load(onnx.Marshal(m)); !errors.Is(err, modelfile.ErrSelfContained) {
					t.Errorf("%s: error %v, want ErrSelfContained", n.Architecture(), err)
				}
			}
		}
	}
}

// TestOtherFormsAreRefused: only gain networks serve the form of Koopmans and Beckmann.
func TestOtherFormsAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.onnx")
	for _, n := range networks(t) {
		for _, form := range []Form{Lawler, KoopmansBeckmann, "other"} {
			if slices.Contains(formsOf(n), form) {
				continue
			}
			if err := WriteSelfContained(context.Background(), path, n, "{}", form, infer.SessionOptions{Install: true}); err == nil {
				t.Errorf("%s: form %s is accepted", n.Architecture(), form)
			}
			if _, err := os.Stat(path); err == nil {
				t.Error("a file is left")
			}
		}
	}
}

func TestEqualNetworksGiveEqualBytes(t *testing.T) {
	for _, n := range networks(t) {
		first := must.Get(Marshal(n, `{"seed":1}`))(t)
		second, err := Marshal(models.Clone(n), `{"seed":1}`)
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("%s: bytes differ (%v)", n.Architecture(), err)
		}
		for _, form := range formsOf(n) {
			first, err1 := MarshalSelfContained(n, "{}", form)
			second, err2 := MarshalSelfContained(models.Clone(n), "{}", form)
			if err := errors.Join(err1, err2); err != nil || !bytes.Equal(first, second) {
				t.Errorf("%s, self-contained, %s: bytes differ (%v)", n.Architecture(), form, err)
			}
		}
	}
}

// BenchmarkPaperStep times a step of the paper's network at its full width through
// ONNX Runtime, its features included.
func BenchmarkPaperStep(b *testing.B) {
	const n = 30
	rng := rand.New(rand.NewPCG(1, 2))
	network := must.Get(models.New(models.Config{Architecture: paper.Name}, rng))(b)
	data := must.Get(Marshal(network, "{}"))(b)
	runtime, err := infer.Open(context.Background(), data, infer.SessionOptions{Install: true})
	needRuntime(b, err)
	if err != nil {
		b.Fatal(err)
	}
	defer runtime.Close()
	batch := must.Get(runtime.NewBatch(1, n, n))(b)
	defer batch.Close()
	in := must.Get(datasets.Generate("grid", n, rng))(b)
	inputs := must.Get(features.New(runtime.Features(), in))(b)
	env := qap.NewEnvironment(in, qap.EnvironmentOptions{})
	env.Reset(qap.RandomMatching(n, n, rng))
	x := inputs.NewExtractor(env, n)
	b.ReportAllocs()
	for b.Loop() {
		x.Fill(batch.Inputs(), 0)
		q, err := batch.Evaluate()
		if err != nil {
			b.Fatal(err)
		}
		env.Step(rollout.BestAction(env, q))
		x.Observe()
	}
}

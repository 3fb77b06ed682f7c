package sources

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
)

func open(t *testing.T, c train.Config) train.InstanceSource {
	t.Helper()
	return must.Get(Open(c, nil))(t)
}

// TestSmallerHalvesLeaveTheLargerUnseen: exactly the smaller halves to train on,
// nothing of QAPLIB to validate with.
func TestSmallerHalvesLeaveTheLargerUnseen(t *testing.T) {
	source := open(t, train.Config{InstanceConfig: train.InstanceConfig{Instances: train.InstancesQAPLIBSmall}}).(train.InstanceList)
	if n := len(source.Given(true)); n != 0 {
		t.Errorf("%d given instances to validate with", n)
	}
	training := source.Given(false)
	if len(training) != 50 {
		t.Errorf("%d instances, want 50", len(training))
	}
	for _, g := range training {
		if !qaplib.InSmallerHalf(g.Name) {
			t.Errorf("%s is not of a smaller half", g.Name)
		}
	}
}

func TestOneClass(t *testing.T) {
	source := open(t, train.Config{InstanceConfig: train.InstanceConfig{Instances: "qaplib-small:chr"}}).(train.InstanceList)
	for _, g := range source.Given(false) {
		if qaplib.Class(g.Name) != "chr" {
			t.Errorf("%s among the class chr", g.Name)
		}
	}
	in, err := source.Instance(9, rand.New(rand.NewPCG(1, 1)))
	if err != nil || in.Name != "tree-9" {
		t.Errorf("made %v, %v, want a tree", in, err)
	}
}

// writeInstances fills a folder with generated .dat files.
func writeInstances(t *testing.T, folder string, count int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(4, 4))
	for k := range count {
		var text strings.Builder
		fmt.Fprintln(&text, 4)
		for range 32 {
			fmt.Fprintln(&text, rng.IntN(50))
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("a%02d.dat", k)), []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFolderIsSplitByContent: about one in five is kept for validation, copies
// under another name stay on one side, and neither joins the other when files come.
func TestFolderIsSplitByContent(t *testing.T) {
	folder := t.TempDir()
	writeInstances(t, folder, 60)
	before := open(t, train.Config{InstanceConfig: train.InstanceConfig{Instances: folder}}).(train.InstanceList)
	side := map[string]bool{}
	for _, validation := range []bool{false, true} {
		for _, g := range before.Given(validation) {
			side[g.Sum] = validation
		}
	}
	if n := len(before.Given(true)); len(side) != 60 || n < 4 || n > 20 {
		t.Errorf("%d instances, %d of them to validate with", len(side), n)
	}
	for k := range 60 {
		data := must.Get(os.ReadFile(filepath.Join(folder, fmt.Sprintf("a%02d.dat", k))))(t)
		copied := append([]byte("\n "), data...) // another layout of the same numbers
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("b%02d.dat", k)), copied, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	after := open(t, train.Config{InstanceConfig: train.InstanceConfig{Instances: filepath.Join(folder, "*.dat")}}).(train.InstanceList)
	count := 0
	for _, validation := range []bool{false, true} {
		for _, g := range after.Given(validation) {
			count++
			if was, known := side[g.Sum]; !known || was != validation {
				t.Errorf("%s is not on the side of its copy", g.Name)
			}
		}
	}
	if count != 120 {
		t.Errorf("%d instances, want 120", count)
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	folder := t.TempDir()
	writeInstances(t, folder, 1)
	for _, test := range []struct {
		config train.Config
		want   string
	}{
		{train.Config{InstanceConfig: train.InstanceConfig{Instances: folder}}, "too few"},
		{train.Config{InstanceConfig: train.InstanceConfig{Instances: t.TempDir()}}, "no files there"},
		{train.Config{InstanceConfig: train.InstanceConfig{Instances: "qaplib-smal"}}, "no such file"},
		{train.Config{InstanceConfig: train.InstanceConfig{Instances: "nug30"}}, "is embedded"},
		{train.Config{InstanceConfig: train.InstanceConfig{Instances: "qaplib-small:abc"}}, `class "abc"`},
		{train.Config{InstanceConfig: train.InstanceConfig{Instances: "qaplib-small:wil"}}, "no smaller half"},
		{train.Config{InstanceConfig: train.InstanceConfig{Instances: train.InstancesQAPLIBSmall, Families: []string{"tree"}}}, "leave them out"},
		{train.Config{InstanceConfig: train.InstanceConfig{Families: []string{"bush"}}}, `"bush" is none`},
	} {
		if _, err := Open(test.config, nil); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: error %v, want one with %q", test.config, err, test.want)
		}
	}
}

// writeNPY writes an array of float64 as a .npy file.
func writeNPY(t *testing.T, path string, shape []int, data []float64) {
	t.Helper()
	text := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(shape)), ", "), "[]")
	header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }", text)
	header += strings.Repeat(" ", (64-(10+len(header)+1)%64)%64) + "\n"
	file := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), byte(len(header)>>8))
	file = append(file, header...)
	for _, v := range data {
		file = binary.LittleEndian.AppendUint64(file, math.Float64bits(v))
	}
	if err := os.WriteFile(path, file, 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestFilesAreReadAsConfigured: a stack of rectangular pairs, column-major and to be
// minimised, becomes the instances that datasets.Open reads by the same options; what
// is no instance is passed over and named.
func TestFilesAreReadAsConfigured(t *testing.T) {
	const count, n1, n2 = 30, 2, 3
	const vertices = n1 * n2
	rng := rand.New(rand.NewPCG(5, 5))
	values := make([]float64, count*vertices*vertices)
	for k := range count {
		for p := range vertices {
			for q := range p + 1 {
				v := rng.Float64()
				values[(k*vertices+p)*vertices+q], values[(k*vertices+q)*vertices+p] = v, v
			}
		}
	}
	folder := t.TempDir()
	stack := filepath.Join(folder, "stack.npy")
	writeNPY(t, stack, []int{count, vertices, vertices}, values)
	foreign := filepath.Join(folder, "a.dat") // sorted before the stack
	if err := os.WriteFile(foreign, []byte("a shopping list"), 0o666); err != nil {
		t.Fatal(err)
	}
	c := train.Config{InstanceConfig: train.InstanceConfig{Instances: folder, Reading: train.Reading{N1: n1, Order: "col", Sense: "min"}}}
	var notices []string
	source := must.Get(Open(c, func(instance, message string) { notices = append(notices, instance+": "+message) }))(t)
	if len(notices) != 1 || !strings.HasPrefix(notices[0], foreign+": passed over: ") {
		t.Errorf("notices %q", notices)
	}
	found := map[string]*qap.Instance{}
	for _, validation := range []bool{false, true} {
		for _, g := range source.(train.InstanceList).Given(validation) {
			found[g.Name] = g.Instance
		}
	}
	k := 0
	for want, err := range datasets.Open(stack, datasets.Options{N1: n1, Order: datasets.ColumnMajor, Sense: qap.Minimize}) {
		if err != nil {
			t.Fatal(err)
		}
		got := found[fmt.Sprintf("%s#%d", stack, k)]
		if got == nil || sum(got) != sum(want) {
			t.Errorf("instance %d is another", k)
		}
		k++
	}
	if len(found) != count {
		t.Errorf("%d instances, want %d", len(found), count)
	}
}

// TestAllKeepsNothingBack: to judge on, a folder has all of its instances on both sides.
func TestAllKeepsNothingBack(t *testing.T) {
	folder := t.TempDir()
	writeInstances(t, folder, 3)
	source := must.Get(All(folder, train.Reading{}, nil))(t)
	list := source.(train.InstanceList)
	if a, b := len(list.Given(false)), len(list.Given(true)); a != 3 || b != 3 {
		t.Errorf("%d to train on, %d to judge on, want 3", a, b)
	}
	if _, err := All("absent", train.Reading{}, nil); err == nil {
		t.Error("a folder that is not there is accepted")
	}
}

// TestTruthsOfStacks: where the reward asks for them, the true matchings come along from beside a stack; the
// division is the same without. Files that have none beside them are refused, and said to need them.
func TestTruthsOfStacks(t *testing.T) {
	const count, n = 30, 3
	const vertices = n * n
	rng := rand.New(rand.NewPCG(6, 6))
	values, truths := make([]float64, count*vertices*vertices), make([]float64, count*n*n)
	for k := range count {
		for p := range vertices {
			for q := range p + 1 {
				v := rng.Float64()
				values[(k*vertices+p)*vertices+q], values[(k*vertices+q)*vertices+p] = v, v
			}
		}
		truths[k*n*n+k%n] = 1 // node 0 is that of node k mod n
	}
	folder := t.TempDir()
	stack := filepath.Join(folder, "some_A.npy")
	writeNPY(t, stack, []int{count, vertices, vertices}, values)
	c := train.Config{InstanceConfig: train.InstanceConfig{Instances: stack}}
	plain := open(t, c).(train.InstanceList)
	c.Reward = train.RewardF1
	if _, err := Open(c, nil); err == nil || !strings.Contains(err.Error(), "some_X.npy") {
		t.Errorf("without truths: %v", err)
	}
	writeNPY(t, filepath.Join(folder, "some_X.npy"), []int{count, n, n}, truths)
	known := open(t, c).(train.InstanceList)
	for _, validation := range []bool{false, true} {
		without, with := plain.Given(validation), known.Given(validation)
		if len(with) != len(without) {
			t.Fatalf("%d with truths, %d without", len(with), len(without))
		}
		for k, g := range with {
			var number int
			fmt.Sscanf(strings.TrimPrefix(g.Name, stack), "#%d", &number)
			if g.Name != without[k].Name || without[k].Truth != nil || g.Truth[0] != number%n || g.Truth.Size() != 1 {
				t.Errorf("%s is %s with the truth %v", without[k].Name, g.Name, g.Truth)
			}
		}
	}
	c.Instances = t.TempDir()
	writeInstances(t, c.Instances, 3)
	if _, err := Open(c, nil); err == nil || !strings.Contains(err.Error(), "NAME_X.npy") {
		t.Errorf("files without truths: %v", err)
	}
}

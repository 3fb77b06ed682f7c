package research

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/cli/clitest"
	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/verbs"
)

// program is rgm's verbs, with all that the files here register.
func program(t *testing.T, line string) (string, error) {
	t.Helper()
	c := console.Discard()
	root := verbs.Root("rgm", "", "", "")
	root.AddCommand(verbs.Solve(c), verbs.Train(c), verbs.Inspect())
	root.SetArgs(strings.Fields(line))
	var out bytes.Buffer
	root.SetOut(&out)
	err := root.ExecuteContext(t.Context())
	return out.String(), err
}

// TestProgram: the solver, the network and the learner of this folder are choices of the program,
// which knows nothing of them: a policy of the one architecture is trained by the one learner,
// written as an ONNX model, and searched by.
func TestProgram(t *testing.T) {
	run := filepath.Join(t.TempDir(), "run")
	for _, step := range []struct{ line, prints string }{
		{"solve --method descent --format json nug12", `"method":"descent"`},
		{"train --preset smoke --learner spsa --set model.architecture=weighted-sum --set sizes=4 --set pool=4 --set validation_pool=2 --set validation_every=5 --set environments=2 --episodes 40 --out " + run, "model.onnx"},
		{"inspect " + run + "/model.onnx", "weighted-sum"},
		{"solve --method rgm --provider go --max-steps 20 --format json --model " + run + "/model.onnx nug12", `"provider":"go"`},
		{"solve --method rgm --provider cpu --max-steps 20 --format json --model " + run + "/model.onnx nug12", `"provider":"onnxruntime-cpu"`},
	} {
		if strings.Contains(step.line, "--provider cpu") && !clitest.HasONNXRuntime(t) {
			continue
		}
		if out, err := program(t, step.line); err != nil || !strings.Contains(out, step.prints) {
			t.Errorf("rgm %s: %v\n%s", step.line, err, out)
		}
	}
}

// TestNothingNamesThem: no package of the user's path or of the lab has a word of what is
// registered here.
func TestNothingNamesThem(t *testing.T) {
	names := regexp.MustCompile(`"(descent|weighted-sum|spsa)"`)
	for _, folder := range []string{"cmd", "internal", "infer", "export", "models", "train", "serve", "lab/research"} {
		err := filepath.WalkDir("../../../"+folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" {
				return err
			}
			text, err := os.ReadFile(path)
			if name := names.Find(text); name != nil {
				t.Errorf("%s stands in %s", name, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

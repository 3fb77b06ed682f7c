package research_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/lab"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/rgmtest"
	_ "github.com/rgm-go/rgm/lab/research"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
)

// open returns a solver with everything, whose networks Go evaluates.
func open(t *testing.T) *rgm.Solver {
	t.Helper()
	return rgmtest.Open(t, func(c *rgm.Config) {
		c.Model = func(name string) ([]byte, error) {
			if strings.HasSuffix(name, ".onnx") {
				return os.ReadFile(name)
			}
			return pretrained.Model(name)
		}
	})
}

const vectors = "../../docs/vectors/"

// TestMethods: the methods of networks that give soft matchings solve instances of any kind, name
// who evaluated the network, and take no other.
func TestMethods(t *testing.T) {
	p := open(t)
	assignment := must.Get(qaplib.Open("nug12"))(t)
	edges := [][2]int{{0, 1}, {1, 2}, {2, 3}}
	graphs := must.Get(qap.NewEdgePairs(4, 5, edges, append(edges, [2]int{3, 4}), nil, func(int, int, bool) float64 { return 1 }, qap.Maximize))(t)
	for _, method := range []string{"ngm", "lcs"} {
		for _, in := range []*qap.Instance{assignment, graphs} {
			o := rgm.Options{Method: method, Model: vectors + method + ".onnx"}
			r, err := p.Solve(context.Background(), in, o)
			if err != nil || !in.IsSolution(r.Matching) || r.Objective != in.Objective(in.Score(r.Matching)) ||
				r.FoundBy != method || r.Model != o.Model || r.Provider != "go" || r.Evaluations != 1 {
				t.Errorf("%s: %+v, error %v", method, r, err)
			}
		}
		const want = "model qap is of the architecture gain: the method %[1]s takes those of the architecture %[1]s"
		if err := p.Check(rgm.Options{Method: method, Model: "qap"}); err == nil || err.Error() != fmt.Sprintf(want, method) {
			t.Errorf("%s with the model qap: %v", method, err)
		}
		if err := p.Check(rgm.Options{Method: rgm.MethodRGM, Model: vectors + method + ".onnx"}); err == nil || !strings.Contains(err.Error(), "chooses no actions") {
			t.Errorf("the policy with a model of %s: %v", method, err)
		}
	}
}

// TestNamesAreThoseOfTheLab: rgm says of just these where they are.
func TestNamesAreThoseOfTheLab(t *testing.T) {
	for _, name := range lab.Architectures {
		if !slices.Contains(models.Architectures(), name) {
			t.Errorf("package lab names the architecture %s, which nobody registers", name)
		}
	}
	for _, name := range lab.Learners {
		if !slices.Contains(train.Learners(), name) {
			t.Errorf("package lab names the learner %s, which nobody registers", name)
		}
	}
	for _, name := range lab.Presets {
		if !slices.Contains(train.Presets(), name) {
			t.Errorf("package lab names the preset %s, which nobody registers", name)
		}
	}
	methods := rgm.Methods()
	for _, name := range lab.Methods {
		if !slices.ContainsFunc(methods, func(m rgm.Method) bool { return m.Name == name }) {
			t.Errorf("package lab names the method %s, which nobody registers", name)
		}
	}
}

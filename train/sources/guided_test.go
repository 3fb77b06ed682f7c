package sources

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
)

// writeStack writes an array that counts from 0 up.
func writeStack(t *testing.T, shape ...int) string {
	t.Helper()
	size := 1
	for _, n := range shape {
		size *= n
	}
	text := strings.NewReplacer("[", "(", "]", ",)", " ", ", ").Replace(fmt.Sprint(shape))
	header := fmt.Sprintf("{'descr': '|u1', 'fortran_order': False, 'shape': %s, }\n", text)
	file := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), 0)
	file = append(file, header...)
	for k := range size {
		file = append(file, byte(k))
	}
	path := filepath.Join(t.TempDir(), "guides.npy")
	if err := os.WriteFile(path, file, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestGuidesFollowTheInstances: each instance has its own slice of the stack, a smaller one its
// upper left part.
func TestGuidesFollowTheInstances(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var instances []*qap.Instance
	for _, n := range []int{4, 3} {
		in := must.Get(datasets.Mixture{}.Instance(n, rng))(t)
		instances = append(instances, in)
	}
	source := must.Get(withGuides(&list{read: instances}, writeStack(t, 2, 4, 4)))(t)
	guided := source.(train.GuidedSource)
	if got, err := guided.Guide(instances[1]); err != nil || !slices.Equal(got, []float64{16, 17, 18, 20, 21, 22, 24, 25, 26}) {
		t.Errorf("the second instance's guide is %v, error %v", got, err)
	}
	other := must.Get(datasets.Mixture{}.Instance(4, rng))(t)
	if _, err := guided.Guide(other); err == nil {
		t.Error("an instance that is not in the list has a guide")
	}
	for want, shape := range map[string][]int{
		"2 dimensions, want 3": {4, 4}, "3 soft matchings of 2 instances": {3, 4, 4}, "soft matchings of 3 by 4 nodes": {2, 3, 4},
	} {
		if _, err := withGuides(&list{read: instances}, writeStack(t, shape...)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// TestGuideFilesBelongToGivenInstances: generated ones have none.
func TestGuideFilesBelongToGivenInstances(t *testing.T) {
	path := writeStack(t, 2, 14, 14)
	if _, err := Open(train.Config{LearningConfig: train.LearningConfig{Guide: path}}, nil); err == nil || !strings.Contains(err.Error(), "belongs to given instances") {
		t.Errorf("error %v", err)
	}
	source, err := Open(train.Config{InstanceConfig: train.InstanceConfig{Instances: "qaplib-small:had"}, LearningConfig: train.LearningConfig{Guide: path}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	l := source.(train.InstanceList).Given(false)
	guide, err := source.(train.GuidedSource).Guide(l[0].Instance)
	if n1, n2 := l[0].Instance.Size(); err != nil || len(guide) != n1*n2 {
		t.Errorf("a guide of %d numbers for %d by %d nodes, error %v", len(guide), n1, n2, err)
	}
}

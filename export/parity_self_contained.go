package export

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/internal/modelfile"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/qap/reweigh"
)

// verifySelfContained compares a self-contained model with the Go forward pass over Go's
// own features, on random instances and episodes: the rules take turns.
func verifySelfContained(ctx context.Context, data []byte, n models.Network, form Form, o infer.SessionOptions) error {
	m, err := onnx.Check(data)
	if err != nil {
		return err
	}
	v := newSelfContainedCheck(ctx, m, n, o)
	if n.Features() == features.Affinity {
		return v.affinity()
	}
	for k, shape := range parityShapes {
		rules := v.rules(form, shape)
		if err := v.episodes(shape, form, rules[k%len(rules)]); err != nil {
			return err
		}
	}
	return nil
}

// parityRule is what instances and episodes are compared under.
type parityRule struct {
	complete bool
	rules    qap.EnvironmentOptions
}

// rules are those that a model knows: all that has no changes of value among its outputs knows
// is the affinities and the matching.
func (c *selfContainedCheck) rules(form Form, shape [3]int) []parityRule {
	if !c.gives(changesOutput) {
		return []parityRule{{}}
	}
	seeds := qap.NewMatching(shape[1])
	seeds[0] = shape[2] - 1
	rules := []parityRule{
		{true, qap.EnvironmentOptions{Autofill: true}},
		{true, qap.EnvironmentOptions{Goal: qap.Goal{Fixed: seeds}}},
	}
	if form == KoopmansBeckmann {
		return rules
	}
	return append(rules,
		parityRule{rules: qap.EnvironmentOptions{Release: true}},
		parityRule{rules: qap.EnvironmentOptions{Release: true, Goal: qap.Goal{Regularizer: qap.RegularizeF1}}},
		parityRule{rules: qap.EnvironmentOptions{Goal: qap.Goal{Inliers: (min(shape[1], shape[2]) + 1) / 2}}},
	)
}

type selfContainedCheck struct {
	ctx     context.Context
	model   *onnx.Model
	options infer.SessionOptions
	network models.Network
	random  *rand.Rand
}

func newSelfContainedCheck(ctx context.Context, m *onnx.Model, n models.Network, o infer.SessionOptions) *selfContainedCheck {
	return &selfContainedCheck{ctx: ctx, model: m, options: o, network: n, random: rand.New(rand.NewPCG(3, 4))}
}

// gives reports whether the model has an output.
func (c *selfContainedCheck) gives(output string) bool {
	return slices.ContainsFunc(c.model.Graph.Outputs, func(v onnx.ValueInfo) bool { return v.Name == output })
}

// taken are the tensors that are inputs of the model.
func (c *selfContainedCheck) taken(tensors []infer.Tensor) []infer.Tensor {
	return slices.DeleteFunc(tensors, func(t infer.Tensor) bool {
		return !slices.ContainsFunc(c.model.Graph.Inputs, func(v onnx.ValueInfo) bool { return v.Name == t.Name })
	})
}

// output evaluates the model for one of its outputs.
func (c *selfContainedCheck) output(name string, inputs []infer.Tensor) ([]float32, error) {
	one := *c.model
	one.Graph.Outputs = slices.DeleteFunc(slices.Clone(one.Graph.Outputs), func(v onnx.ValueInfo) bool { return v.Name != name })
	return infer.Evaluate(c.ctx, onnx.Marshal(&one), c.options, inputs...)
}

// expect compares an output.
func (c *selfContainedCheck) expect(name string, inputs []infer.Tensor, want []float32, shape [3]int) error {
	got, err := c.output(name, inputs)
	if err == nil && len(got) != len(want) {
		err = fmt.Errorf("%w: %d values, want %d", ErrParity, len(got), len(want))
	}
	if err == nil {
		err = compare(got, want, shape)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// episodes compares Q, and of gain networks ΔV, in a batch of states of one instance.
func (c *selfContainedCheck) episodes(shape [3]int, form Form, rule parityRule) error {
	batch, n1, n2 := shape[0], shape[1], shape[2]
	in, err := randomInstance(form, n1, n2, c.random)
	if err != nil {
		return err
	}
	in.Complete = rule.complete
	inputs, err := features.New(c.network.Features(), in)
	if err != nil {
		return err
	}
	pass := c.network.NewPass(batch, n1, n2)
	var s states
	var changes []float32
	var rules qap.EnvironmentOptions
	for b := range batch {
		e := newEpisode(inputs, in, rule.rules, nil, 3*n1)
		rules = e.env.Options()
		for range c.random.IntN(3 * n1) {
			e.step(c.random.IntN(n1 * n2))
		}
		s.add(e)
		e.extractor.Fill(pass.Inputs(), b)
		for _, change := range e.env.ValueChanges() {
			changes = append(changes, float32(change))
		}
	}
	tensors := c.taken(append(s.tensors(), instanceTensors(in, rules, features.Scale(in))...))
	if c.gives(changesOutput) {
		if err := c.expect(changesOutput, tensors, changes, shape); err != nil {
			return err
		}
	}
	return c.expect(modelfile.Output, tensors, pass.Forward(), shape)
}

// randomInstance has numbers that float32 holds.
func randomInstance(form Form, n1, n2 int, rng *rand.Rand) (*qap.Instance, error) {
	values := func(count int) []float64 {
		list := make([]float64, count)
		for k := range list {
			list[k] = float64(float32(rng.NormFloat64()))
		}
		return list
	}
	if form == KoopmansBeckmann {
		return qap.NewKoopmansBeckmann(n1, n2, values(n1*n1), values(n2*n2), values(n1*n2), qap.Minimize)
	}
	return qap.NewDense(n1, n2, values(n1*n2*n1*n2), qap.Maximize)
}

// affinity compares the answers about sizes and the affinities that φ re-weighs.
func (c *selfContainedCheck) affinity() error {
	for _, shape := range parityShapes {
		if err := c.asGiven(shape); err != nil {
			return err
		}
		in, err := sparseAffinities(shape[1], shape[2], c.random)
		if err != nil {
			return err
		}
		r, err := newReweighing(in, c.network)
		if err != nil {
			return err
		}
		if err := c.expect(reweighedOutput, r.tensors(), affinityTensor(r.learned).Data, shape); err != nil {
			return err
		}
		if r.choices() < 1 {
			continue
		}
		if err := c.expect(modelfile.Output, r.tensors(), r.answers(c.network), shape); err != nil {
			return err
		}
	}
	return nil
}

// asGiven demands that affinities of both signs stay.
func (c *selfContainedCheck) asGiven(shape [3]int) error {
	in, err := randomInstance(Lawler, shape[1], shape[2], c.random)
	if err != nil {
		return err
	}
	r, err := newReweighing(in, c.network)
	if err != nil {
		return err
	}
	return c.expect(reweighedOutput, r.tensors(), affinityTensor(r.learned).Data, shape)
}

// sparseAffinities are in 0…1, half of them 0, and one of them 0 but for rounding.
func sparseAffinities(n1, n2 int, rng *rand.Rand) (*qap.Instance, error) {
	k := make([]float64, n1*n2*n1*n2)
	for p := range k {
		if rng.IntN(2) == 0 {
			k[p] = float64(float32(rng.Float64()))
		}
	}
	if n := n1 * n2; n1 > 1 && n2 > 1 {
		k[n2+1], k[(n2+1)*n] = -1e-9, -1e-9
	}
	return qap.NewDense(n1, n2, k, qap.Maximize)
}

// reweighing is what reweigh.Affinity finds on its way.
type reweighing struct {
	in, learned *qap.Instance
	measures    reweigh.Measures
	sizes       *reweigh.Sizes // nil where affinities stay as given
	alike       [4]qap.Matching
}

func newReweighing(in *qap.Instance, n models.Network) (*reweighing, error) {
	a, err := reweigh.New(models.QFunction(n))
	if err != nil {
		return nil, err
	}
	n1, n2 := in.Size()
	nodes := make([]float64, n1*n2)
	in.Affinity.Diagonal(nodes)
	given := reweigh.Measure(in)
	clean, err := in.MapAffinities(func(v float64) float64 {
		if -given.Least > reweigh.Rounding*given.Greatest {
			return v
		}
		return max(v, 0)
	}, nodes)
	if err != nil {
		return nil, err
	}
	r := &reweighing{in: in, measures: reweigh.Measure(clean), alike: reweigh.Alike(clean)}
	if r.measures.AsGiven() {
		r.learned = clean
		return r, nil
	}
	if r.learned, err = a.ByEdges(clean, &r.measures); err != nil {
		return nil, err
	}
	r.sizes, err = a.Sizes(clean, &r.measures)
	return r, err
}

// choices is how many sizes are asked about.
func (r *reweighing) choices() int {
	if r.sizes == nil {
		return 0
	}
	return r.sizes.Most() - reweigh.LeastSize + 1
}

// answers are the network's about the sizes.
func (r *reweighing) answers(n models.Network) []float32 {
	pass := n.NewPass(1, 1, r.choices())
	for k := range r.choices() {
		r.sizes.AskSize(pass.Inputs()[0][k*features.AffinityChannels:], reweigh.LeastSize+k)
	}
	return pass.Forward()
}

// tensors are the inputs of the self-contained model.
func (r *reweighing) tensors() []infer.Tensor {
	n1, n2 := r.in.Size()
	of := func(name string, list []qap.Matching) infer.Tensor {
		t := infer.Tensor{Name: name, Shape: []int64{int64(len(list)), int64(n1), int64(n2)}}
		for _, m := range list {
			t.Data = append(t.Data, planeOf(m, n2)...)
		}
		return t
	}
	profile := []qap.Matching{qap.NewMatching(n1)}
	if r.sizes != nil {
		profile = nil
		for _, best := range r.sizes.Profile {
			profile = append(profile, best.Matching)
		}
	}
	return []infer.Tensor{affinityTensor(r.in), of(alikeInput, r.alike[:]), of(profileInput, profile)}
}

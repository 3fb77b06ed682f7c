package research

import (
	"flag"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/export"
	"github.com/rgm-go/rgm/lab/research/paper"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

var (
	architecture = flag.String("architecture", "", "of the network that is regressed on exact changes (default gain, then paper-matched)")
	updates      = flag.Int("updates", 100, "of the regression")
	irrevocable  = flag.Bool("irrevocable", false, "states without revoking")
	sizes        = flag.String("outliers", "3", "of the pairs, beside 7 inliers: `numbers` that the updates take in turns")
	mixture      = flag.Bool("mixture", false, "pairs of every kind that policies are trained on (pairs.Training), in place of points")
	regularized  = flag.Bool("regularized", true, "changes under f1, and K_reg for the paper's networks")
	save         = flag.String("save", "", "model `file` for the network, to begin a training from (rgm train --from)")
)

// actions are states along walks that take the best action or a random one, several pairs of
// graphs side by side, and what a network sees of them.
type actions struct {
	next func() (pairs.Pair, error)
	set  string
	rng  *rand.Rand
	envs []*qap.Environment
	seen []features.Extractor
	unit []float64 // per environment: what a reward is divided by
}

// inliers is the number of nodes that match; both graphs also have outliers.
const inliers, stepsPerNode = 7, 3

func newActions(t *testing.T, set string, count, outliers int, seed uint64) *actions {
	t.Helper()
	next, rng := points(t, outliers, seed), rand.New(rand.NewPCG(seed, 1))
	if *mixture {
		next = func() (pairs.Pair, error) { return mixed(inliers+outliers, rng) }
	}
	a := &actions{next: next, set: set, rng: rng, envs: make([]*qap.Environment, count), seen: make([]features.Extractor, count), unit: make([]float64, count)}
	for k := range count {
		a.begin(t, k)
	}
	return a
}

// points draws pairs of points; others for another seed.
func points(t *testing.T, outliers int, seed uint64) func() (pairs.Pair, error) {
	all := pairs.Relabelled(pairs.Synthetic{Inliers: inliers, Outliers: outliers, Noise: 0.1, Count: math.MaxInt32, Affinity: affinities.PaperSynthetic}.Set(), seed)
	next, stop := iter.Pull2(all.Pairs)
	t.Cleanup(stop)
	for range int(seed) {
		next()
	}
	return func() (pairs.Pair, error) { p, err, _ := next(); return p, err }
}

// mixed draws a pair of graphs of equal size, as a batch needs them.
func mixed(size int, rng *rand.Rand) (p pairs.Pair, err error) {
	for {
		p, err = pairs.Training{}.Pair(size, rng)
		if err != nil {
			return p, err
		}
		if n1, n2 := p.Instance.Size(); n1 == size && n2 == size {
			return p, nil
		}
	}
}

// begin takes another pair.
func (a *actions) begin(t *testing.T, k int) {
	t.Helper()
	p, err := a.next()
	if err != nil {
		t.Fatal(err)
	}
	o := qap.EnvironmentOptions{Irrevocable: *irrevocable}
	if *regularized {
		if o.Goal.Regularizer, err = qap.ParseRegularizer("f1"); err != nil {
			t.Fatal(err)
		}
	}
	a.envs[k] = qap.NewEnvironment(p.Instance, o)
	inputs, err := features.New(a.set, p.Instance)
	if err != nil {
		t.Fatal(err)
	}
	n1, n2 := p.Instance.Size()
	a.seen[k] = inputs.NewExtractor(a.envs[k], stepsPerNode*max(n1, n2))
	a.seen[k].Reset()
	a.unit[k] = features.Scale(p.Instance)
}

// step acts in all of them: the best action, or in four of ten steps a random one.
func (a *actions) step(t *testing.T) {
	t.Helper()
	for k, env := range a.envs {
		n1, n2 := env.Size()
		if env.Finished() || env.Steps() >= stepsPerNode*max(n1, n2) {
			a.begin(t, k)
			continue
		}
		v, _, ok := env.BestAction()
		if a.rng.Float64() < 0.4 || !ok {
			for v = a.rng.IntN(n1 * n2); !env.Allowed(v); v = a.rng.IntN(n1 * n2) {
			}
		}
		env.Step(v)
		a.seen[k].Observe()
	}
}

// lesson is a batch of states of pairs of one size, and a pass over them.
type lesson struct {
	states *actions
	pass   models.Pass
	dq     []float32
}

func newLesson(t *testing.T, n models.Network, batch, outliers int, seed uint64) *lesson {
	t.Helper()
	size := inliers + outliers
	return &lesson{newActions(t, n.Features(), batch, outliers, seed), n.NewPass(batch, size, size), make([]float32, batch*size*size)}
}

// look evaluates the network, and leaves the derivative of the squared errors in dq.
func (l *lesson) look(f *fit) {
	for k, x := range l.states.seen {
		x.Fill(l.pass.Inputs(), k)
	}
	q := l.pass.Forward()
	vertices := len(q) / len(l.states.envs)
	for k, env := range l.states.envs {
		f.learn(q[k*vertices:][:vertices], l.dq[k*vertices:][:vertices], env, 1/l.states.unit[k])
	}
}

// fit is how well a network says what actions are worth.
type fit struct{ residual, total, agrees, states float64 }

// learn adds the errors of q to the fit, and writes the derivative of their squares: per state
// of what exceeds the mean over the allowed actions, since only differences decide.
func (f *fit) learn(q, dq []float32, env *qap.Environment, scale float64) {
	want := env.ValueChanges()
	var allowed []int
	meanQ, meanY := 0.0, 0.0
	for v := range want {
		if dq[v] = 0; env.Allowed(v) {
			allowed = append(allowed, v)
			meanQ, meanY = meanQ+float64(q[v]), meanY+want[v]*scale
		}
	}
	if len(allowed) < 2 {
		return
	}
	count := float64(len(allowed))
	meanQ, meanY = meanQ/count, meanY/count
	for _, v := range allowed {
		y := want[v]*scale - meanY
		e := float64(q[v]) - meanQ - y
		dq[v] = float32(e / count)
		f.residual, f.total = f.residual+e*e/count, f.total+y*y/count
	}
	better := func(by func(v int) float64) int {
		return slices.MaxFunc(allowed, func(v, w int) int {
			return int(math.Copysign(1, by(v)-by(w)))
		})
	}
	f.states++
	if want[better(func(v int) float64 { return float64(q[v]) })] >= want[better(func(v int) float64 { return want[v] })]-1e-12 {
		f.agrees++
	}
}

// TestRegression teaches a network by squared errors, with nothing of reinforcement learning
// between, what every action changes, and says how much of it the network comes to say of pairs
// that it has not seen: what a network cannot represent, no training will find. For longer ones
//
//	go -C lab test ./examples/research -run Regression -v -args -architecture paper-matched -updates 2000
func TestRegression(t *testing.T) {
	if *architecture != "" {
		regress(t, *architecture)
		return
	}
	for _, name := range []string{models.ArchitectureGain, paper.Matched} {
		t.Run(name, func(t *testing.T) {
			if explained := regress(t, name); *updates >= 100 && explained < 0.5 {
				t.Errorf("explains %.2f of the variance of the changes, which it could compute", explained)
			}
		})
	}
}

// regress teaches a network, and returns how much of the variance of the changes within a
// state it explains afterwards.
func regress(t *testing.T, architecture string) float64 {
	t.Helper()
	const batch, rate = 32, 1e-3
	c := models.Config{Architecture: architecture, Hidden: 32, Head: 16}
	if architecture == models.ArchitectureGain {
		c.Hidden = 16
	} else if *regularized {
		c.Features = architecture + "-" + qap.RegularizedLiteral.String()
	}
	n, err := models.New(c, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	gradient, adam := models.NewGradient(n), models.NewAdam(n)
	var training, unseen []*lesson
	for text := range strings.SplitSeq(*sizes, ",") {
		outliers, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		training, unseen = append(training, newLesson(t, n, batch, outliers, 0)), append(unseen, newLesson(t, n, batch, outliers, 1000))
	}
	for update := range *updates {
		l := training[update%len(training)]
		l.look(new(fit))
		for k := range gradient {
			clear(gradient[k])
		}
		l.pass.Backward(l.dq, gradient)
		models.ClipNorm(gradient, 5*batch)
		adam.Update(n, gradient, rate*min(1, 2*(1-float64(update)/float64(*updates))))
		l.states.step(t)
	}
	var f fit
	for _, l := range unseen {
		for range 30 {
			l.look(&f)
			l.states.step(t)
		}
	}
	explained, agrees := 1-f.residual/f.total, f.agrees/f.states
	t.Logf("%s, %d updates: %.1f %% of the variance of the changes within a state, the best action in %.1f %% of %.0f states",
		architecture, *updates, 100*explained, 100*agrees, f.states)
	if *save != "" {
		data, err := export.Marshal(n, `{"regression":"exact changes of one step"}`)
		if err == nil {
			err = export.Save(*save, data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return explained
}

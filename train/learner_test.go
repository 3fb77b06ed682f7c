package train

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
)

// TestAverageFollows: the mean of all weights while that is younger than the
// decay, exponential forgetting afterwards.
func TestAverageFollows(t *testing.T) {
	c := tinyConfig(t)
	c.AverageDecay = 0.75
	network, err := models.New(c.Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	l := newLearner(&c, nil, network)
	want := 0.0
	for step := 1; step <= 8; step++ {
		l.adam.Updates = step
		network.Parameters()[0].Data[0] = float32(step * step)
		l.follow()
		share := max(1/float64(step), 0.25)
		want += share * (float64(step*step) - want)
		if got := l.average.Parameters()[0].Data[0]; math.Abs(float64(got)-want) > 1e-4 {
			t.Fatalf("average %v after step %d, want %v", got, step, want)
		}
	}
}

// TestDoubleQLearning checks the targets of an update by hand: the network chooses
// the next action, the target network judges it; without double the target network
// does both.
func TestDoubleQLearning(t *testing.T) {
	for _, double := range []bool{true, false} {
		checkTargets(t, double)
	}
}

func checkTargets(t *testing.T, double bool) {
	c := tinyConfig(t)
	c.Double = double
	c.Batch, c.Warmup, c.Loss, c.PriorityAlpha, c.ClipNorm = 4, 4, LossSquared, 0, 0
	problems := tinyProblems(t, &c, 5, 2)
	rng := rand.New(rand.NewPCG(7, 8))
	network, err := models.New(c.Model, rng)
	if err != nil {
		t.Fatal(err)
	}
	l := newLearner(&c, problems, network)
	for _, p := range l.target.Parameters() { // make the two networks disagree
		for i := range p.Data {
			p.Data[i] += float32(0.3 * rng.NormFloat64())
		}
	}
	a := newActor(&c, problems, 0, 2, 0, false)
	for l.replay.length() < 40 {
		a.step(a.explore())
		for _, transition := range a.made {
			l.replay.add(transition)
		}
	}
	q := func(n models.Network, state []byte) ([]float32, *workspace) {
		d := problems[problemOf(state)].workspaces.Get().(*workspace)
		d.restore(state)
		pass := n.NewPass(1, 5, 5)
		d.extractor.Fill(pass.Inputs(), 0)
		return pass.Forward(), d
	}
	l.replay.sample(l.indices, l.weights, 1, l.rng)
	wantLoss := 0.0
	disagreed := false
	var wantTD []float64
	for k, index := range l.indices {
		tr := l.replay.at(index)
		values, _ := q(l.network, tr.State)
		goal := float64(tr.Reward)
		if tr.Discount > 0 {
			next, d := q(l.network, tr.Next)
			judged, _ := q(l.target, tr.Next)
			chosen := argmax(d.env, next)
			disagreed = disagreed || chosen != argmax(d.env, judged)
			if !double {
				chosen = argmax(d.env, judged)
			}
			goal += float64(tr.Discount) * float64(judged[chosen])
		}
		td := float64(values[tr.Action]) - goal
		wantTD = append(wantTD, td)
		wantLoss += float64(l.weights[k]) * td * td / 4
	}
	if !disagreed {
		t.Error("the networks agree on every action: nothing is tested")
	}
	got := 0.0
	for _, chunk := range l.split() {
		l.learn(chunk, never)
		got += chunk.loss
	}
	if math.Abs(got-wantLoss) > 1e-4*(1+wantLoss) {
		t.Errorf("loss %v, want %v", got, wantLoss)
	}
	for k, td := range wantTD {
		if math.Abs(l.errors[k]-td) > 1e-4*(1+math.Abs(td)) {
			t.Errorf("TD error %v, want %v", l.errors[k], td)
		}
	}
}

// TestUpdateAllocatesByTheWorker: what an update allocates, its goroutines, does
// not grow with the batch. All memory that is kept is made before, on the one processor
// on which allocations are counted, and the collector rests, which would empty the
// pools of workspaces.
func TestUpdateAllocatesByTheWorker(t *testing.T) {
	if testing.Short() {
		t.Skip("with -race a sync.Pool forgets")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, architecture := range []string{models.ArchitectureGain, models.ArchitecturePaper} {
		c := tinyConfig(t)
		c.Model = models.Config{Architecture: architecture, Hidden: 8, Head: 8}
		c.Warmup, c.Batch = 64, 64
		trainer := newTrainer(t, c)
		l := trainer.algorithm.(*dqn).learner
		for l.replay.length() < c.Warmup {
			if err := trainer.round(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		makeAll(l, chunkSize)
		allocs := testing.AllocsPerRun(20, func() {
			chunks := l.draw(0.5)
			parallel.For(len(chunks), func(k int) { l.learn(chunks[k], never) })
			if _, err := l.update(chunks, 1e-4); err != nil {
				t.Fatal(err)
			}
		})
		if allocs > 20 {
			t.Errorf("%s: an update of 64 transitions allocates %.0f times, want at most 20", architecture, allocs)
		}
	}
}

// makeAll makes what one worker of a learner needs for its problems: an evaluation of
// up to so many states of every shape, with its gradients, and as many workspaces of every
// problem, and a chunk for every transition of a batch.
func makeAll(l *learner, states int) {
	for _, p := range l.problems {
		n1, n2 := p.instance.Size()
		for count := 1; count <= states; count *= 2 {
			s := shape{count, n1, n2}
			e := l.evaluations.get(s)
			e.online.Forward()
			e.online.Backward(e.dq, l.sum)
			e.target.Forward()
			l.evaluations.put(s, e)
		}
		var workspaces []*workspace
		for range states {
			workspaces = append(workspaces, p.workspace())
		}
		for _, d := range workspaces {
			d.release()
		}
	}
	for len(l.chunks) < len(l.indices) {
		l.chunks = append(l.chunks, &chunk{gradient: models.NewGradient(l.network)})
	}
}

func argmax(env *qap.Environment, q []float32) int {
	best := -1
	for v := range q {
		if env.Allowed(v) && (best < 0 || q[v] > q[best]) {
			best = v
		}
	}
	return best
}

func TestSchedules(t *testing.T) {
	c := Config{EpsilonFrom: 1, EpsilonTo: 0.2, EpsilonShare: 0.5, PriorityBeta: 0.4, LearningRate: 1}
	for _, test := range []struct{ progress, epsilon, beta, rate float64 }{
		{0, 1, 0.4, 1}, {0.25, 0.6, 0.55, 1}, {0.5, 0.2, 0.7, 1}, {0.75, 0.2, 0.85, 0.75}, {1, 0.2, 1, 0.5}, {2, 0.2, 1, 0.5},
	} {
		e, b, r := c.epsilon(test.progress), c.beta(test.progress), c.rate(test.progress)
		if math.Abs(e-test.epsilon)+math.Abs(b-test.beta)+math.Abs(r-test.rate) > 1e-12 {
			t.Errorf("progress %v: ε %v β %v η %v, want %+v", test.progress, e, b, r, test)
		}
	}
}

// TestTargetFollows: the target network is the network of every TargetEvery-th update.
func TestTargetFollows(t *testing.T) {
	c := tinyConfig(t)
	c.Warmup, c.ActsPerUpdate, c.TargetEvery = c.Batch, 1, 3
	trainer := newTrainer(t, c)
	l := trainer.algorithm.(*dqn).learner
	for l.adam.Updates < 7 {
		before := models.Clone(l.target)
		updates := l.adam.Updates
		if err := trainer.round(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := before
		if l.adam.Updates > updates && l.adam.Updates%3 == 0 {
			want = l.network
		}
		if !reflect.DeepEqual(models.Weights(l.target), models.Weights(want)) {
			t.Errorf("after %d updates the target is another network", l.adam.Updates)
		}
	}
}

// never is a learner's stop that does not come.
func never() bool { return false }

// TestNoStepIsMadeWithoutNumbers: a loss or a gradient that is not finite is an error, and
// leaves the network as it was.
func TestNoStepIsMadeWithoutNumbers(t *testing.T) {
	c := tinyConfig(t)
	network, err := models.New(c.Model, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	before := models.Clone(network)
	s := newTrainable(&c, network)
	gradient := models.NewGradient(network)
	for _, loss := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if _, err := s.descend(loss, gradient, 0.1); !errors.Is(err, ErrNotFinite) {
			t.Errorf("a loss of %v: %v", loss, err)
		}
	}
	gradient[0][0] = float32(math.NaN())
	if _, err := s.descend(1, gradient, 0.1); !errors.Is(err, ErrNotFinite) {
		t.Errorf("a gradient that is no number: %v", err)
	}
	if s.adam.Updates != 0 || !reflect.DeepEqual(models.Weights(network), models.Weights(before)) {
		t.Error("the network is another")
	}
}

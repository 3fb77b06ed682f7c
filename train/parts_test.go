package train

import (
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// TestSumTreeFindsByWeight compares with a scan over the weights.
func TestSumTreeFindsByWeight(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, capacity := range []int{1, 2, 5, 100} {
		tree := newSumTree(capacity)
		weights := make([]float64, capacity)
		for range 500 {
			k := rng.IntN(capacity)
			weights[k] = float64(rng.IntN(8)) // small integers: sums are exact
			tree.set(k, weights[k])
			total := 0.0
			for _, w := range weights {
				total += w
			}
			if tree.total() != total {
				t.Fatalf("total %v, want %v", tree.total(), total)
			}
			if total == 0 {
				continue
			}
			at := rng.Float64() * total
			want, sum := 0, 0.0
			for sum+weights[want] <= at {
				sum += weights[want]
				want++
			}
			if got := tree.find(at); got != want {
				t.Fatalf("find(%v) of %v is %d, want %d", at, weights, got, want)
			}
		}
	}
}

// TestReplaySamplesByPriority draws many batches and compares frequencies and
// importance weights with (|TD|+floor)^α (Schaul et al. 2016, equation 1).
func TestReplaySamplesByPriority(t *testing.T) {
	const alpha, beta, floor = 0.5, 0.7, 0.25
	r := NewReplay(4, alpha, floor)
	for k := range 6 { // two more than fit
		r.Add(Transition{Action: int32(k)})
	}
	if r.Len() != 4 || r.At(0).Action != 4 || r.At(2).Action != 2 {
		t.Fatalf("ring holds %v", r.transitions)
	}
	td := []float64{0, 1, 2, 6}
	total := 0.0
	for k, e := range td {
		r.Update(k, e)
		total += math.Pow(e+floor, alpha)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	counts := make([]float64, 4)
	indices, weights := make([]int, 10), make([]float32, 10)
	const rounds = 4000
	for range rounds {
		r.Sample(indices, weights, beta, rng)
		largest := 0.0
		for _, k := range indices {
			counts[k]++
			largest = max(largest, math.Pow(4*math.Pow(td[k]+floor, alpha)/total, -beta))
		}
		for j, k := range indices {
			want := math.Pow(4*math.Pow(td[k]+floor, alpha)/total, -beta) / largest
			if math.Abs(float64(weights[j])-want) > 1e-6 {
				t.Fatalf("importance weight %v, want %v", weights[j], want)
			}
		}
	}
	for k, e := range td {
		want := math.Pow(e+floor, alpha) / total
		// Stratified sampling: the deviation is below that of 40,000 free draws, 0.0025.
		if got := counts[k] / (10 * rounds); math.Abs(got-want) > 0.01 {
			t.Errorf("transition %d is drawn with frequency %.3f, want %.3f", k, got, want)
		}
	}
}

// TestAdamFirstStep: the first step is the rate times the sign of the gradient.
func TestAdamFirstStep(t *testing.T) {
	net, err := models.New(models.Config{Architecture: models.ArchitectureGain}, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, gradient := newAdam(net), models.NewGradient(net)
	gradient[0][0], gradient[0][1] = 3, -0.01
	before := slices.Clone(net.Parameters()[0].Data[:3])
	a.update(net, gradient, 0.1)
	for i, want := range []float32{-0.1, 0.1, 0} {
		if got := net.Parameters()[0].Data[i] - before[i]; math.Abs(float64(got-want)) > 1e-5 {
			t.Errorf("weight %d moved by %v, want %v", i, got, want)
		}
	}
}

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

func TestClipKeepsTheDirection(t *testing.T) {
	g := [][]float32{{3}, {4}}
	if norm := clip(g, 0); norm != 5 || g[0][0] != 3 {
		t.Errorf("norm %v, gradient %v", norm, g)
	}
	clip(g, 1)
	if math.Abs(float64(g[0][0])-0.6) > 1e-6 || math.Abs(float64(g[1][0])-0.8) > 1e-6 {
		t.Errorf("clipped to %v", g)
	}
}

// tinyProblems returns problems and a configuration that acts in them.
func tinyProblems(t testing.TB, c *Config, n, count int) []*problem {
	pool, err := newPool(t.Context(), randomSource{}, c, features.Gain, n, count, false)
	if err != nil {
		t.Fatal(err)
	}
	return pool
}

// TestNStepReturns plays an actor and recomputes every transition's return and
// next state from the rewards seen.
func TestNStepReturns(t *testing.T) {
	c := tinyConfig(t)
	c.NStep, c.Gamma, c.Reward, c.StepPenalty = 3, 0.9, RewardScore, 0.05
	problems := tinyProblems(t, &c, 5, 3)
	a := newActor(&c, problems, 0, 3, 0, false)
	type seen struct {
		state  []byte
		action int
		reward float64
	}
	var episode []seen
	var made []Transition
	for range 200 {
		env, state, problem := a.env, a.state, problems[a.problem]
		before := env.Score()
		action := a.explore()
		a.step(action)
		episode = append(episode, seen{state, action, (env.Score()-before)/problem.scale - 0.05})
		made = append(made, a.made...)
		if a.ended == nil {
			continue
		}
		if len(made) != len(episode) {
			t.Fatalf("%d transitions of %d steps", len(made), len(episode))
		}
		for k, got := range made {
			want, discount := 0.0, 1.0
			for j := k; j < min(k+3, len(episode)); j++ {
				want += discount * episode[j].reward
				discount *= 0.9
			}
			if k+3 >= len(episode) { // the episode ended within the three steps
				discount = 0
			}
			if math.Abs(float64(got.Reward)-want) > 1e-5 || math.Abs(float64(got.Discount)-discount) > 1e-6 ||
				int(got.Action) != episode[k].action || !slices.Equal(got.State, episode[k].state) {
				t.Fatalf("step %d of %d: return %v discount %v, want %v and %v", k, len(episode), got.Reward, got.Discount, want, discount)
			}
			if discount > 0 && !slices.Equal(got.Next, episode[k+3].state) {
				t.Fatalf("step %d: the next state is not the one three steps later", k)
			}
		}
		episode, made = nil, nil
	}
}

// TestRewards checks the rewards against their definitions.
func TestRewards(t *testing.T) {
	for _, kind := range []string{RewardScore, RewardPotential, RewardLogGap} {
		c := tinyConfig(t)
		c.Reward, c.StepPenalty = kind, 0.125
		problems := tinyProblems(t, &c, 5, 1)
		a := newActor(&c, problems, 0, 1, 0, false)
		p := problems[0]
		best := a.env.Value()
		for range 50 {
			env, before, valueBefore := a.env, a.env.Score(), a.env.Value()
			a.step(a.explore())
			if a.ended != nil {
				best = a.env.Value()
				continue
			}
			want := (env.Score()-before)/p.scale - 0.125
			switch kind {
			case RewardPotential:
				want = (env.Value()-valueBefore)/p.scale - 0.125
			case RewardLogGap:
				now := max(best, env.Value())
				want = math.Log((max(p.reference-best, 0)/p.spread+0.25)/(max(p.reference-now, 0)/p.spread+0.25)) - 0.125
				best = now
			}
			if got := a.pending[len(a.pending)-1].Reward; len(a.pending) > 0 && math.Abs(got-want) > 1e-12 {
				t.Fatalf("%s: reward %v, want %v", kind, got, want)
			}
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
	for l.replay.Len() < 40 {
		a.step(a.explore())
		for _, transition := range a.made {
			l.replay.Add(transition)
		}
	}
	q := func(n models.Network, state []byte) ([]float32, *desk) {
		d := problems[problemOf(state)].desks.Get().(*desk)
		d.restore(state)
		pass := n.NewPass(1, 5, 5)
		d.extractor.Fill(pass.Inputs(), 0)
		return pass.Forward(), d
	}
	l.replay.Sample(l.indices, l.weights, 1, l.rng)
	wantLoss := 0.0
	disagreed := false
	var wantTD []float64
	for k, index := range l.indices {
		tr := l.replay.At(index)
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
		l.learn(chunk)
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
// pools of desks.
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
		for l.replay.Len() < c.Warmup {
			if err := trainer.round(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		makeAll(l, chunkSize)
		allocs := testing.AllocsPerRun(20, func() {
			chunks := l.draw(0.5)
			parallel(len(chunks), func(k int) { l.learn(chunks[k]) })
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
// up to so many states of every shape, with its gradients, and as many desks of every
// problem, and a chunk for every transition of a batch.
func makeAll(l *learner, states int) {
	for _, p := range l.problems {
		n1, n2 := p.instance.Size()
		for count := 1; count <= states; count *= 2 {
			s := shape{count, n1, n2}
			e := l.evaluations.take(s)
			e.online.Forward()
			e.online.Backward(e.dq, l.sum)
			e.target.Forward()
			l.evaluations.put(s, e)
		}
		var desks []*desk
		for range states {
			desks = append(desks, p.desk())
		}
		for _, d := range desks {
			d.leave()
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

// TestPackedStatesGiveTheSameInputs compares what the learner sees with what the
// actor saw; integer data, so that gains agree exactly.
func TestPackedStatesGiveTheSameInputs(t *testing.T) {
	c := tinyConfig(t)
	problems := tinyProblems(t, &c, 6, 2)
	a := newActor(&c, problems, 0, 2, 0, false)
	live, restored := features.Make(features.Gain, 1, 6, 6), features.Make(features.Gain, 1, 6, 6)
	for range 300 {
		a.extractor.Fill(live, 0)
		d := problems[a.problem].desks.Get().(*desk)
		d.restore(a.state)
		d.extractor.Fill(restored, 0)
		for tensor := range live {
			for k, want := range live[tensor] {
				// The matrices are real-valued: gains differ by rounding.
				if got := restored[tensor][k]; math.Abs(float64(want-got)) > 1e-4 {
					t.Fatalf("input %d of tensor %d is %v live and %v restored", k, tensor, want, got)
				}
			}
		}
		a.step(a.explore())
	}
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

// TestReplayMemory fills a replay at n = 30 and extrapolates to 100,000
// transitions: they must stay below 1 GB.
func TestReplayMemory(t *testing.T) {
	c := tinyConfig(t)
	c.Pool = 1
	problems := tinyProblems(t, &c, 30, 1)
	a := newActor(&c, problems, 0, 1, 0, false)
	const held = 2000
	r := NewReplay(held, 0.6, 0.01)
	bytes := memoryOf(func() {
		for added := 0; added < held; {
			a.step(a.explore())
			for _, transition := range a.made {
				r.Add(transition)
				added++
			}
		}
	})
	per := bytes / held
	t.Logf("%.0f bytes a transition at n = 30: %.2f GB for 100,000", per, per*1e5/1e9)
	if per*1e5 > 1e9 {
		t.Errorf("100,000 transitions take %.2f GB, want less than 1", per*1e5/1e9)
	}
	runtime.KeepAlive(r)
}

// memoryOf returns how many bytes of live memory a function leaves behind.
func memoryOf(f func()) float64 {
	live := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	before := live()
	f()
	return live() - before
}

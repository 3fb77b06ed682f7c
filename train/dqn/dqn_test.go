package dqn

import (
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/traintest"
)

// tiny returns a configuration, changed.
func tiny(t testing.TB, change func(c *train.Config, own *Config)) train.Config {
	c := traintest.Tiny(t, Name)
	own := defaults
	change(&c, &own)
	c.Own = own
	return c
}

// TestTraining: what every learner must do, with what a training can hold between two rounds.
func TestTraining(t *testing.T) {
	for name, change := range map[string]func(c *train.Config, own *Config){
		"plain": func(*train.Config, *Config) {},
		"without double and dueling, demonstrated and guided": func(c *train.Config, own *Config) {
			own.Double, c.Dueling, c.Reward, own.Demonstrators = false, false, train.RewardPotential, 0.34
			c.Guide, c.GuideShare, c.GuideWeight = train.GuideTabu, 0.5, 0.1
		},
	} {
		t.Run(name, func(t *testing.T) { traintest.Test(t, tiny(t, change)) })
	}
}

// TestTrainingOnPairs: graphs of unequal sizes and sparse affinities too.
func TestTrainingOnPairs(t *testing.T) {
	traintest.Test(t, traintest.Pairs(must.Get(train.Preset("matching"))(t)))
}

// TestLearns within 40 episodes.
func TestLearns(t *testing.T) {
	traintest.Learns(t, tiny(t, func(c *train.Config, _ *Config) {
		c.Sizes, c.Pool, c.ValidationPool, c.ValidationRuns = []int{7}, 20, 8, 4
		c.Warmup, c.Replay, c.Batch, c.LearningRate = 200, 5000, 32, 2e-3
	}))
}

// TestImitates: by the guide alone, the cross-entropy with it falls.
func TestImitates(t *testing.T) {
	traintest.Imitates(t, tiny(t, func(*train.Config, *Config) {}))
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
	c := tiny(t, func(c *train.Config, own *Config) {
		own.Double, own.Loss, own.PriorityAlpha = double, LossSquared, 0
		c.Sizes, c.Pool, c.Batch, c.Warmup, c.ClipNorm = []int{5}, 2, 4, 4, 0
	})
	problems, network := traintest.Problems(t, c)
	rng := rand.New(rand.NewPCG(7, 8))
	l := newLearner(&c, c.Own.(Config), problems, network)
	for _, p := range l.target.Parameters() { // make the two networks disagree
		for i := range p.Data {
			p.Data[i] += float32(0.3 * rng.NormFloat64())
		}
	}
	a := train.NewGroups(&c, problems, network, 0)[0].Actors[0]
	for l.replay.length() < 40 {
		a.Step(a.Choose(nil, 1))
		for _, transition := range a.Made {
			l.replay.add(transition)
		}
	}
	q := func(n models.Network, state []byte) ([]float32, *train.Workspace) {
		d := problems[train.ProblemOf(state)].At(state)
		pass := n.NewPass(1, 5, 5)
		d.Extractor.Fill(pass.Inputs(), 0)
		return pass.Forward(), d
	}
	l.replay.sample(l.indices, l.weights, 1, l.rng)
	wantLoss := 0.0
	disagreed := false
	var wantTD []float64
	for k, index := range l.indices {
		tr := l.replay.at(index)
		values, _ := q(l.Network, tr.State)
		goal := float64(tr.Reward)
		if tr.Discount > 0 {
			next, d := q(l.Network, tr.Next)
			nextQ, _ := q(l.target, tr.Next)
			chosen := argmax(d.Env, next)
			disagreed = disagreed || chosen != argmax(d.Env, nextQ)
			if !double {
				chosen = argmax(d.Env, nextQ)
			}
			goal += float64(tr.Discount) * float64(nextQ[chosen])
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
	d := atWork(t, tiny(t, func(c *train.Config, _ *Config) {
		c.Model = models.Config{Architecture: models.ArchitectureGain, Hidden: 8, Head: 8}
		c.Warmup, c.Batch = 64, 64
	}))
	l := d.learner
	for l.replay.length() < l.Config.Warmup {
		round(t, d)
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
		t.Errorf("an update of 64 transitions allocates %.0f times, want at most 20", allocs)
	}
}

// makeAll makes what one worker of a learner needs for its problems: an evaluation of
// up to so many states of every shape, with its gradients, and as many workspaces of every
// problem, and a chunk for every transition of a batch.
func makeAll(l *learner, states int) {
	for _, p := range l.problems {
		n1, n2 := p.Instance.Size()
		for count := 1; count <= states; count *= 2 {
			s := train.Shape{Batch: count, N1: n1, N2: n2}
			e := l.evaluations.Get(s)
			e.online.Forward()
			e.online.Backward(e.dq, l.sum)
			e.target.Forward()
			l.evaluations.Put(s, e)
		}
		var workspaces []*train.Workspace
		for range states {
			workspaces = append(workspaces, p.Workspace())
		}
		for _, d := range workspaces {
			d.Release()
		}
	}
	for len(l.chunks) < len(l.indices) {
		l.chunks = append(l.chunks, &chunk{gradient: models.NewGradient(l.Network)})
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

// TestTargetFollows: the target network is the network of every TargetEvery-th update.
func TestTargetFollows(t *testing.T) {
	d := atWork(t, tiny(t, func(c *train.Config, own *Config) {
		c.Warmup, own.ActsPerUpdate, own.TargetEvery = c.Batch, 1, 3
	}))
	l := d.learner
	for l.Adam.Updates < 7 {
		before := models.Clone(l.target)
		updates := l.Adam.Updates
		round(t, d)
		want := before
		if l.Adam.Updates > updates && l.Adam.Updates%3 == 0 {
			want = l.Network
		}
		if !reflect.DeepEqual(models.Weights(l.target), models.Weights(want)) {
			t.Errorf("after %d updates the target is another network", l.Adam.Updates)
		}
	}
}

// never is a learner's stop that does not come.
func never() bool { return false }

// atWork returns the algorithm of a configuration.
func atWork(t testing.TB, c train.Config) *dqn {
	problems, network := traintest.Problems(t, c)
	return newDQN(&c, problems, network)
}

func round(t testing.TB, d *dqn) train.Outcome {
	t.Helper()
	return must.Get(d.Round(t.Context(), 0))(t)
}

// TestDemonstratorsAreAShare of the environments of each size.
func TestDemonstratorsAreAShare(t *testing.T) {
	d := atWork(t, tiny(t, func(c *train.Config, own *Config) { c.Environments, own.Demonstrators = 5, 0.5 }))
	for _, g := range d.groups {
		count := 0
		for _, a := range g.Actors {
			if a.Demonstrates() {
				count++
			}
		}
		if count != 3 {
			t.Errorf("%d of 5 environments have a demonstrator, want 3", count)
		}
	}
}

// TestCurriculum: small sizes alone first, each of the others after its share.
func TestCurriculum(t *testing.T) {
	own := Config{Curriculum: 0.4}
	for _, test := range []struct {
		progress float64
		want     int
	}{{0, 1}, {0.19, 1}, {0.21, 2}, {0.39, 2}, {0.4, 3}, {1, 3}} {
		if have := own.admitted(3, test.progress); have != test.want {
			t.Errorf("at %v: %d groups, want %d", test.progress, have, test.want)
		}
	}
	if have := (&Config{}).admitted(3, 0); have != 3 {
		t.Errorf("without a curriculum: %d groups at the start", have)
	}
	d := atWork(t, tiny(t, func(_ *train.Config, own *Config) { own.Curriculum = 0.5 }))
	for range 10 {
		if round(t, d); d.groups[1].Actors[0].Env.Steps() > 0 {
			t.Fatal("the larger size plays at the start")
		}
	}
	for range 2 {
		if _, err := d.Round(t.Context(), 0.5); err != nil {
			t.Fatal(err)
		}
	}
	if d.groups[1].Actors[0].Env.Steps() == 0 {
		t.Error("the larger size never plays")
	}
}

// TestCheck names what does not go together.
func TestCheck(t *testing.T) {
	traintest.Refuses(t, map[string]train.Config{
		`loss "cubic"`:       tiny(t, func(_ *train.Config, own *Config) { own.Loss = "cubic" }),
		"demonstrators is 2": tiny(t, func(_ *train.Config, own *Config) { own.Demonstrators = 2 }),
		"ascending order":    tiny(t, func(c *train.Config, own *Config) { own.Curriculum, c.Sizes = 0.5, []int{5, 4} }),
	})
	for name, preset := range presets() {
		if err := preset().Validate(); err != nil {
			t.Errorf("preset %s: %v", name, err)
		}
	}
}

// TestImpossibleStatesAreRefused: a checksum does not make sense of a state.
func TestImpossibleStatesAreRefused(t *testing.T) {
	c := tiny(t, func(c *train.Config, _ *Config) {
		c.Sizes, c.Pool, c.Environments, c.Batch, c.Warmup, c.Replay = []int{3}, 1, 1, 2, 4, 8
	})
	for name, spoil := range map[string]func(*state){
		"action":           func(s *state) { s.Replay.Action[0] = 9 },
		"negative action":  func(s *state) { s.Replay.Action[0] = -1 },
		"state":            func(s *state) { s.Replay.State[0] = 1000 },
		"problem of state": func(s *state) { s.Replay.States[0][0] = 7 },
		"priority":         func(s *state) { s.Replay.Weight[0] = math.NaN() },
		"largest priority": func(s *state) { s.Replay.Largest = math.Inf(1) },
		"count":            func(s *state) { s.Replay.Count = 100 },
		"position":         func(s *state) { s.Replay.Position = 8 },
		"place of a gap":   func(s *state) { s.Replay.Position++ },
		"no actor":         func(s *state) { s.Actors = nil },
		"actor's problem":  func(s *state) { s.Actors[0].Problem = 1 },
		"actor's gains":    func(s *state) { s.Actors[0].Snapshot.Gains = nil },
		"actor's horizon":  func(s *state) { s.Actors[0].Horizon = 0 },
		"actor's matching": func(s *state) { s.Actors[0].Snapshot.Matching[0] = 5 },
		"actor's memory":   func(s *state) { s.Actors[0].Memory = nil },
		"actor's stream":   func(s *state) { s.Actors[0].Random = nil },
		"weights":          func(s *state) { s.Target = s.Target[1:] },
		"sampling":         func(s *state) { s.Sampling = s.Sampling[:3] },
	} {
		d := atWork(t, c)
		for range 4 { // the replay, of 8 transitions, is not full
			round(t, d)
		}
		saved := must.Get(d.Save())(t)
		s := saved.(state)
		load := func() error {
			return atWork(t, c).Load(func(to any) error { *to.(*state) = s; return nil })
		}
		if err := load(); err != nil {
			t.Fatal(err)
		}
		if spoil(&s); load() == nil {
			t.Errorf("a wrong %s is accepted", name)
		}
	}
}

package train

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/rollout"
)

// The tests here show that a choice of the configuration changes what it says, on
// the part that it is about; that all of them train is for variants.

// TestIrrevocableActorsReleaseNothing: an episode adds matches until none is left
// to add; a revocable one of the same actions releases some.
func TestIrrevocableActorsReleaseNothing(t *testing.T) {
	for _, revocable := range []bool{false, true} {
		c := tinyConfig(t)
		c.Revocable, c.Autofill, c.StartGreedy, c.StartLocal, c.StartRandom = revocable, false, 0, 0, 0
		a := newActor(&c, tinyProblems(t, &c, 5, 1), 0, 1, 0, false)
		released, steps := 0, 0
		for a.Ended == nil {
			env := a.Env
			a.Step(a.explore())
			released += len(env.Released())
			steps++
		}
		if !revocable && (released > 0 || steps != 5) || revocable && released == 0 {
			t.Errorf("revocable = %v: %d matches released in %d steps", revocable, released, steps)
		}
	}
}

// TestAutofillMakesStepsSwaps: on a complete assignment.
func TestAutofillMakesStepsSwaps(t *testing.T) {
	for _, autofill := range []bool{false, true} {
		c := tinyConfig(t)
		c.Autofill, c.StartGreedy, c.StartLocal, c.StartRandom = autofill, 0, 0, 1
		a := newActor(&c, tinyProblems(t, &c, 5, 1), 0, 1, 0, false)
		a.Step(a.explore())
		if got := a.Env.Matched() == 5; got != autofill {
			t.Errorf("autofill = %v: %d of 5 nodes are matched after a step", autofill, a.Env.Matched())
		}
	}
}

// TestDuelingIsOfTheNetwork: without it the network has no state value.
func TestDuelingIsOfTheNetwork(t *testing.T) {
	for _, dueling := range []bool{false, true} {
		c := tinyConfig(t)
		c.Dueling = dueling
		network := must.Get(firstNetwork(&c))(t)
		has := slices.ContainsFunc(network.Parameters(), func(p models.Parameter) bool { return strings.HasPrefix(p.Name, "value.") })
		if has != dueling || network.Dueling() != dueling {
			t.Errorf("dueling = %v: the network has a state value: %v", dueling, has)
		}
	}
}

// TestDemonstratorsActAsTabuSearch compares an actor's episode with the policy's on
// an environment of its own, whatever the network says.
func TestDemonstratorsActAsTabuSearch(t *testing.T) {
	c := tinyConfig(t)
	c.Environments, c.Sizes, c.Pool = 5, []int{6}, 1
	problems := tinyProblems(t, &c, 6, 1)
	network := must.Get(firstNetwork(&c))(t)
	count := 0
	for _, a := range NewGroups(&c, problems, network, 0.5)[0].Actors {
		if a.demonstrates {
			count++
		}
	}
	if count != 3 {
		t.Errorf("%d of 5 environments have a demonstrator, want 3", count)
	}

	a := newActor(&c, problems, 0, 1, 0, true)
	stream := must.Get(a.pcg.MarshalBinary())(t)
	var pcg rand.PCG
	if err := pcg.UnmarshalBinary(stream); err != nil {
		t.Fatal(err)
	}
	env := qap.NewEnvironment(problems[0].Instance, c.rules(qap.Goal{}))
	env.Reset(a.Env.Matching())
	tabu := must.Get(rollout.GreedyTabu{}.NewActor([]*qap.Environment{env}, []*rand.Rand{rand.New(&pcg)}, 0))(t)
	q, actions := make([]float32, 36), make([]int, 1)
	for v := range q {
		q[v] = float32(v)
	}
	for step := 0; a.Ended == nil; step++ {
		got := a.Choose(q, 1)
		if err := tabu.Act(actions); err != nil {
			t.Fatal(err)
		}
		if got != actions[0] {
			t.Fatalf("step %d: the demonstrator chooses %d, tabu search %d", step, got, actions[0])
		}
		env.Step(got)
		tabu.Observe(0)
		a.Step(got)
	}
}

// TestInitSetsTheFirstWeights: from a pretrained model and from a checkpoint; a
// network of another shape is refused.
func TestInitSetsTheFirstWeights(t *testing.T) {
	c := tinyConfig(t)
	trainer := newTrainer(t, c)
	path := filepath.Join(t.TempDir(), CheckpointFile)
	if err := trainer.WriteCheckpoint(path); err != nil {
		t.Fatal(err)
	}
	c.Seed, c.Init = 99, path
	for k, p := range newTrainer(t, c).algorithm.Trainable().Network.Parameters() {
		if !slices.Equal(p.Data, trainer.algorithm.Trainable().Network.Parameters()[k].Data) {
			t.Errorf("%s is not that of the checkpoint", p.Name)
		}
	}
	c.Init = "qap"
	want := must.Get(readNetwork("qap"))(t)
	if h := models.HeaderOf(want, ""); h.Architecture == models.ArchitectureGain {
		c.Model.Hidden, c.Model.Head = h.Hidden, h.Head
		got, err := firstNetwork(&c)
		if err != nil || !slices.Equal(got.Parameters()[0].Data, want.Parameters()[0].Data) {
			t.Errorf("init = qap: error %v, or other weights", err)
		}
	}
	c.Dueling = false
	if _, err := firstNetwork(&c); err == nil || !strings.Contains(err.Error(), "without duelling") {
		t.Errorf("a network of another shape gives error %v", err)
	}
	c.Init = filepath.Join(t.TempDir(), "absent.onnx")
	if _, err := firstNetwork(&c); err == nil || !strings.Contains(err.Error(), "init "+c.Init) {
		t.Errorf("an absent file gives error %v", err)
	}
}

func TestValidateNamesChoicesThatDoNotGoTogether(t *testing.T) {
	for want, change := range map[string]func(c *Config){
		`learner "sarsa"`:          func(c *Config) { c.Learner = "sarsa" },
		`reward "fame"`:            func(c *Config) { c.Reward = "fame" },
		"temperature is 0":         func(c *Config) { c.Temperature = 0 },
		`guide "tabu" counts for`:  func(c *Config) { c.Guide, c.GuideShare = GuideTabu, 0 },
		"step_penalty is NaN":      func(c *Config) { c.StepPenalty = math.NaN() },
		"temperature is +Inf":      func(c *Config) { c.Temperature = math.Inf(1) },
		"environments is 1000000:": func(c *Config) { c.Environments = 1e6 },
		"guide_weight is -1":       func(c *Config) { c.Guide, c.GuideShare, c.GuideWeight = GuideTabu, 0.5, -1 },
		"guide is empty":           func(c *Config) { c.Guide, c.GuideShare = "", 0.5 },
	} {
		c := tinyConfig(t)
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

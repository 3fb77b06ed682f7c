package train

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
)

// Preset returns a named configuration: "qap" and "matching" train the shipped
// models of these names, "smoke" a small one within a minute, "paper" the paper's
// network by its hyper-parameters, "paper-matching" the same on the instances of
// "matching" under affinity regularisation, "paper-weighted" that with the architecture of this
// name, "paper-matched" one of that name which learns within minutes, "qaplib" the network of
// "qap" on the smaller halves of QAPLIB's classes, as the paper trains; "es", "a2c", "ppo",
// "trpo" and "acer" train a network as that of "qap" by these learners.
func Preset(name string) (Config, error) {
	c, ok := presets()[name]
	if !ok {
		return Config{}, fmt.Errorf("train: unknown preset %q: want one of %v", name, Presets())
	}
	return c, nil
}

// Presets returns the names of the presets.
func Presets() []string { return slices.Sorted(maps.Keys(presets())) }

func presets() map[string]Config {
	base := Config{
		Model:     models.Config{Architecture: models.ArchitectureGain, Hidden: 16, Head: 16},
		Instances: InstancesGenerated, Reading: Reading{Order: "row", Sense: "max"},
		Sizes: []int{12, 16, 20}, Pool: 150,
		Goal: GoalAny, Regularize: qap.Regularizer{}.String(), RegularizerForm: FormNone,
		Episodes:     9000,
		Environments: 24, StepsPerNode: 5, StepsSpread: 0.3,
		Revocable: true, Autofill: true, Release: true,
		EpsilonFrom: 0.4, EpsilonTo: 0.04, EpsilonShare: 0.6, ExploreBest: 0.75,
		StartGreedy: 0.3, StartLocal: 0.3, StartRandom: 0.4,
		Learner: LearnerDQN, Double: true, Dueling: true,
		Reward: RewardLogGap, GapOffset: gapOffset,
		Gamma: 0.97, NStep: 4, Batch: 64, ActsPerUpdate: 1, TargetEvery: 100,
		LearningRate: 4e-4, ClipNorm: 5, AverageDecay: 0.999, Loss: LossHuber,
		Replay: 60000, Warmup: 4000, PriorityAlpha: 0.6, PriorityBeta: 0.4, PriorityFloor: 0.01,
		Segment: 16, Temperature: 0.02, GAELambda: 0.95, ValueWeight: 0.5, Entropy: 0.003, ClipRatio: 0.2, Epochs: 3,
		KLLimit: 0.01, ConjugateSteps: 10, Damping: 0.1, FisherShare: 0.1, Truncation: 10, ReplayRatio: 4,
		ESWeights: ESWeightsAll, ESPairs: 12, ESInstances: 24, ESSigma: 0.03,
		Guide: GuideNone, GuideShare: 0.1,
		ValidationPool: 32, ValidationEvery: 1000, ValidationRuns: 4,
	}
	smoke := base
	smoke.Sizes, smoke.Pool, smoke.Episodes, smoke.Environments = []int{6, 8}, 12, 250, 8
	smoke.Replay, smoke.Warmup, smoke.ValidationPool, smoke.ValidationEvery, smoke.ValidationRuns = 4000, 500, 6, 100, 1
	paper := base
	paper.Model = models.Config{Architecture: models.ArchitecturePaper, Hidden: 128, Head: 64, Iterations: 3}
	paper.Sizes, paper.Environments = []int{12, 16}, 12
	paper.Reward, paper.StepPenalty, paper.Loss, paper.NStep = RewardScore, 0.01, LossSquared, 1
	paper.Release = false
	paper.Autofill, paper.StartGreedy, paper.StartLocal, paper.StartRandom = false, 0, 0, 0
	paper.EpsilonFrom, paper.EpsilonTo, paper.ExploreBest = 1, 0.02, 0
	paper.Gamma, paper.TargetEvery, paper.LearningRate = 0.9, 40, 1e-5
	paper.Replay, paper.Patience, paper.StopAtCount, paper.RegularizerForm = 100000, 20, true, qap.RegularizedLiteral.String()
	weighted := paperMatching(paper)
	weighted.Model.Architecture = models.ArchitectureWeighted
	matched := paperMatched(paperMatching(paper))
	qaplib := base
	qaplib.Instances, qaplib.Sizes = InstancesQAPLIBSmall, nil
	qaplib.Environments, qaplib.ValidationPool = 8, 8
	es, a2c, ppo, trpo, acer := base, base, base, base, base
	es.Learner, es.ESWeights, es.LearningRate, es.AverageDecay = LearnerES, ESWeightsSkip, 0.01, 0.9
	es.Episodes, es.ValidationEvery = 300*2*es.ESPairs*es.ESInstances, 10
	a2c.Learner, a2c.ValidationEvery = LearnerA2C, 20
	ppo.Learner, ppo.ValidationEvery = LearnerPPO, 500
	trpo.Learner, trpo.ValidationEvery = LearnerTRPO, 500
	acer.Learner, acer.ValidationEvery, acer.KLLimit = LearnerACER, 500, 1
	pairs := matching(base)
	pairs.LearningRate = 3e-4
	larger := sparse(pairs)
	return map[string]Config{
		"qap": base, "smoke": smoke, "paper": paper, "matching": pairs, "sparse": larger, "paper-matching": paperMatching(paper), "paper-weighted": weighted, "paper-matched": matched,
		"qaplib": qaplib, "es": es, "a2c": a2c, "ppo": ppo, "trpo": trpo, "acer": acer,
	}
}

// matching returns the configuration that trains on pairs of graphs of all sizes,
// for every goal, half of them with learned affinities.
func matching(c Config) Config {
	c.Instances, c.Goal, c.Regularize, c.Reweighed = InstancesMatching, GoalMixed, RegularizeMixed, 0.5
	c.Sizes = []int{6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}
	c.Pool, c.Environments, c.Episodes = 40, 12, 2000
	c.ValidationPool, c.ValidationRuns = 16, 2
	return c
}

// sparse returns the configuration that trains on pairs of larger graphs with few edges:
// short episodes, since they are expensive.
func sparse(c Config) Config {
	c.Instances, c.Goal, c.Regularize, c.Reweighed = InstancesSparse, GoalAny, qap.Regularizer{}.String(), 0
	c.Sizes = []int{30, 40, 50, 60}
	c.Pool, c.Environments, c.Episodes = 24, 3, 400
	c.StepsPerNode, c.Batch, c.Warmup, c.Replay, c.ActsPerUpdate = 2, 32, 2000, 20000, 2
	c.ValidationPool, c.ValidationRuns, c.ValidationEvery = 4, 1, 250
	return c
}

// paperMatched returns the configuration that teaches the paper's network over matched vertices,
// within minutes. With the paper's squares and target frequency of 40 its Q grow without end.
func paperMatched(c Config) Config {
	c.Model = models.Config{Architecture: models.ArchitectureMatched, Hidden: 32, Head: 16}
	c.Sizes, c.Pool, c.Episodes = []int{8, 10, 12}, 15, 3000
	c.LearningRate, c.Loss, c.TargetEvery, c.Warmup = 3e-4, LossHuber, 1000, 1000
	c.ValidationEvery, c.ValidationPool, c.ValidationRuns = 250, 8, 1
	return c
}

// paperMatching returns the configuration that trains the paper's network on pairs of
// graphs: for one goal, since it cannot see which is meant, and on the given affinities.
func paperMatching(paper Config) Config {
	c := matching(paper)
	c.Goal, c.Regularize, c.Reweighed = GoalAny, qap.RegularizeF1.String(), 0
	return c
}

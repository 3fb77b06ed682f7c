package train

import (
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
)

// Base returns what the presets of learners begin with: the network of the shipped model
// "qap" on generated instances, all but a learner.
func Base() Config {
	return Config{
		Model: models.Config{Architecture: models.ArchitectureGain, Hidden: 16, Head: 16}, Dueling: true,
		InstanceConfig: InstanceConfig{
			Instances: InstancesGenerated, Reading: Reading{Order: "row", Sense: "max"},
			Sizes: []int{12, 16, 20}, Pool: 150,
			Goal: GoalAny, Regularize: qap.Regularizer{}.String(), RegularizerForm: FormNone,
			ValidationPool: 32, ValidationEvery: 1000, ValidationRuns: 4,
		},
		ActingConfig: ActingConfig{
			Episodes: 9000, Environments: 24, StepsPerNode: 5, StepsSpread: 0.3,
			Revocable: true, Autofill: true, Release: true,
			EpsilonFrom: 0.4, EpsilonTo: 0.04, EpsilonShare: 0.6, ExploreBest: 0.75,
			StartGreedy: 0.3, StartLocal: 0.3, StartRandom: 0.4,
			Reward: RewardLogGap, GapOffset: gapOffset, Gamma: 0.97, NStep: 4,
		},
		LearningConfig: LearningConfig{
			LearningRate: 4e-4, ClipNorm: 5, AverageDecay: 0.999, Temperature: 0.02,
			Batch: 64, Replay: 60000, Warmup: 4000, PriorityBeta: 0.4,
			Guide: GuideNone, GuideShare: 0.1,
		},
	}
}

package train

import (
	"context"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/internal/statistics"
)

// judgement is how near to the references a network comes on the validation
// instances, in spreads.
type judgement struct {
	gap         float64 // mean over all rollouts
	instanceStd float64 // standard deviation over the instances, each the mean of its rollouts; NaN of one
	runStd      float64 // over the runs, each the mean of its rollouts of all instances; NaN of one
	bySize      map[string]float64
	byFamily    map[string]float64
}

// judge rolls the averaged network out on the validation instances.
func (t *Trainer) judge(ctx context.Context) (judgement, error) {
	gaps, err := t.validationGaps(ctx)
	if err != nil {
		return judgement{}, err
	}
	return t.summarise(gaps), nil
}

// validationGaps returns the gap of each rollout, those of an instance together.
func (t *Trainer) validationGaps(ctx context.Context) ([]float64, error) {
	trial, network := NewTrial(&t.config), t.algorithm.Trainable().Average
	runs := t.config.ValidationRuns
	gaps := make([]float64, len(t.validation)*runs)
	errs := make([]error, len(gaps))
	parallel.For(len(gaps), func(k int) {
		p := t.validation[k/runs]
		result, err := trial.Play(ctx, network, p, uint64(k%runs)+1)
		gaps[k], errs[k] = p.shortfall(&result), err
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return gaps, nil
}

// summarise sums the gaps of rollouts up.
func (t *Trainer) summarise(gaps []float64) judgement {
	runs := t.config.ValidationRuns
	ofRun, ofInstance := make([]float64, runs), make([]float64, len(t.validation))
	bySize, byFamily := map[string][]float64{}, map[string][]float64{}
	for k, p := range t.validation {
		for r, gap := range gaps[k*runs : (k+1)*runs] {
			ofInstance[k] += gap / float64(runs)
			ofRun[r] += gap / float64(len(t.validation))
		}
		size, family := strconv.Itoa(nodes(p.Instance)), familyOf(p.Instance.Name)
		bySize[size] = append(bySize[size], ofInstance[k])
		if family != "" {
			byFamily[family] = append(byFamily[family], ofInstance[k])
		}
	}
	return judgement{
		gap: statistics.Mean(gaps), instanceStd: statistics.Deviation(ofInstance), runStd: statistics.Deviation(ofRun),
		bySize: means(bySize), byFamily: means(byFamily),
	}
}

// familyOf returns what an instance's name begins with, before any digit or mark:
// the family of a generated instance, the class of one of QAPLIB.
func familyOf(name string) string {
	if k := strings.IndexAny(name, "0123456789-_#"); k >= 0 {
		return name[:k]
	}
	return name
}

func means(groups map[string][]float64) map[string]float64 {
	m := map[string]float64{}
	for name, values := range groups {
		m[name] = statistics.Mean(values)
	}
	return m
}

package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/usage"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
	_ "github.com/rgm-go/rgm/train/learners"
	"github.com/rgm-go/rgm/train/sources"
)

// inCampaign reports whether tests run at the scale of lab/notes/RELIABILITY.md.
var inCampaign = os.Getenv("RGM_TEST_CAMPAIGN") != ""

// growth is how much memory may grow, as a share, from a tenth of the way on.
const growth = 0.15

// checkGrowth compares memory early and late, and reports both.
func checkGrowth(t *testing.T, tried int, early, late float64) {
	t.Helper()
	t.Attr("tried", fmt.Sprint(tried))
	t.Attr("worst-MB", fmt.Sprintf("%.3g", late))
	t.Attr("worst-%", fmt.Sprintf("%.2g", max(0, 100*(late/early-1))))
	if late > (1+growth)*early {
		t.Errorf("%.1f MB at the end, %.1f MB a tenth of the way", late, early)
	}
}

// TestSolvesKeepMemory: many small searches, by every method and in every form of instance,
// hold no more memory at the end than early on.
func TestSolvesKeepMemory(t *testing.T) {
	count := 300
	if inCampaign {
		count = 20_000
	}
	p := must.Get(rgm.Open(rgm.Config{}))(t)
	defer p.Close()
	instances := smallInstances(t)
	early := 0.0
	for k := range count {
		in := instances[k%len(instances)]
		methods := p.Methods()
		o := rgm.Options{Method: methods[k/len(instances)%len(methods)], MaxSteps: 10, Rollouts: 1 + k%2, Seed: uint64(k)}
		if _, err := p.Solve(context.Background(), in, o); err != nil && !errors.Is(err, qap.ErrUnsupported) && !errors.As(err, new(*infer.OptionError)) { // or it has no pretrained model
			t.Fatalf("%s: %v", o.Method, err)
		}
		if k == max(count/10, len(instances)*len(p.Methods())) {
			early = float64(usage.Resident(t)) / 1e6
		}
	}
	checkGrowth(t, count, early, float64(usage.Resident(t))/1e6)
}

// smallInstances are of every form.
func smallInstances(t *testing.T) []*qap.Instance {
	t.Helper()
	rng := rand.New(rand.NewPCG(4, 4))
	made := func(in *qap.Instance, err error) *qap.Instance {
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	dense := make([]float64, 20*20)
	var entries []qap.Entry
	for p := range 20 {
		for q := range p + 1 {
			v := rng.Float64()
			dense[p*20+q], dense[q*20+p] = v, v
			if v > 0.7 {
				entries = append(entries, qap.Entry{P: p, Q: q, Value: v})
			}
		}
	}
	return []*qap.Instance{
		made(datasets.Generate("grid", 6, rng)), made(qap.NewDense(4, 5, dense, qap.Maximize)), made(qap.NewSparse(5, 4, entries, qap.Maximize)),
	}
}

// TestTrainingKeepsMemory: a training, with its validations and checkpoints, holds no more
// memory after many updates than early on.
func TestTrainingKeepsMemory(t *testing.T) {
	count := 60
	if inCampaign {
		count = 2000
	}
	c := must.Get(train.Preset("smoke"))(t)
	c.Sizes, c.Pool, c.ValidationPool, c.Environments, c.Episodes = []int{5, 6}, 4, 2, 4, 1<<30
	c.Replay, c.Warmup, c.Batch, c.ValidationEvery = 500, 100, 16, 50
	source := must.Get(sources.Open(c, nil))(t)
	trainer := must.Get(train.New(t.Context(), c, source))(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	early, late, validated := 0.0, 0.0, false
	err := trainer.Run(ctx, train.Options{Dir: t.TempDir(), Progress: func(p train.Progress) {
		if p.Updates >= count/10 && early == 0 {
			early = float64(usage.Resident(t)) / 1e6
		}
		if p.Updates >= count && late == 0 {
			late = float64(usage.Resident(t)) / 1e6
			validated = !math.IsNaN(p.BestGap)
			stop()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if !validated {
		t.Error("nothing was validated meanwhile")
	}
	checkGrowth(t, count, early, late)
}

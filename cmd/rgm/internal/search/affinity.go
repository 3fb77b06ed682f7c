package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/rgm-go/rgm/cmd/rgm/internal/console"
	"github.com/rgm-go/rgm/cmd/rgm/internal/networks"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/reweigh"
)

// The values of --affinity besides model files.
const (
	AffinityGiven   = "given"
	AffinityLearned = "learned"
)

// pretrainedAffinity is the model of AffinityLearned.
const pretrainedAffinity = "affinity"

// checkAffinity returns an error unless the value is a known one or a model file.
func checkAffinity(value string) error {
	if networks.IsFile(value) {
		return nil
	}
	return settings.OneOf("affinity", cmp.Or(value, AffinityGiven), AffinityGiven, AffinityLearned, "FILE.onnx")
}

// learnedAffinity is a network that re-weighs instances. It must be closed.
type learnedAffinity struct {
	*networks.Network
	reweigh *reweigh.Affinity
	told    sync.Map // decisions that were logged
}

// openAffinity opens the network of a value of --affinity, nil for the given ones.
func openAffinity(ctx context.Context, c *console.Console, value, provider string) (*learnedAffinity, error) {
	if value = cmp.Or(value, AffinityGiven); value == AffinityGiven {
		return nil, nil
	}
	if value == AffinityLearned {
		value = pretrainedAffinity
	}
	n, err := networks.Open(ctx, c, value, provider)
	if err != nil {
		return nil, err
	}
	a, err := reweigh.New(n.Q)
	if err != nil {
		return nil, errors.Join(settings.Usage(fmt.Errorf("--affinity %s: %w", value, err)), n.Close())
	}
	return &learnedAffinity{Network: n, reweigh: a}, nil
}

// reweighingShare is the most of a time limit that re-weighing takes.
const reweighingShare = 0.5

// solve gives an instance with learned affinities to search, and returns the result
// in the instance's own terms, and what was decided on its affinities.
func (a *learnedAffinity) solve(ctx context.Context, in *qap.Instance, o infer.Options,
	search func(context.Context, *qap.Instance, infer.Options) (qap.Result, error)) (qap.Result, reweigh.Decision, error) {
	start, limited := time.Now(), ctx
	if o.TimeLimit > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, time.Duration(reweighingShare*float64(o.TimeLimit)))
		defer cancel()
	}
	learned, decision, err := a.reweigh.Reweigh(limited, in)
	if err != nil {
		return qap.Result{}, decision, err
	}
	if o.TimeLimit > 0 {
		o.TimeLimit = max(o.TimeLimit-time.Since(start), 1)
	}
	r, err := search(ctx, learned, o)
	if err == nil && decision.Learned {
		r = reweigh.Given(in, r)
	}
	return r, decision, err
}

// Tell logs a decision against learned affinities, or on a part of them, once for
// every reason.
func (a *learnedAffinity) Tell(log *slog.Logger, instance string, d reweigh.Decision) {
	if _, told := a.told.LoadOrStore(d, true); !told && d.Reason != "" {
		log.Warn("searched by "+AffinityUsed(d)+" affinities; told once for every reason", "reason", d.Reason, "instance", instance)
	}
}

// AffinityUsed is the name of what a decision chose.
func AffinityUsed(d reweigh.Decision) string {
	if d.Learned {
		return AffinityLearned
	}
	return AffinityGiven
}

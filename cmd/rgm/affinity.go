package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/qap/reweigh"
)

// The values of --affinity besides model files.
const (
	affinityGiven   = "given"
	affinityLearned = "learned"
)

// pretrainedAffinity is the model of affinityLearned.
const pretrainedAffinity = "affinity"

func addAffinityFlag(cmd *cobra.Command) {
	cmd.Flags().String("affinity", affinityGiven, "what matchings are sought by: given, learned (re-weighed by a network, against outliers; the objective shown stays that of the given affinities), or an .onnx `file` of such a network")
	complete(cmd, "affinity", affinityGiven, affinityLearned)
}

// checkAffinity returns an error unless the value is a known one or a model file.
func checkAffinity(value string) error {
	if isModelFile(value) {
		return nil
	}
	return oneOf("affinity", cmp.Or(value, affinityGiven), affinityGiven, affinityLearned, "FILE.onnx")
}

// learnedAffinity is a network that re-weighs instances. It must be closed.
type learnedAffinity struct {
	*network
	reweigh *reweigh.Affinity
	told    sync.Map // decisions that were logged
}

// openAffinity opens the network of a value of --affinity, nil for the given ones.
func openAffinity(ctx context.Context, c *console, value, provider string) (*learnedAffinity, error) {
	if value = cmp.Or(value, affinityGiven); value == affinityGiven {
		return nil, nil
	}
	if value == affinityLearned {
		value = pretrainedAffinity
	}
	n, err := openNetwork(ctx, c, value, provider)
	if err != nil {
		return nil, err
	}
	a, err := reweigh.New(n.q)
	if err != nil {
		return nil, errors.Join(usable(fmt.Errorf("--affinity %s: %w", value, err)), n.Close())
	}
	return &learnedAffinity{network: n, reweigh: a}, nil
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

// tell logs a decision against learned affinities, or on a part of them, once for
// every reason.
func (a *learnedAffinity) tell(log *slog.Logger, instance string, d reweigh.Decision) {
	if _, told := a.told.LoadOrStore(d, true); !told && d.Reason != "" {
		log.Warn("searched by "+affinityUsed(d)+" affinities; told once for every reason", "reason", d.Reason, "instance", instance)
	}
}

// affinityUsed is the name of what a decision chose.
func affinityUsed(d reweigh.Decision) string {
	if d.Learned {
		return affinityLearned
	}
	return affinityGiven
}

// refuseAffinity returns an error if the network of a policy is none.
func (n *network) refuseAffinity() error {
	if n.q.Features() != features.Affinity {
		return nil
	}
	return usable(fmt.Errorf("model %s re-weighs affinities and chooses no actions: name it with --affinity", n.model))
}

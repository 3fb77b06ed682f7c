// Package bench measures methods: on QAPLIB, on pairs of graphs whose true matching is known,
// and trainings of variants of a configuration. Beside what it measures stand the numbers
// that others printed.
package bench

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/search"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/qap"
)

// Methods prepares the methods, measures them, and shows the rows: those that
// were finished before an error too.
func Methods[Row any](ctx context.Context, c *console.Console, methods []string, settings Settings,
	measure func(context.Context, []*search.Searcher) ([]Row, error), show func([]Row) error,
) error {
	searchers, err := newSearchers(ctx, c, methods, settings)
	if err != nil {
		return err
	}
	rows, err := measure(ctx, searchers)
	c.EndBar()
	if len(rows) > 0 {
		err = errors.Join(err, show(rows))
	}
	return errors.Join(err, closeSearchers(searchers))
}

// newSearchers prepares all methods, so that a wrong one is found before the
// first is measured.
func newSearchers(ctx context.Context, c *console.Console, methods []string, settings Settings) ([]*search.Searcher, error) {
	var searchers []*search.Searcher
	for _, method := range methods {
		chosen := settings
		if search.IsModel(method) {
			method, chosen.Model = search.MethodRGM, method
		}
		o := chosen.Options()
		o.Method = method
		searcher, err := search.New(ctx, c, chosen.Provider, "", o)
		if err != nil {
			return nil, errors.Join(err, closeSearchers(searchers))
		}
		searchers = append(searchers, searcher)
	}
	return searchers, nil
}

func closeSearchers(searchers []*search.Searcher) error {
	var err error
	for _, s := range searchers {
		err = errors.Join(err, s.Close())
	}
	return err
}

// attempt is the outcome of a trial, or why it has none.
type attempt[Outcome any] struct {
	outcome Outcome
	err     error
}

// tryAll returns the outcomes of trials in their order, several at a time. The first error
// cancels those that run, and is returned; next is told of each outcome.
func tryAll[Trial, Outcome any](ctx context.Context, workers int, trials iter.Seq[Trial], next func(), try func(context.Context, Trial) (Outcome, error)) ([]Outcome, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var outcomes []Outcome
	for a := range parallel.InOrder(workers, trials, func(t Trial) attempt[Outcome] {
		outcome, err := try(ctx, t)
		return attempt[Outcome]{outcome, err}
	}) {
		if a.err != nil {
			cancel()
			return nil, a.err
		}
		outcomes = append(outcomes, a.outcome)
		next()
	}
	return outcomes, nil
}

// solve searches an instance to the end: a search that is interrupted measures nothing.
func solve(ctx context.Context, s *search.Searcher, name string, in *qap.Instance, o rgm.Options) (rgm.Result, error) {
	result, err := s.Solve(ctx, in, o)
	if err == nil && result.Status.Interrupted() {
		err = errors.New("cancelled")
	}
	if err != nil {
		return result, fmt.Errorf("%s: %w", name, err)
	}
	return result, nil
}

// checkRevocable returns an error of methods that cannot do without releasing matches.
func checkRevocable(revocable bool, start string, methods []string) error {
	var errs []error
	if revocable && start != "" {
		errs = append(errs, search.ErrStart)
	}
	for _, method := range methods {
		if !revocable && !search.IsModel(method) && !search.StepsFreely(method) {
			errs = append(errs, fmt.Errorf("--revocable=false: the method %s takes no steps in the environment", method))
		}
	}
	return errors.Join(errs...)
}

// checkMethods returns an error unless all methods are known, or models.
func checkMethods(methods []string) error {
	if len(methods) == 0 {
		return errors.New("--methods is empty: want one or more")
	}
	var errs []error
	for _, m := range methods {
		if !search.IsModel(m) {
			errs = append(errs, settings.OneOf("methods", m, append(search.MethodNames(), "a pretrained model", "FILE.onnx")...))
		}
	}
	return errors.Join(errs...)
}

// Package bench measures methods: on QAPLIB, on pairs of graphs whose true matching is known,
// and trainings of variants of a configuration. Beside what it measures stand the numbers
// that others printed.
package bench

import (
	"context"
	"errors"

	"github.com/rgm-go/rgm/cmd/rgm/internal/console"
	"github.com/rgm-go/rgm/cmd/rgm/internal/networks"
	"github.com/rgm-go/rgm/cmd/rgm/internal/search"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
)

// Methods prepares the methods, measures them, and shows the rows: those that
// were finished before an error too.
func Methods[Row any](ctx context.Context, c *console.Console, methods []string, settings search.Settings,
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
func newSearchers(ctx context.Context, c *console.Console, methods []string, settings search.Settings) ([]*search.Searcher, error) {
	var searchers []*search.Searcher
	for _, method := range methods {
		chosen := settings
		if networks.IsFile(method) {
			method, chosen.Model = search.MethodRGM, method
		}
		searcher, err := search.New(ctx, c, method, &chosen)
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

// checkMethods returns an error unless all methods are known, or model files.
func checkMethods(methods []string) error {
	if len(methods) == 0 {
		return errors.New("--methods is empty: want one or more")
	}
	var errs []error
	for _, m := range methods {
		if !networks.IsFile(m) {
			errs = append(errs, settings.OneOf("methods", m, append(search.MethodNames(), "FILE.onnx")...))
		}
	}
	return errors.Join(errs...)
}

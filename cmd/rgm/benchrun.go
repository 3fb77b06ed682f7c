package main

import (
	"context"
	"errors"
)

// measureMethods prepares the methods, measures them, and shows the rows: those that
// were finished before an error too.
func measureMethods[Row any](ctx context.Context, c *console, methods []string, settings searchSettings,
	measure func(context.Context, []*searcher) ([]Row, error), show func([]Row) error,
) error {
	searchers, err := newSearchers(ctx, c, methods, settings)
	if err != nil {
		return err
	}
	rows, err := measure(ctx, searchers)
	c.endBar()
	if len(rows) > 0 {
		err = errors.Join(err, show(rows))
	}
	return errors.Join(err, closeSearchers(searchers))
}

// newSearchers prepares all methods, so that a wrong one is found before the
// first is measured.
func newSearchers(ctx context.Context, c *console, methods []string, settings searchSettings) ([]*searcher, error) {
	var searchers []*searcher
	for _, method := range methods {
		chosen := settings
		if isModelFile(method) {
			method, chosen.Model = methodRGM, method
		}
		searcher, err := newSearcher(ctx, c, method, &chosen)
		if err != nil {
			return nil, errors.Join(err, closeSearchers(searchers))
		}
		searchers = append(searchers, searcher)
	}
	return searchers, nil
}

func closeSearchers(searchers []*searcher) error {
	var err error
	for _, s := range searchers {
		err = errors.Join(err, s.Close())
	}
	return err
}

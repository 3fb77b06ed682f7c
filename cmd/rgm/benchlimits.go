package main

import (
	"errors"
	"fmt"
	"time"
)

// searches returns the settings of the search, once for each time limit. It needs
// settings that checkLimits has found usable.
func (s *benchSettings) searches() []searchSettings {
	if len(s.Limits) == 0 {
		return []searchSettings{s.Search}
	}
	var all []searchSettings
	for _, text := range s.Limits {
		search := s.Search
		search.TimeLimit, _ = time.ParseDuration(text)
		all = append(all, search)
	}
	return all
}

// checkLimits returns an error that lists what the time limits and the other
// settings of the search have wrong.
func (s *benchSettings) checkLimits() error {
	var errs []error
	for _, text := range s.Limits {
		if limit, err := time.ParseDuration(text); err != nil || limit <= 0 {
			errs = append(errs, fmt.Errorf("--time-limits %q: want durations above 0, such as 10ms,1s", text))
		}
	}
	if len(s.Limits) > 0 && s.Search.TimeLimit != 0 {
		errs = append(errs, errors.New("--time-limit and --time-limits: want one of them"))
	}
	return errors.Join(append(errs, s.searches()[0].check())...)
}

package main

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/qap"
)

// goalSettings say which matching is sought where nodes may have no true partner.
type goalSettings struct {
	Inliers    int      `mapstructure:"inliers"`
	Regularize string   `mapstructure:"regularize"`
	Fix        []string `mapstructure:"fix"`
	Profile    bool     `mapstructure:"profile"`
}

func addGoalFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Int("inliers", 0, "match this many nodes; of a method that matches all, the weakest are released (default any number that pays)")
	flags.String("regularize", "none", "multiply the score of m matches by f(m), against outliers: none, f1, f2, f3 (the paper's), mean (1/m) or mean:`p` (1/m^p)")
	flags.StringSlice("fix", nil, "seeds that stay matched: `i:a`,…, node i of graph 1 with node a of graph 2, from 0")
	flags.Bool("profile", false, "show the best objective of every number of matches (method profile)")
	complete(cmd, "regularize", "none", "f1", "f2", "f3", "mean")
}

// methodOr returns the method, by default the one that finds what is to be shown.
func (s *goalSettings) methodOr(method string) string {
	if s.Profile {
		return cmp.Or(method, methodProfile)
	}
	return cmp.Or(method, methodRGM)
}

// goal is what the settings ask of every instance.
type goal struct {
	qap.Goal
	seeds [][2]int // nodes of graph 1 and graph 2
}

// goal returns the goal, or an error that lists everything the settings have wrong.
func (s *goalSettings) goal() (goal, error) {
	regularizer, err := qap.ParseRegularizer(s.Regularize)
	if err != nil {
		err = fmt.Errorf("--regularize: %w", err)
	}
	seeds, seedsErr := parseSeeds(s.Fix)
	g := goal{qap.Goal{Inliers: s.Inliers, Regularizer: regularizer}, seeds}
	return g, errors.Join(atLeast(0, "inliers", s.Inliers), err, seedsErr)
}

// parseSeeds reads pairs i:a.
func parseSeeds(texts []string) ([][2]int, error) {
	var seeds [][2]int
	var errs []error
	for _, text := range texts {
		left, right, _ := strings.Cut(text, ":")
		i, errI := strconv.Atoi(left)
		a, errA := strconv.Atoi(right)
		if errI != nil || errA != nil || i < 0 || a < 0 {
			errs = append(errs, fmt.Errorf("--fix %q: want i:a, a node of each graph, from 0", text))
			continue
		}
		for _, other := range seeds {
			switch {
			case other == [2]int{i, a}:
				errs = append(errs, fmt.Errorf("--fix: %d:%d is given twice", i, a))
			case other[0] == i || other[1] == a:
				errs = append(errs, fmt.Errorf("--fix: %d:%d conflicts with %d:%d", i, a, other[0], other[1]))
			}
		}
		seeds = append(seeds, [2]int{i, a})
	}
	return seeds, errors.Join(errs...)
}

// of returns the goal for an instance.
func (g *goal) of(in *qap.Instance) (qap.Goal, error) {
	n1, n2 := in.Size()
	one := g.Goal
	if len(g.seeds) > 0 {
		one.Fixed = qap.NewMatching(n1)
	}
	for _, seed := range g.seeds {
		i, a := seed[0], seed[1]
		if i >= n1 || a >= n2 {
			return one, fmt.Errorf("--fix %d:%d: graphs of %d and %d nodes have no such pair", i, a, n1, n2)
		}
		one.Fixed[i] = a
	}
	return one, one.Check(in)
}

// check returns an error unless the method, with what improves its result, can
// meet the goal.
func (s *goalSettings) check(method string, search *searchSettings) error {
	var errs []error
	if s.Profile && method != methodProfile {
		errs = append(errs, fmt.Errorf("--profile: the method %s does not search all sizes: want %s", method, methodProfile))
	}
	for _, name := range s.given() {
		if !keepsGoals(method) && !(name == flagInliers && releases(method)) {
			errs = append(errs, fmt.Errorf("%s: the method %s cannot: want %s, %s, %s, %s or %s", name, method,
				methodProfile, methodRGM, methodGreedy, methodGreedyTabu, methodGreedyAges))
		}
		if search.Refine != refineNone {
			errs = append(errs, fmt.Errorf("%s: --refine %s would not keep to it", name, search.Refine))
		}
	}
	return errors.Join(errs...)
}

const flagInliers = "--inliers"

// given returns the flags that restrict or weigh matchings.
func (s *goalSettings) given() []string {
	var names []string
	if s.Inliers > 0 {
		names = append(names, flagInliers)
	}
	if s.Regularize != "none" {
		names = append(names, "--regularize")
	}
	if len(s.Fix) > 0 {
		names = append(names, "--fix")
	}
	return names
}

package search

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/internal/suggest"
	"github.com/rgm-go/rgm/internal/table"
	"github.com/rgm-go/rgm/qap"
)

// MethodOr returns the method of options, by default the one that finds what is to be shown.
func MethodOr(o *rgm.Options) string {
	switch {
	case o.Method != "":
		return o.Method
	case o.Profile:
		return rgm.MethodProfile
	}
	return MethodAuto
}

// Check returns an error that lists all that is wrong with options by themselves: what their table does not
// allow, and what does not go together.
func Check(o *rgm.Options, provider string, methods []string) error {
	_, providerErr := networks.ParseProvider(provider)
	_, regularizerErr := qap.ParseRegularizer(cmp.Or(o.Regularize, "none"))
	if regularizerErr != nil {
		regularizerErr = fmt.Errorf("--regularize: %w", regularizerErr)
	}
	errs := []error{
		providerErr, regularizerErr,
		oneOrFile("affinity", cmp.Or(o.Affinity, AffinityGiven), rgm.Affinities()),
		oneOrFile("refine", cmp.Or(o.Refine, RefineNone), Refinements()),
		settings.ErrorIf(o.Beam > 1 && o.Rollouts != 0 && o.Rollouts != defaultRollouts, "--beam %d and --rollouts %d: want one of them; a beam is in place of rollouts", o.Beam, o.Rollouts),
		settings.ErrorIf(o.Target != nil && cmp.Or(o.Affinity, AffinityGiven) != AffinityGiven, "--target %v: a search by learned affinities does not know the objective", deref(o.Target)),
		settings.ErrorIf(o.MaxSteps > 0 && o.StepsPerNode > 0, "--max-steps %d and --steps-per-node %d: want one of them", o.MaxSteps, o.StepsPerNode),
		settings.ErrorIf(o.Inliers > 0 && o.Complete, "--inliers %d and --complete: want one of them; --complete matches all nodes of the smaller graph", o.Inliers),
	}
	if methods != nil { // else there are several
		errs = append(errs, checkMethod(o.Method, methods))
	}
	return errors.Join(append(errs, checkTable(o, rgm.OptionTable()), checkGoals(o))...)
}

// CheckDistance returns an error that lists what the table does not allow of the options of a distance.
func CheckDistance(o *rgm.Options) error { return checkTable(o, rgm.DistanceTable()) }

func checkTable(o *rgm.Options, all []table.Field) error {
	var errs []error
	v := reflect.ValueOf(o).Elem()
	for _, f := range all {
		if !slices.Equal(f.For, []string{"match"}) { // which Options.CheckMatch looks at
			errs = append(errs, checkValue(f, v.Field(f.Index)))
		}
	}
	return errors.Join(errs...)
}

// deref returns a number, 0 of none.
func deref(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}

// checkValue returns an error unless the value of an option is one that the table allows. A number that has a
// default has that already in the place of none.
func checkValue(f table.Field, v reflect.Value) error {
	err := f.Check(v)
	if f.Least() == "1" && v.IsZero() {
		err = errors.New("0: want 1 or more")
	}
	if err != nil {
		return fmt.Errorf("--%s %w", settings.Dashed(f.GoName), err)
	}
	return nil
}

// checkGoals returns an error unless the method, with what improves its result, can meet what is wanted of
// matchings.
func checkGoals(o *rgm.Options) error {
	var errs []error
	method := cmp.Or(o.Method, MethodAuto)
	if o.Profile && method != rgm.MethodProfile {
		errs = append(errs, fmt.Errorf("--profile: the method %s does not search all sizes: want %s", method, rgm.MethodProfile))
	}
	for _, goal := range []struct {
		flag  string
		given bool
	}{{flagInliers, o.Inliers > 0}, {"--regularize", cmp.Or(o.Regularize, "none") != "none"}, {"--fix", len(o.Fix) > 0}} {
		if !goal.given {
			continue
		}
		if !KeepsGoals(method) && !(goal.flag == flagInliers && releases(method)) {
			errs = append(errs, fmt.Errorf("%s: the method %s cannot: want %s", goal.flag, method,
				suggest.OneOf(rgm.MethodProfile, rgm.MethodRegrow, MethodRGM, MethodGreedy, MethodGreedyTabu, rgm.MethodGreedyAges)))
		}
		if cmp.Or(o.Refine, RefineNone) != RefineNone {
			errs = append(errs, fmt.Errorf("%s: --refine %s would not keep to it", goal.flag, o.Refine))
		}
	}
	return errors.Join(errs...)
}

const flagInliers = "--inliers"

// ForPartial returns the flags given that choose how many nodes are matched, which have no
// effect where all are.
func ForPartial(o *rgm.Options) []string {
	if cmp.Or(o.Regularize, "none") == "none" {
		return nil
	}
	return []string{"--regularize " + o.Regularize}
}

// CheckFix returns an error unless matches that stay are numbers of nodes, each once.
func CheckFix(texts []string) error {
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
	return errors.Join(errs...)
}

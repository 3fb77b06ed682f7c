package search

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/models/pretrained"
)

// ErrStart is of --start where actions may be revoked.
var ErrStart = errors.New("--start: it is for rollouts without revoking, --revocable=false")

// IsModel reports whether what stands in the place of a method is a model of the policy: a file,
// or one that ships, unless a method has its name.
func IsModel(name string) bool {
	return networks.IsFile(name) || method(name).Name == "" && slices.Contains(pretrained.Names(), name)
}

// CheckEffect returns an error of options that none of the methods heeds. A method may
// also be a model.
func CheckEffect(s *rgm.Options, provider string, methods ...string) error {
	known := func(name string) bool { return IsModel(name) || method(name).Name != "" }
	if !slices.ContainsFunc(methods, known) {
		return nil // that they are unknown is the error
	}
	policy := func(method string) bool { // auto is the policy where swaps do not serve
		return method == MethodRGM || method == MethodAuto || IsModel(method)
	}
	var errs []error
	for _, setting := range []struct {
		flag  string
		given bool
		heeds func(method string) bool
		want  string
	}{
		{"--model " + s.Model, s.Model != "", hasNetwork, MethodRGM},
		{"--provider " + provider, provider != networks.ProviderAuto && cmp.Or(s.Affinity, AffinityGiven) == AffinityGiven,
			func(m string) bool { return hasNetwork(m) || IsModel(m) }, MethodRGM},
		{fmt.Sprintf("--beam %d", s.Beam), s.Beam > 1, policy, MethodRGM},
		{fmt.Sprintf("--rollouts %d", s.Rollouts), s.Rollouts > 0 && s.Rollouts != defaultRollouts,
			func(m string) bool { return policy(m) || StepsFreely(m) }, "rgm or one of the greedy methods"},
		{fmt.Sprintf("--restarts %d", s.Restarts), s.Restarts > 1, func(m string) bool { return m == rgm.MethodFAQ }, rgm.MethodFAQ},
	} {
		if setting.given && !slices.ContainsFunc(methods, setting.heeds) {
			errs = append(errs, fmt.Errorf("%s has no effect on %s: it is for the method %s", setting.flag, listed(methods), setting.want))
		}
	}
	return errors.Join(errs...)
}

// listed names methods in a sentence.
func listed(methods []string) string {
	if len(methods) == 1 {
		return "the method " + methods[0]
	}
	return fmt.Sprintf("any of the methods %v", methods)
}

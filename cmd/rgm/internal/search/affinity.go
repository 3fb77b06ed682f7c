package search

import (
	"cmp"

	"github.com/rgm-go/rgm/cmd/rgm/internal/networks"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
	"github.com/rgm-go/rgm/infer/portfolio"
)

// The values of --affinity besides model files.
const (
	AffinityGiven   = portfolio.AffinityGiven
	AffinityLearned = portfolio.AffinityLearned
)

// checkAffinity returns an error unless the value is a known one or a model file.
func checkAffinity(value string) error {
	if networks.IsFile(value) {
		return nil
	}
	return settings.OneOf("affinity", cmp.Or(value, AffinityGiven), AffinityGiven, AffinityLearned, "FILE.onnx")
}

package sources

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
)

// truthsOf returns the true matchings of a stack of pairs, which lie beside it.
func truthsOf(path string) ([]qap.Matching, error) {
	name, stack := strings.CutSuffix(path, pairs.EndAffinities)
	if !stack {
		return nil, fmt.Errorf("reward %s needs true matchings, which %s has none beside it: want stacks NAME%s and NAME%s, as rgm datasets generate writes them",
			train.RewardF1, path, pairs.EndAffinities, pairs.EndTruths)
	}
	return pairs.ReadMatchings(name + pairs.EndTruths)
}

// truthOf returns that of the k-th instance.
func truthOf(in *qap.Instance, known []qap.Matching, k int) (qap.Matching, error) {
	if k >= len(known) {
		return nil, fmt.Errorf("%s: only %d true matchings are known", in.Name, len(known))
	}
	if err := in.CheckMatching(known[k]); err != nil {
		return nil, fmt.Errorf("%s: the true matching: %w", in.Name, err)
	}
	return known[k], nil
}

// sumOfMatching returns the sha256, in hexadecimal, of a matching.
func sumOfMatching(m qap.Matching) string {
	sum := sha256.Sum256([]byte(fmt.Sprint(m)))
	return hex.EncodeToString(sum[:])
}

package datasets

import (
	"fmt"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
)

// GenerateStream returns random instances of a family with n ≥ 2 nodes that have one
// distance matrix, as those of a user whose places stay and whose flows change. They are
// minimised; the flows are graph 1. Where a family makes both matrices from one structure
// (blocks, neighbours), only the first instance has it. The same rng state gives the
// same instances.
func GenerateStream(name string, n, count int, rng *rand.Rand) ([]*qap.Instance, error) {
	f, err := familyOf(name, n)
	if err != nil {
		return nil, err
	}
	var all []*qap.Instance
	var places []float64
	for k := range count {
		flow, distance := f.generate(n, rng)
		if k == 0 {
			places = relabelled(distance, n, rng)
		}
		in, err := qap.NewKoopmansBeckmann(n, n, relabelled(flow, n, rng), places, nil, qap.Minimize)
		if err != nil {
			return nil, err
		}
		in.Name = fmt.Sprintf("%s-%d", name, n)
		all = append(all, in)
	}
	return all, nil
}

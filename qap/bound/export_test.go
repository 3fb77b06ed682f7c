package bound

import "github.com/rgm-go/rgm/qap"

// PartsOfFlows are the two bounds on the costs that OfFlows takes the better of.
func PartsOfFlows(in *qap.Instance) (gilmoreLawler, projection float64, err error) {
	f, err := flowsOf(in)
	if err != nil {
		return 0, 0, err
	}
	return f.gilmoreLawler(), f.projection(), nil
}

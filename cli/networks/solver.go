package networks

import (
	"errors"
	"fmt"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/ortlib"
)

// Configuration returns that of a solver, for a value of --provider.
func Configuration(c *console.Console, provider string) (rgm.Config, Provider, error) {
	by, err := ParseProvider(provider)
	if err != nil {
		return rgm.Config{}, by, settings.Usage(err)
	}
	config := rgm.Config{}
	config.Session, config.Log = by.Session(c.Session()), c.Log
	if by.Name != ProviderAuto {
		config.Provider = rgm.Provider(by.Name)
	}
	config.InGo = func(error) {
		c.EndBar()
		c.Log.Warn("there is no ONNX Runtime: the network is evaluated in Go, with the same results but slower; " +
			"rgm setup installs it, or says why it cannot")
	}
	return config, by, nil
}

// Open is rgm.Open, whose error of a folder of results names the flag.
func Open(config rgm.Config) (*rgm.Solver, error) {
	solver, err := rgm.Open(config)
	var wrong *rgm.OptionError
	if errors.As(err, &wrong) && wrong.Option == "Recall" {
		return nil, settings.Usage(fmt.Errorf("--recall %s: %s", config.Recall, wrong.Reason))
	}
	return solver, err
}

// Advise adds to an error of ONNX Runtime which command or flag helps.
func Advise(err error) error {
	var missing *ortlib.UnavailableError
	var device *infer.CUDAError
	switch {
	case errors.As(err, &missing) && missing.Build == ortlib.CUDA:
		return fmt.Errorf("%w, run rgm setup --cuda, or use --provider cpu", err)
	case errors.As(err, &missing):
		return fmt.Errorf("%w, run rgm setup where npm or the network can be reached, or use --provider go", err)
	case errors.Is(err, ortlib.ErrUnavailable), errors.Is(err, infer.ErrOldFormat):
		return fmt.Errorf("%w, or use --provider go", err)
	case errors.Is(err, infer.ErrNoCUDA):
		return fmt.Errorf("%w; remedy: run rgm setup --cuda and unset %s, or use --provider cpu", err, ortlib.LibraryVariable)
	case errors.As(err, &device) && device.Memory:
		return fmt.Errorf("%w; take fewer --rollouts or --workers, or use --provider cpu", err)
	case errors.As(err, &device):
		return fmt.Errorf("%w; or use --provider cpu", err)
	}
	return err
}

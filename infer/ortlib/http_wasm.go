package ortlib

import (
	"context"
	"errors"
)

// fetchAddress fails: no source is for WebAssembly, and net/http would be half of a module.
func fetchAddress(context.Context, archive, string, meter) error { return errors.ErrUnsupported }

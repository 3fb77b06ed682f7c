package ortlib

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/rgm-go/rgm/internal/filelock"
)

// staleLock is the age at which a lock file is what a killed install has left, where
// files are locked by being created.
const staleLock = 3 * fetchTimeout

// lock waits until this call alone holds the lock file; closing the result releases it.
// Calls in one process exclude each other as well.
func lock(ctx context.Context, file string, waiting meter) (io.Closer, error) {
	for {
		held, err := filelock.File(file, staleLock)
		if !errors.Is(err, filelock.ErrLocked) {
			return held, err
		}
		waiting.tell(0, 0)
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

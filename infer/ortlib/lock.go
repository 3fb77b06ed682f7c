package ortlib

import (
	"context"
	"time"
)

// lock waits until this call alone holds the lock file, and returns what
// releases it. Calls in one process exclude each other as well.
func lock(ctx context.Context, file string, waiting meter) (unlock func(), err error) {
	for {
		unlock, err := tryLock(file)
		if unlock != nil || err != nil {
			return unlock, err
		}
		waiting.tell(0, 0)
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package ortlib

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// tryLock returns nil, nil where another holds the lock. The kernel releases the
// lock of a killed process. The file stays: removing it would let a third party
// lock a new one while the old one is held.
func tryLock(file string) (unlock func(), err error) {
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return func() { f.Close() }, nil
	}
	f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR) {
		return nil, nil
	}
	return nil, fmt.Errorf("%s: flock: %w", file, err)
}

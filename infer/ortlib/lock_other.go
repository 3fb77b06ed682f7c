//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package ortlib

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// staleLock is the age at which a lock file is what a killed install has left.
const staleLock = 3 * fetchTimeout

// tryLock returns nil, nil where another holds the lock: who creates the file
// holds it.
func tryLock(file string) (unlock func(), err error) {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err == nil {
		f.Close()
		return func() { os.Remove(file) }, nil
	}
	if !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	if info, err := os.Stat(file); err == nil && time.Since(info.ModTime()) > staleLock {
		os.Remove(file)
	}
	return nil, nil
}

//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package filelock

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// File locks a file, which it creates where it is not there. The kernel releases the
// lock of a killed process; stale does not count here. The file stays: removing it
// would let a third party lock a new one while the old one is held.
func File(path string, _ time.Duration) (io.Closer, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	return locked(f)
}

// Folder locks an open folder.
func Folder(root *os.Root) (io.Closer, error) {
	folder, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	lock, err := locked(folder)
	if err != nil && !errors.Is(err, ErrLocked) { // the file system knows no locks
		if folder, err = root.Open("."); err == nil {
			return folder, nil
		}
	}
	return lock, err
}

// locked returns an open file once it is locked, and closes it where it is not.
func locked(f *os.File) (io.Closer, error) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case err == nil:
		return f, nil
	case errors.Is(err, syscall.EWOULDBLOCK), errors.Is(err, syscall.EINTR):
		err = ErrLocked
	default:
		err = fmt.Errorf("%s: flock: %w", f.Name(), err)
	}
	return nil, errors.Join(err, f.Close())
}

//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// lockFolder keeps other runs out of a folder until it is closed or the
// program ends, however that may be: another run would take what this one is writing
// for left over. Where the file system knows no locks, it keeps nobody out.
func lockFolder(root *os.Root) (io.Closer, error) {
	folder, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(folder.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = usageError{fmt.Errorf("%s: another run is writing there: wait for its end, or take another folder", root.Name())}
		return nil, errors.Join(err, folder.Close())
	}
	return folder, nil
}

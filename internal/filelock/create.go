//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package filelock

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
)

// File locks a file by creating it; one that is older than stale is what a killed
// program has left, and is removed for the next try.
func File(path string, stale time.Duration) (io.Closer, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err == nil {
		return created(path), f.Close()
	}
	if !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > stale {
		os.Remove(path)
	}
	return nil, ErrLocked
}

// created is a file that is there while it is locked.
type created string

func (c created) Close() error { return os.Remove(string(c)) }

// Folder keeps nobody out here.
func Folder(*os.Root) (io.Closer, error) { return io.NopCloser(strings.NewReader("")), nil }

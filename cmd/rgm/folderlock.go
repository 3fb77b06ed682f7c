package main

import (
	"errors"
	"io"
	"os"
)

// takeFolder makes a folder, where it is not there, and keeps other runs out of it
// until it is closed.
func takeFolder(path string) (io.Closer, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	lock, err := lockFolder(root)
	return lock, errors.Join(err, root.Close())
}

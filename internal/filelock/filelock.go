// Package filelock keeps other programs, and other parts of this one, out of a file or
// a folder until it is closed or the program ends, however that may be.
//
// Where the system or the file system knows no such locks a folder is open to all, and
// a file is locked by being created.
package filelock

import (
	"errors"
	"io"
	"os"
)

// ErrLocked is the error of what another holds.
var ErrLocked = errors.New("locked by another run")

// MakeFolder makes a folder, where it is not there, and locks it.
func MakeFolder(path string) (io.Closer, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	lock, err := Folder(root)
	return lock, errors.Join(err, root.Close())
}

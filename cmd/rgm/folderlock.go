package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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

// missingFolders returns a folder, and those above it, that are not there, the innermost
// first.
func missingFolders(path string) []string {
	var missing []string
	for {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return missing
		}
		missing = append(missing, path)
		path = filepath.Dir(path)
	}
}

// removeEmpty removes folders, the innermost first, as far as they are empty.
func removeEmpty(folders []string) {
	for _, folder := range folders {
		if os.Remove(folder) != nil { // there is something in it
			return
		}
	}
}

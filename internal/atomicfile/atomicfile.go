// Package atomicfile writes files that are either complete or not there: a
// reader, or a program that starts after a crash, never meets half a file.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
)

// Write creates the file path, or replaces it, with what write writes; the
// writer it gets is buffered. Where anything fails, what was at path stays. The
// file gets the permissions of any new file.
func Write(path string, write func(io.Writer) error) error {
	file, err := createBeside(path)
	if err != nil {
		return fmt.Errorf("atomicfile: %w", err)
	}
	err = writeAll(file, write)
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return syncFolder(filepath.Dir(path))
}

// createBeside creates a new file in the folder of path: only there is a rename
// sure to be atomic. Unlike os.CreateTemp it leaves the permissions to the umask.
func createBeside(path string) (*os.File, error) {
	name := fmt.Sprintf("%s.%016x.tmp", path, rand.Uint64())
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// writeAll writes, brings the bytes to the disk and closes the file.
func writeAll(file *os.File, write func(io.Writer) error) error {
	buffered := bufio.NewWriterSize(file, 1<<16)
	err := write(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// syncFolder brings a rename to the disk.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil // folders cannot be synced there
	}
	folder, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("atomicfile: %w", err)
	}
	return errors.Join(folder.Sync(), folder.Close())
}

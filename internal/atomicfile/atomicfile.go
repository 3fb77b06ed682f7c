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
	"regexp"
	"runtime"
)

// Write creates the file path, or replaces it, with what write writes; the
// writer it gets is buffered. Where anything fails, what was at path stays. The
// file gets the permissions of any new file.
func Write(path string, write func(io.Writer) error) error {
	folder, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("atomicfile: %s: %w", path, err)
	}
	return errors.Join(WriteIn(folder, filepath.Base(path), write), folder.Close())
}

// Bytes writes data, for Write and WriteIn.
func Bytes(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// WriteIn is Write for a file directly in an open folder, which it never leaves.
// A program that is killed in it may leave a file that IsLeftover recognises.
func WriteIn(folder *os.Root, name string, write func(io.Writer) error) error {
	temporary := temporaryName(name)
	// Unlike os.CreateTemp this leaves the permissions to the umask.
	file, err := folder.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return fmt.Errorf("atomicfile: %s: %w", filepath.Join(folder.Name(), name), err)
	}
	err = writeAll(file, write)
	if err == nil {
		err = folder.Rename(temporary, name)
	}
	if err != nil {
		return errors.Join(err, folder.Remove(temporary))
	}
	return syncFolder(folder)
}

// temporaryName returns a new name for the file name while it is written. It is in
// the same folder: only there is a rename sure to be atomic.
func temporaryName(name string) string { return fmt.Sprintf("%s.%016x.tmp", name, rand.Uint64()) }

var temporaryEnd = regexp.MustCompile(`\.[0-9a-f]{16}\.tmp$`)

// IsLeftover reports whether a name is that of a file that was being written.
func IsLeftover(name string) bool { return temporaryEnd.MatchString(name) }

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
func syncFolder(folder *os.Root) error {
	if runtime.GOOS == "windows" {
		return nil // folders cannot be synced there
	}
	opened, err := folder.Open(".")
	if err != nil {
		return fmt.Errorf("atomicfile: %w", err)
	}
	return errors.Join(opened.Sync(), opened.Close())
}

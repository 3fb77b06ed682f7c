package ortlib

import (
	"os"
	"path/filepath"
	"time"
)

// retryAfter is how long no new attempt to install is made after one has failed: a
// machine without network would otherwise wait for it at every start.
const retryAfter = 24 * time.Hour

// failureFile is written when no source delivered; its time counts.
func (in *installer) failureFile() string { return filepath.Join(in.folder, "failed") }

// lastFailure returns how long ago no source delivered, if that is less than retryAfter.
func (in *installer) lastFailure() (since time.Duration, failed bool) {
	info, err := os.Stat(in.failureFile())
	if err != nil {
		return 0, false
	}
	since = time.Since(info.ModTime())
	return since, since >= 0 && since < retryAfter
}

// rememberFailure leaves the time of a failure. Where it cannot, the next start tries
// again.
func (in *installer) rememberFailure() {
	os.Remove(in.failureFile()) // the time of an existing file would stay
	if f, err := os.Create(in.failureFile()); err == nil {
		f.Close()
	}
}

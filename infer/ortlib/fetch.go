package ortlib

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"
)

// fetchPackage asks npm for the package's tarball. npm runs in the tarball's
// folder and keeps its own cache there, so that nothing of the 113 MB stays
// behind. Scripts stay off: the package's own would fetch CUDA files.
func fetchPackage(ctx context.Context, a archive, file string, report meter) error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return errors.New("npm is not on PATH")
	}
	work := filepath.Dir(file)
	var said head
	cmd := exec.CommandContext(ctx, npm, "pack", "--ignore-scripts", "--loglevel=error",
		"--fetch-retries=1", "--fetch-retry-mintimeout=1000", // where there is no network, say so soon
		"--cache="+filepath.Join(work, "npm"), "--pack-destination="+work, a.from)
	cmd.Dir = work
	cmd.Stderr = &said
	cmd.WaitDelay = time.Second // a killed npm may leave children that hold stderr
	if err := runWatched(cmd, func() { report.tell(min(folderSize(work), a.pin.size), a.pin.size) }); err != nil {
		return fmt.Errorf("npm pack %s: %w%s", a.from, err, said.cause())
	}
	tarballs, err := filepath.Glob(filepath.Join(work, "*.tgz"))
	if err != nil || len(tarballs) != 1 {
		return fmt.Errorf("npm pack %s left %d tarballs, want 1", a.from, len(tarballs))
	}
	return os.Rename(tarballs[0], file)
}

// runWatched runs cmd and calls watch five times a second meanwhile.
func runWatched(cmd *exec.Cmd, watch func()) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	ticker := time.NewTicker(time.Second / 5)
	defer ticker.Stop()
	for {
		select {
		case err := <-ended:
			return err
		case <-ticker.C:
			watch()
		}
	}
}

// folderSize returns how many bytes the files in a folder hold. Files that
// vanish under the walk do not matter: it feeds a progress bar.
func folderSize(folder string) int64 {
	var size int64
	filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			if info, err := entry.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	return size
}

// head keeps the beginning of what is written to it: npm names the error first
// and then explains at length.
type head struct{ text []byte }

func (h *head) Write(p []byte) (int, error) {
	const kept = 300
	h.text = append(h.text, p[:min(len(p), kept-len(h.text))]...)
	return len(p), nil
}

// errorCode is how npm names an error: ENOTFOUND, E404.
var errorCode = regexp.MustCompile(`\bE[A-Z0-9_]{2,}\b`)

// cause returns the name of the error, in brackets, if there is one.
func (h *head) cause() string {
	if code := errorCode.Find(h.text); code != nil {
		return " (" + string(code) + ")"
	}
	return ""
}

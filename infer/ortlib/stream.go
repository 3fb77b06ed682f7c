package ortlib

import (
	"context"
	"io"
	"os"
)

// A meter is told how many bytes of how many are done; it may be nil.
type meter func(done, total int64)

// meter returns what reports the progress of a stage, nil where nobody listens.
func (in *installer) meter(stage string) meter {
	if in.progress == nil {
		return nil
	}
	return func(done, total int64) { in.progress(stage, done, total) }
}

func (report meter) tell(done, total int64) {
	if report != nil {
		report(done, total)
	}
}

// reader reads until its context ends, and reports how much it has read.
type reader struct {
	ctx    context.Context
	from   io.Reader
	report meter
	total  int64
	done   int64
}

func (r *reader) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	n, err := r.from.Read(p)
	r.done += int64(n)
	r.report.tell(r.done, r.total)
	return n, err
}

// save writes what it reads, total bytes or 0 where that is not known, to a new
// file and syncs it.
func save(ctx context.Context, file string, from io.Reader, total int64, report meter) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer f.Close() // after a failure; the second Close is harmless
	if _, err := io.Copy(f, &reader{ctx: ctx, from: from, total: total, report: report}); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return f.Close()
}

// syncFolder makes renames in a folder last through a power cut, where the file
// system can; where it cannot, the worst is that the library is installed anew.
func syncFolder(folder string) {
	if f, err := os.Open(folder); err == nil {
		f.Sync()
		f.Close()
	}
}

package training

import (
	"context"
	"errors"
	"fmt"

	"github.com/rgm-go/rgm/cmd/rgm/internal/results"
)

// inFolder trains in a folder that no other run is writing into. Where that cannot
// begin, it leaves no empty folder.
func inFolder(dir string, train func() error) (err error) {
	made := results.MissingFolders(dir)
	lock, err := results.Claim(dir)
	if err != nil {
		return fmt.Errorf("train: %w", err)
	}
	defer func() {
		if err = errors.Join(err, lock.Close()); err != nil {
			results.RemoveEmpty(made)
		}
	}()
	return train()
}

// ended says of a run that was interrupted how it goes on.
func ended(ctx context.Context, err error, verb, dir string) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return fmt.Errorf("train: interrupted; all is saved: go on with rgm train %s --resume %s", verb, dir)
	}
	return err
}

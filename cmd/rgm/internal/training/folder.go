package training

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/rgm-go/rgm/cmd/rgm/internal/networks"
	"github.com/rgm-go/rgm/cmd/rgm/internal/report"
	"github.com/rgm-go/rgm/cmd/rgm/internal/results"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train"
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

// supervised is a trainer of a network that is no policy: affinities, the gate, the
// selector, NGM.
type supervised[C, M, V any, N models.Network] interface {
	Config() C
	Metrics() []M
	Validation() V
	Network() N
}

// writeTrained writes the files of a training that is through: its configuration, its
// metrics, the last of which is the validation, and the model, which says of itself what
// it was trained with. It returns the model's path.
func writeTrained[C, M, V any, N models.Network](ctx context.Context, dir, file string, t supervised[C, M, V, N], verifies bool) (model string, err error) {
	text, err := json.Marshal(struct {
		Config     C `json:"config"`
		Validation V `json:"validation"`
	}{t.Config(), t.Validation()})
	if err != nil {
		return "", err
	}
	var lines []any
	for _, m := range t.Metrics() {
		lines = append(lines, m)
	}
	lines = append(lines, t.Validation())
	model = filepath.Join(dir, file)
	return model, errors.Join(
		atomicfile.Write(filepath.Join(dir, ConfigFile), func(w io.Writer) error { return settings.Write(w, t.Config()) }),
		atomicfile.Write(filepath.Join(dir, train.MetricsFile), func(w io.Writer) error { return report.WriteJSON(w, lines...) }),
		networks.Save(ctx, model, t.Network(), string(text), verifies),
	)
}

package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/internal/tfevents"
)

// EventsFile is the event file for TensorBoard, in Options.Dir.
var EventsFile = filepath.Join("tensorboard", "events.out.tfevents.0000000000.rgm")

// eventFile is the file for TensorBoard, open for appending. All of it follows from
// metrics.jsonl: of equal lines the bytes are equal, and times count from the
// beginning of the training.
type eventFile struct{ file *os.File }

// openEvents makes the file hold exactly what lines say. What is right in it stays,
// so that a TensorBoard which reads along goes on.
func openEvents(path string, lines []Line) (*eventFile, error) {
	want := tfevents.AppendHeader(nil, 0)
	for _, line := range lines {
		want = appendEvent(want, line)
	}
	have, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("train: events: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, fmt.Errorf("train: events: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("train: events: %w", err)
	}
	right := commonPrefix(have, want)
	if err = f.Truncate(int64(right)); err == nil {
		if _, err = f.Seek(int64(right), io.SeekStart); err == nil {
			_, err = f.Write(want[right:])
		}
	}
	if err != nil {
		return nil, fmt.Errorf("train: events: %w", errors.Join(err, f.Close()))
	}
	return &eventFile{f}, nil
}

func commonPrefix(x, y []byte) int {
	n := min(len(x), len(y))
	for k := range n {
		if x[k] != y[k] {
			return k
		}
	}
	return n
}

func (e *eventFile) write(line Line) error {
	if _, err := e.file.Write(appendEvent(nil, line)); err != nil {
		return fmt.Errorf("train: events: %w", err)
	}
	return nil
}

func (e *eventFile) Close() error { return e.file.Close() }

func appendEvent(file []byte, line Line) []byte {
	return tfevents.AppendScalars(file, line.Seconds, line.Updates, line.scalars())
}

// scalars returns every number of the line but the updates, sorted by tag:
// validation_gap as validation/gap, validation_by_size's of 12 as
// validation_by_size/12, all else in the group training.
func (l Line) scalars() []tfevents.Scalar {
	text, err := json.Marshal(l)
	var fields map[string]any
	if err == nil {
		err = json.Unmarshal(text, &fields)
	}
	if err != nil {
		panic(err) // the line was written to metrics.jsonl, or read from there
	}
	delete(fields, "updates")
	numbers := map[string]float64{}
	for name, value := range fields {
		switch value := value.(type) {
		case float64:
			numbers[tag(name)] = value
		case map[string]any:
			for part, v := range value {
				if v, ok := v.(float64); ok {
					numbers[name+"/"+part] = v
				}
			}
		}
	}
	var scalars []tfevents.Scalar
	for _, tag := range slices.Sorted(maps.Keys(numbers)) {
		scalars = append(scalars, tfevents.Scalar{Tag: tag, Value: numbers[tag]})
	}
	return scalars
}

func tag(name string) string {
	if rest, ok := strings.CutPrefix(name, "validation_"); ok {
		return "validation/" + rest
	}
	return "training/" + name
}

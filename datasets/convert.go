package datasets

import (
	"fmt"
	"io"
	"iter"

	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/qap"
)

// Convert writes instances to the file out in the format of its extension:
//
//   - .npy: dense affinity matrices, to be maximised (see WriteNPY).
//   - .dd: costs, to be minimised (see WriteDD).
//   - .dat: one problem of Koopmans–Beckmann form (see WriteDAT).
//
// An instance that cannot be read, or has no place in the format, is an error, and
// then nothing is written.
func Convert(all iter.Seq2[*qap.Instance, error], out string) error {
	write, err := Writer(out)
	if err != nil {
		return err
	}
	var instances []*qap.Instance
	for instance, err := range all {
		if err != nil {
			return err
		}
		instances = append(instances, instance)
	}
	return atomicfile.Write(out, func(w io.Writer) error { return write(w, instances...) })
}

// Writer returns what writes instances in the format of a file's extension.
func Writer(path string) (func(io.Writer, ...*qap.Instance) error, error) {
	write, ok := writers[extension(path)]
	if !ok {
		return nil, fmt.Errorf("datasets: %s: cannot write format %q: want .npy, .dd or .dat", path, extension(path))
	}
	return write, nil
}

var writers = map[string]func(io.Writer, ...*qap.Instance) error{
	".npy": WriteNPY,
	".dd":  WriteDD,
	".dat": func(w io.Writer, instances ...*qap.Instance) error {
		if len(instances) != 1 {
			return fmt.Errorf("datasets: %d instances as .dat: the format holds one", len(instances))
		}
		return WriteDAT(w, instances[0])
	},
}

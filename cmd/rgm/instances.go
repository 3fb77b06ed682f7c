package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/qap"
)

// readingSettings say how to read what a file of instances does not say.
type readingSettings struct {
	N1       int    `mapstructure:"n1"`
	N2       int    `mapstructure:"n2"`
	Order    string `mapstructure:"order"`
	Sense    string `mapstructure:"sense"`
	Complete bool   `mapstructure:"complete"`
	Member   string `mapstructure:"member"`
}

func addReadingFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Int("n1", 0, "nodes of graph 1 of an affinity matrix (default from n2, or the square root of its vertices)")
	flags.Int("n2", 0, "nodes of graph 2 of an affinity matrix")
	flags.String("order", "row", "vertices of an affinity matrix: row (i·n2+a) or col (a·n1+i, as pygmtools writes)")
	flags.String("sense", "max", "whether an affinity matrix is maximised (max) or minimised (min)")
	flags.Bool("complete", false, "match min(n1,n2) nodes (always for .dat)")
	flags.String("member", "", "the only array of an .npz file to read")
	complete(cmd, "order", "row", "col")
	complete(cmd, "sense", "max", "min")
}

// options returns the settings as options of a reader.
func (s *readingSettings) options(c *console) (datasets.Options, error) {
	order, orderErr := datasets.ParseOrder(s.Order)
	sense, senseErr := qap.ParseSense(s.Sense)
	o := datasets.Options{
		N1: s.N1, N2: s.N2, Order: order, Sense: sense, Complete: s.Complete, Member: s.Member,
		Notice: c.warns,
	}
	return o, errors.Join(orderErr, senseErr, atLeast(0, "n1", s.N1), atLeast(0, "n2", s.N2))
}

// stdinArgument stands for standard input among the arguments.
const stdinArgument = "-"

// input is one argument of the command line, or one of the files that it stands
// for.
type input struct {
	name      string // as the user knows it
	instances iter.Seq2[*qap.Instance, error]
}

// expand returns the inputs that arguments stand for, in their order; an argument
// that stands for nothing gives one that yields the error. stdin has the format
// inputFormat.
func expand(args []string, o datasets.Options, stdin io.Reader, inputFormat string) []input {
	var inputs []input
	for _, arg := range args {
		if arg == stdinArgument {
			inputs = append(inputs, input{arg, stdinInstances(stdin, inputFormat, o)})
			continue
		}
		expanded, err := datasets.Expand([]string{arg})
		for _, e := range expanded {
			inputs = append(inputs, input{e.Path, e.Instances(o)})
		}
		if err != nil {
			inputs = append(inputs, input{arg, failed(err)})
		}
	}
	return inputs
}

// failed yields an error in place of an instance.
func failed(err error) iter.Seq2[*qap.Instance, error] {
	return func(yield func(*qap.Instance, error) bool) { yield(nil, err) }
}

// stdinInstances yields the instances on standard input, which is read whole.
func stdinInstances(stdin io.Reader, format string, o datasets.Options) iter.Seq2[*qap.Instance, error] {
	return func(yield func(*qap.Instance, error) bool) {
		data, err := io.ReadAll(stdin)
		if err != nil {
			yield(nil, fmt.Errorf("standard input: %w", err))
			return
		}
		datasets.Read("stdin", "."+format, bytes.NewReader(data), int64(len(data)), o)(yield)
	}
}

// inputFormats returns the values of --input-format.
func inputFormats() []string {
	var names []string
	for _, extension := range datasets.Formats() {
		names = append(names, strings.TrimPrefix(extension, "."))
	}
	return names
}

// checkStdin returns an error unless the arguments name standard input at most
// once, and then with its format.
func checkStdin(args []string, inputFormat string) error {
	count := 0
	for _, arg := range args {
		if arg == stdinArgument {
			count++
		}
	}
	switch {
	case count > 1:
		return errors.New("standard input (-) can be read once only")
	case count == 1 && inputFormat == "":
		return fmt.Errorf("standard input (-) needs --input-format: want %s", strings.Join(inputFormats(), ", "))
	}
	return oneOf("input-format", inputFormat, append(inputFormats(), "")...)
}

// task is an instance to solve, or the error in its place.
type task struct {
	name     string // of the instance; of the input where none was read
	instance *qap.Instance
	err      error
	file     string // of its result, in the folder of results
}

// errNotBegun is the error of inputs that a cancelled run did not come to.
var errNotBegun = errors.New("cancelled before it began")

// tasks yields the instances of all inputs. Once the context has ended, inputs are
// not opened any more. found is told of every instance beyond the first of its
// input.
func tasks(ctx context.Context, inputs []input, found func()) iter.Seq[task] {
	return func(yield func(task) bool) {
		for _, in := range inputs {
			instances := in.instances
			if ctx.Err() != nil {
				instances = failed(errNotBegun)
			}
			first := true
			for instance, err := range instances {
				if !first {
					found()
				}
				first = false
				if !yield(newTask(in, instance, err)) {
					return
				}
			}
		}
	}
}

func newTask(in input, instance *qap.Instance, err error) task {
	t := task{name: in.name, instance: instance, err: err}
	var unreadable *datasets.Error
	switch {
	case err == nil:
		t.name = instance.Name
	case errors.As(err, &unreadable):
		t.name = unreadable.Instance
	}
	return t
}

// bestKnown returns the best known solution of an instance of QAPLIB: an embedded
// one, or one from a file that has both the name and the matrices of one.
func bestKnown(in *qap.Instance) (datasets.Best, bool) {
	best, known := datasets.BestKnown(in.Name)
	if !known {
		return datasets.Best{}, false
	}
	original, err := datasets.QAPLIB(in.Name)
	return best, err == nil && sameMatrices(in, original)
}

// sameMatrices tells whether two instances have Koopmans–Beckmann form and the
// same sense and matrices.
func sameMatrices(x, y *qap.Instance) bool {
	kx, okX := x.Affinity.(*qap.KoopmansBeckmann)
	ky, okY := y.Affinity.(*qap.KoopmansBeckmann)
	if !okX || !okY || x.Sense != y.Sense {
		return false
	}
	ax, bx, lx := kx.Given()
	ay, by, ly := ky.Given()
	return slices.Equal(ax, ay) && slices.Equal(bx, by) && slices.Equal(lx, ly)
}

// Package inputs reads the instances that the arguments of a command stand for.
package inputs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/lists"
	"github.com/rgm-go/rgm/qap"

	"github.com/rgm-go/rgm/internal/suggest"
)

// Settings say how to read what a file of instances does not say.
type Settings struct {
	N1       int    `mapstructure:"n1"`
	N2       int    `mapstructure:"n2"`
	Order    string `mapstructure:"order"`
	Sense    string `mapstructure:"sense"`
	Complete bool   `mapstructure:"complete"`
	Member   string `mapstructure:"member"`
	Topology string `mapstructure:"topology"`
}

// Options returns the settings as options of a reader.
func (s *Settings) Options(c *console.Console) (datasets.Options, error) {
	order, orderErr := datasets.ParseOrder(s.Order)
	sense, senseErr := qap.ParseSense(s.Sense)
	o := datasets.Options{
		N1: s.N1, N2: s.N2, Order: order, Sense: sense, Complete: s.Complete, Member: s.Member,
		Notice: c.Warns,
	}
	var topologyErr error
	if s.Topology != "" {
		if o.Topology, topologyErr = qap.ParseTopology(s.Topology); topologyErr != nil {
			topologyErr = fmt.Errorf("--topology: %w", topologyErr)
		}
	}
	return o, errors.Join(orderErr, senseErr, topologyErr, settings.AtLeast(0, "n1", s.N1), settings.AtLeast(0, "n2", s.N2))
}

// stdinArgument stands for standard input among the arguments.
const stdinArgument = "-"

// Input is one argument of the command line, or one of the files that it stands
// for.
type Input struct {
	name      string // as the user knows it
	format    string // the ending of its name, "dat" of an embedded instance
	Instances iter.Seq2[*qap.Instance, error]
	search    any // what a manifest says of the search
}

// failed yields an error in place of an instance.
func failed(err error) iter.Seq2[*qap.Instance, error] {
	return func(yield func(*qap.Instance, error) bool) { yield(nil, err) }
}

// mostStdin is how many bytes standard input may hold, which is read whole.
const mostStdin = 1 << 30

// stdinInstances yields the instances on standard input, of so many bytes at most.
func stdinInstances(stdin io.Reader, format string, most int64, o datasets.Options) iter.Seq2[*qap.Instance, error] {
	return func(yield func(*qap.Instance, error) bool) {
		data, err := io.ReadAll(io.LimitReader(stdin, most+1))
		if int64(len(data)) > most {
			err = fmt.Errorf("more than %d bytes: give a file", most)
		}
		if err != nil {
			yield(nil, fmt.Errorf("standard input: %w", err))
			return
		}
		datasets.Read("stdin", "."+format, bytes.NewReader(data), int64(len(data)), o)(yield)
	}
}

// Formats returns the values of --input-format.
func Formats() []string {
	return lists.Of(datasets.Formats(), func(extension string) string { return strings.TrimPrefix(extension, ".") })
}

// CheckStdin returns an error unless the arguments name standard input at most
// once, and then with its format.
func CheckStdin(args []string, inputFormat string) error {
	count := 0
	for _, arg := range args {
		if arg == stdinArgument {
			count++
		}
	}
	switch {
	case count > 1:
		return errors.New("standard input (-) can be read once only")
	case count == 0 && inputFormat != "":
		return fmt.Errorf("--input-format %s is for standard input (-), which is not among the instances", inputFormat)
	case count == 1 && inputFormat == "":
		return fmt.Errorf("standard input (-) needs --input-format: want %s", suggest.OneOf(Formats()...))
	}
	return settings.OneOf("input-format", inputFormat, append(Formats(), "")...)
}

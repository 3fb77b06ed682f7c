package inputs

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/qaplib"
)

// FolderSettings say which of many files are read.
type FolderSettings struct {
	Recursive bool   `mapstructure:"recursive"`
	Shard     string `mapstructure:"shard"`
}

// Check returns an error of settings that cannot be used.
func (s *FolderSettings) Check() error {
	_, _, err := s.shard()
	return err
}

// shard returns which part of how many is read, 1 of 1 by default.
func (s *FolderSettings) shard() (part, parts int, err error) {
	if s.Shard == "" {
		return 1, 1, nil
	}
	left, right, _ := strings.Cut(s.Shard, "/")
	part, partErr := strconv.Atoi(left)
	parts, partsErr := strconv.Atoi(right)
	if partErr != nil || partsErr != nil || part < 1 || part > parts {
		return 1, 1, fmt.Errorf("--shard %s: want I/N, the I-th of N parts, such as 2/4", s.Shard)
	}
	return part, parts, nil
}

// Reader reads what arguments stand for.
type Reader struct {
	Reading     Settings // of files whose manifest says nothing else
	Folders     FolderSettings
	Stdin       io.Reader
	StdinFormat string
	Console     *console.Console // is told once what is passed over

	// SearchOf, if there is one, returns what a row of a manifest says of the search, as pairs
	// key=value: the Search of its tasks.
	SearchOf func(pairs []string) (any, error)
}

// Expand returns the inputs that arguments stand for, in their order, and how many files
// were passed over; an argument that stands for nothing gives an input that yields the
// error. Of --shard I/N it returns every N-th input from the I-th on. Settings and
// manifests that cannot be used are an error.
func (r *Reader) Expand(args []string) (all []Input, passedOver int, err error) {
	o, err := r.Reading.Options(r.Console)
	if err != nil {
		return nil, 0, err
	}
	var skipped skipped
	rows := manifests{}
	e := qaplib.Expansion{Recursive: r.Folders.Recursive, Skipped: skipped.add}
	for _, arg := range args {
		if arg == stdinArgument {
			all = append(all, Input{name: arg, format: r.StdinFormat, Instances: stdinInstances(r.Stdin, r.StdinFormat, mostStdin, o)})
			continue
		}
		expanded, err := e.Argument(arg)
		for _, in := range expanded {
			one := Input{name: in.Path, format: Format(in), Instances: in.Instances(o)}
			if isGraph(in.Path) && o.Topology == nil {
				one.Instances = failed(fmt.Errorf("%s: a graph or a table of points: \"rgm match A B\" matches two of them, --topology gives places to the nodes of one", in.Path))
			}
			if !in.Embedded {
				if one, err = r.withRow(one, in, rows); err != nil {
					return nil, 0, settings.Usage(err)
				}
			}
			all = append(all, one)
		}
		if err != nil {
			all = append(all, Input{name: arg, format: settings.FileFormat(arg), Instances: failed(err)})
		}
	}
	if text := skipped.text(); text != "" {
		r.Console.Log.Info("passed over: " + text)
	}
	return Part(&r.Folders, all), len(skipped), nil
}

// isGraph reports whether a file is one of rgm match, not an instance.
func isGraph(path string) bool {
	extension := strings.ToLower(filepath.Ext(path))
	return graphs.Reads(path) && !slices.Contains(datasets.Formats(), extension) && extension != ".txt"
}

// Part returns those of the shard.
func Part[T any](s *FolderSettings, all []T) []T {
	part, parts, _ := s.shard() // checked before
	if parts == 1 {
		return all
	}
	var mine []T
	for k := part - 1; k < len(all); k += parts {
		mine = append(mine, all[k])
	}
	return mine
}

// skipped is what was passed over, in its order.
type skipped []struct {
	path string
	why  qaplib.SkipReason
}

func (s *skipped) add(path string, why qaplib.SkipReason) {
	if filepath.Base(path) == manifestFile {
		return
	}
	*s = append(*s, struct {
		path string
		why  qaplib.SkipReason
	}{path, why})
}

// text counts what was passed over by its reason, each with the first of its kind.
func (s skipped) text() string {
	var words []string
	for _, why := range []qaplib.SkipReason{
		qaplib.SkippedFolder, qaplib.SkippedLink, qaplib.SkippedSpecial, qaplib.SkippedOtherFormat, qaplib.SkippedUnreadable,
	} {
		count, first := 0, ""
		for _, one := range s {
			if one.why == why {
				if count++; count == 1 {
					first = one.path
				}
			}
		}
		switch {
		case count > 0 && why == qaplib.SkippedFolder:
			words = append(words, fmt.Sprintf("%d × %s (%s; --recursive reads them)", count, why, first))
		case count > 0:
			words = append(words, fmt.Sprintf("%d × %s (%s)", count, why, first))
		}
	}
	return strings.Join(words, ", ")
}

package inputs

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/qap"
)

// Element returns the one of an index in what a file holds, an error if there is none.
func Element[T any](path string, stack []T, index int) (chosen T, err error) {
	if index >= len(stack) {
		return chosen, fmt.Errorf("%s holds %d, of which --index %d is none", path, len(stack), index)
	}
	return stack[index], nil
}

// MatchingAt returns the matching of an index in a file, one of n1 and n2 nodes; nil of an
// empty path. The file is a .npy file, a JSON array, or what rgm solve prints as JSON; of
// path - the latter two are read from standard input.
func MatchingAt(path string, stdin io.Reader, index, n1, n2 int) (qap.Matching, error) {
	if path == "" {
		return nil, nil
	}
	m, _, err := ReadMatching(path, stdin, index)
	if err != nil {
		return nil, err
	}
	empty, err := qap.NewSparse(n1, n2, nil, qap.Maximize)
	if err == nil {
		err = empty.CheckMatching(m)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// ReadMatching is MatchingAt without a look at the nodes. Where it is an answer of rgm solve,
// that is returned too.
func ReadMatching(path string, stdin io.Reader, index int) (qap.Matching, *report.Answer, error) {
	if settings.FileFormat(path) == "npy" {
		stack, err := pairs.ReadMatchings(path)
		if err != nil {
			return nil, nil, err
		}
		m, err := Element(path, stack, index)
		return m, nil, err
	}
	in := stdin
	if path != stdinArgument {
		file, err := os.Open(path)
		if err != nil {
			return nil, nil, err
		}
		defer file.Close()
		in = file
	}
	text := bufio.NewReader(in)
	head, _ := text.Peek(512)
	if head = bytes.TrimLeft(head, " \t\r\n"); !bytes.HasPrefix(head, []byte("{")) {
		m, err := readArray(path, text, index)
		return m, nil, err
	}
	answers, err := report.ReadAnswers(text)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	a, err := Element(path, answers, index)
	if err == nil && a.Err != nil {
		err = fmt.Errorf("%s: %s has no matching: %w", path, a.Instance, a.Err)
	}
	return a.Matching, &a, err
}

// readArray reads a JSON array.
func readArray(path string, in io.Reader, index int) (qap.Matching, error) {
	m, err := datasets.ReadMatchingJSON(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return Element(path, []qap.Matching{m}, index)
}

// InstanceAt returns the instance of an index among those an argument stands for.
func (r Reader) InstanceAt(arg string, index int) (*qap.Instance, error) {
	count := 0
	all, err := r.Open([]string{arg})
	if err != nil {
		return nil, err
	}
	for _, input := range all {
		for in, err := range input.Instances {
			if err != nil {
				return nil, err
			}
			if count == index {
				return in, nil
			}
			count++
		}
	}
	return nil, fmt.Errorf("%s holds %d, of which --index %d is none", arg, count, index)
}

package results

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/cli/inputs"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/qap"
)

// Verdict is what rgm verify prints of a result; docs/CLI_JSON.md says what each field means.
type Verdict struct {
	Instance   string   `json:"instance"`
	File       string   `json:"file"`
	Objective  float64  `json:"objective"`
	Recomputed *float64 `json:"recomputed,omitempty"`
	Right      bool     `json:"right"`
	Reason     string   `json:"reason,omitempty"`

	answer   report.Answer
	solution *datasets.Solution // of a .sln file, in place of an answer
}

// solutionEnding is that of QAPLIB's solution files, which are called as their instances.
const solutionEnding = ".sln"

// ReadVerdicts reads the results in files and folders, and counts the failures among them.
// A file that cannot be read is a verdict by itself, without an instance; where no file holds
// anything else, that is the error.
func ReadVerdicts(args []string) (verdicts []Verdict, failures int, err error) {
	var unreadable []error
	for _, arg := range args {
		files, err := resultFiles(arg)
		if err != nil {
			return nil, 0, err
		}
		for _, path := range files {
			if filepath.Ext(path) == solutionEnding {
				v := Verdict{Instance: strings.TrimSuffix(filepath.Base(path), solutionEnding), File: path}
				solution, err := datasets.ReadSolution(path)
				if v.Objective, v.solution = solution.Value, &solution; err != nil {
					v = Verdict{File: path, Reason: err.Error()}
					unreadable = append(unreadable, err)
				}
				verdicts = append(verdicts, v)
				continue
			}
			answers, err := readAnswers(path)
			if err != nil {
				verdicts = append(verdicts, Verdict{File: path, Reason: err.Error()})
				unreadable = append(unreadable, fmt.Errorf("%s: %w", path, err))
			}
			for _, a := range answers {
				if a.Err != nil {
					failures++
					continue
				}
				verdicts = append(verdicts, Verdict{Instance: a.Instance, File: path, Objective: a.Objective, answer: a})
			}
		}
	}
	switch {
	case len(verdicts) == len(unreadable) && failures == 0 && len(unreadable) > 0:
		return nil, 0, errors.Join(unreadable...)
	case len(verdicts)+failures == 0:
		return nil, 0, fmt.Errorf("%s: there are no results", strings.Join(args, ", "))
	}
	return verdicts, failures, nil
}

// resultFiles returns a file, or the files of results in a folder.
func resultFiles(path string) ([]string, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return []string{path}, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, entry := range entries {
		if !entry.IsDir() && (strings.HasSuffix(entry.Name(), Ending) || filepath.Ext(entry.Name()) == solutionEnding) {
			files = append(files, filepath.Join(path, entry.Name()))
		}
	}
	return files, nil
}

func readAnswers(path string) ([]report.Answer, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return report.ReadAnswers(file)
}

// Judge recomputes the objectives, in instances that arguments stand for and in those of
// QAPLIB; files .jsonl hold pairs of graphs, whose objectives are what edits cost. Of several
// instances of a name one that a result is right of will do. Instances that cannot be read are
// returned apart: the others are judged.
func Judge(verdicts []Verdict, args []string, reader *inputs.Reader) (unreadable, err error) {
	byName := map[string][]*Verdict{}
	for k := range verdicts {
		v := &verdicts[k]
		if v.Instance == "" {
			continue
		}
		v.Reason = "there is no instance of that name: --instances says where to look"
		byName[v.Instance] = append(byName[v.Instance], v)
	}
	pairs, args := splitPairs(args)
	if unreadable, err = judgePairs(byName, pairs); err != nil {
		return nil, err
	}
	all, _, err := reader.Expand(args)
	if err != nil {
		return nil, err
	}
	for _, input := range all {
		for in, err := range input.Instances {
			if err != nil {
				unreadable = errors.Join(unreadable, err)
				continue
			}
			for _, v := range byName[in.Name] {
				v.check(in)
			}
		}
	}
	for name, of := range byName {
		if !slices.Contains(qaplib.Names(), name) {
			continue
		}
		in, err := qaplib.Open(name)
		if err != nil {
			return nil, err
		}
		for _, v := range of {
			v.check(in)
		}
	}
	return unreadable, nil
}

// check compares a result with an instance of its name.
func (v *Verdict) check(in *qap.Instance) {
	if v.Right {
		return
	}
	if v.solution != nil {
		m, err := v.solution.Matching(in)
		if err != nil {
			v.Reason = err.Error()
			return
		}
		v.answer.Objective, v.answer.Matching, v.answer.Matched = v.Objective, m, m.Size()
	}
	objective, err := v.answer.Recompute(in)
	if err == nil && !in.IsSolution(v.answer.Matching) {
		err = fmt.Errorf("it matches %d nodes, which is no solution of this instance", v.answer.Matched)
	}
	v.Right, v.Reason, v.Recomputed = err == nil, "", &objective
	if err != nil {
		v.Reason = err.Error()
	}
}

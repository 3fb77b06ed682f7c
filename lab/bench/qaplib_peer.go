package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/qap"
)

// MeasurePeers returns a row of each command of --peer; those before an error are returned with it.
func (m *QAPLIB) MeasurePeers(ctx context.Context) ([]QAPLIBRow, error) {
	if len(m.settings.Peers) == 0 {
		return nil, nil
	}
	folder, err := os.MkdirTemp("", "rgm-peer-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	var files []string
	for _, in := range m.instances {
		path := filepath.Join(folder, in.Name+".dat")
		if err := atomicfile.Write(path, func(w io.Writer) error { return datasets.WriteDAT(w, in) }); err != nil {
			return nil, err
		}
		files = append(files, path)
	}
	var rows []QAPLIBRow
	for _, peer := range m.settings.Peers {
		row, err := m.measurePeer(ctx, peer, files)
		if err != nil {
			return rows, fmt.Errorf("bench: %w", err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// measurePeer runs a command, NAME=COMMAND, once for each seed. Costs are those of the matchings that it prints.
func (m *QAPLIB) measurePeer(ctx context.Context, peer string, files []string) (QAPLIBRow, error) {
	name, command, _ := strings.Cut(peer, "=")
	outcomes := make([]outcome, len(m.instances)*m.settings.Seeds)
	for seed := range m.settings.Seeds {
		answers, err := runQAPLIBPeer(ctx, command, seed, files)
		if err != nil {
			return QAPLIBRow{}, fmt.Errorf("%s: %w", command, err)
		}
		for k, in := range m.instances {
			if outcomes[k*m.settings.Seeds+seed], err = answers.of(in); err != nil {
				return QAPLIBRow{}, fmt.Errorf("%s: %w", command, err)
			}
		}
	}
	row := m.row(outcomes)
	row.Method, row.Source = name, sourceMeasured
	row.CPUSeconds, row.CPUSecondsPerInstance = row.Seconds, row.SecondsPerInstance // a peer tells processor time
	return row, nil
}

// qaplibAnswer is a line that a peer prints.
type qaplibAnswer struct {
	Instance string       `json:"instance"`
	Matching qap.Matching `json:"matching"`
	Seconds  float64      `json:"seconds"` // of processor time
}

type qaplibAnswers map[string]qaplibAnswer

// of returns what was answered of an instance, recomputed.
func (a qaplibAnswers) of(in *qap.Instance) (outcome, error) {
	answer, ok := a[in.Name]
	if !ok {
		return outcome{}, fmt.Errorf("no line of %s", in.Name)
	}
	if err := in.CheckMatching(answer.Matching); err != nil {
		return outcome{}, fmt.Errorf("%s: %w", in.Name, err)
	}
	if !in.IsSolution(answer.Matching) {
		return outcome{}, fmt.Errorf("%s: not all facilities have a place", in.Name)
	}
	objective := in.Objective(in.Score(answer.Matching))
	best, _ := qaplib.BestKnown(in.Name)
	gap, _ := qaplib.Gap(objective, best.Value)
	return outcome{objective: objective, gap: gap, seconds: answer.Seconds}, nil
}

// runQAPLIBPeer runs a command with a seed and .dat files as its last arguments.
func runQAPLIBPeer(ctx context.Context, command string, seed int, files []string) (qaplibAnswers, error) {
	words := append(append(strings.Fields(command), strconv.Itoa(seed)), files...)
	ctx, cancel := context.WithTimeout(ctx, peerPatience+time.Duration(len(files))*time.Minute)
	defer cancel()
	var wrong bytes.Buffer
	run := exec.CommandContext(ctx, words[0], words[1:]...)
	run.Stderr = &wrong
	out, err := run.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %.300s", err, wrong.String())
	}
	answers := qaplibAnswers{}
	lines := json.NewDecoder(bytes.NewReader(out))
	for lines.More() {
		var answer qaplibAnswer
		if err := lines.Decode(&answer); err != nil {
			return nil, err
		}
		answers[answer.Instance] = answer
	}
	return answers, nil
}

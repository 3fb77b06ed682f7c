package bench

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/models/propagation"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
	"github.com/rgm-go/rgm/qap/align/belief"
)

// alignMethod is a search of a table: one of rgm's, with a start beside its own parts where it
// aligns by structure, or a command.
type alignMethod struct {
	name, start string
	command     string // "" for one of rgm's
}

// String is what tables call it.
func (m alignMethod) String() string {
	if m.start == "" || m.start == StartNone {
		return m.name
	}
	return m.name + "+" + m.start
}

// methods returns the searches of a pair, in their order.
func (s *AlignSettings) methods() (all []alignMethod) {
	for _, name := range s.Methods {
		if name != rgm.MethodAlign {
			all = append(all, alignMethod{name: name})
			continue
		}
		for _, start := range s.Starts {
			all = append(all, alignMethod{name: name, start: start})
		}
	}
	for _, peer := range s.Peers {
		name, command, _ := strings.Cut(peer, "=")
		all = append(all, alignMethod{name: name, command: command})
	}
	return all
}

// alignMethods are the values of AlignSettings.Methods.
func alignMethods() []string {
	return []string{rgm.MethodAlign, rgm.MethodTabu, rgm.MethodPopulation, rgm.MethodAnneal, rgm.MethodFAQ}
}

// checkPeer returns an error unless a peer is a name and a command.
func checkPeer(peer string) error {
	if name, command, ok := strings.Cut(peer, "="); !ok || name == "" || strings.TrimSpace(command) == "" {
		return fmt.Errorf("--peer %s: want NAME=COMMAND", peer)
	}
	return nil
}

// search aligns a pair by a method; seconds are those of a command that measures itself by its
// processes, else 0.
func (s *AlignSettings) search(ctx context.Context, m alignMethod, p *align.Problem, seed uint64) (r align.Result, seconds float64, err error) {
	limits := qap.Limits{TimeLimit: s.TimeLimit, MaxSteps: s.MaxSteps}
	switch {
	case m.command != "":
		r.Matching, seconds, err = s.runPeer(ctx, m.command, p)
	case m.name == rgm.MethodAlign:
		starts, err := s.starts(m.start)
		if err != nil {
			return r, 0, err
		}
		r, err = align.Solve(ctx, p, align.Options{Limits: limits, Seed: seed, Threads: s.Threads, Starts: starts})
		return r, 0, err
	default:
		r, err = s.assign(ctx, m.name, p, seed)
	}
	if err == nil {
		r.Shared = p.SharedEdges(r.Matching)
	}
	return r, seconds, err
}

// assign aligns a pair by a method for flows and distances.
func (s *AlignSettings) assign(ctx context.Context, method string, p *align.Problem, seed uint64) (r align.Result, err error) {
	in, err := p.Assignment()
	if err != nil {
		return r, err
	}
	o := rgm.Options{Method: method, TimeLimit: s.TimeLimit, MaxSteps: s.MaxSteps, Seed: seed, Threads: s.Threads}
	if p.Counts() {
		most := float64(p.Sides() * p.Bound())
		o.Target = &most
	}
	found, err := rgm.Solve(ctx, in, o)
	if err != nil {
		return r, err
	}
	r = align.Result{Matching: p.Assigned(found.Matching), Status: found.Status, FoundBy: found.FoundBy}
	if p.Counts() && p.SharedEdges(r.Matching) == p.Bound() {
		r.Status = qap.Optimal
	}
	return r, nil
}

// peerPatience is how long a command may take, since most have no time limit.
const peerPatience = 10 * time.Minute

// runPeer runs a command with two files of edges, whose nodes are numbers, and returns the matching
// that it prints, a pair of nodes a line, and its seconds.
func (s *AlignSettings) runPeer(ctx context.Context, command string, p *align.Problem) (m qap.Matching, seconds float64, err error) {
	folder, err := os.MkdirTemp("", "rgm-peer-")
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	words := strings.Fields(command)
	for k, g := range []*align.Graph{p.A, p.B} {
		path := filepath.Join(folder, string(rune('a'+k))+".edges")
		if err := writeEdges(path, g); err != nil {
			return nil, 0, err
		}
		words = append(words, path)
	}
	ctx, cancel := context.WithTimeout(ctx, max(s.TimeLimit, peerPatience))
	defer cancel()
	var wrong bytes.Buffer
	run := exec.CommandContext(ctx, words[0], words[1:]...)
	run.Stderr = &wrong
	begin := time.Now()
	out, err := run.Output()
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w: %.300s", command, cmp.Or(ctx.Err(), err), wrong.String())
	}
	seconds = time.Since(begin).Seconds()
	if s.Clock == ClockCPU {
		seconds = (run.ProcessState.UserTime() + run.ProcessState.SystemTime()).Seconds()
	}
	m, err = readPairs(out, p.A.Nodes(), p.B.Nodes())
	if err != nil {
		err = fmt.Errorf("%s: %w", command, err)
	}
	return m, seconds, err
}

// writeEdges writes the edges of a graph, after a line that says how many nodes there are.
func writeEdges(path string, g *align.Graph) error {
	var text bytes.Buffer
	fmt.Fprintln(&text, "#", g.Nodes())
	for i := range g.Nodes() {
		for _, j := range g.Neighbours(i) {
			if i < int(j) {
				fmt.Fprintln(&text, i, j)
			}
		}
	}
	return os.WriteFile(path, text.Bytes(), 0o600)
}

// readPairs reads a pair of nodes a line.
func readPairs(text []byte, n1, n2 int) (qap.Matching, error) {
	m, taken := qap.NewMatching(n1), make([]bool, n2)
	lines := bufio.NewScanner(bytes.NewReader(text))
	for line := 1; lines.Scan(); line++ {
		words := strings.Fields(lines.Text())
		if len(words) == 0 {
			continue
		}
		if len(words) != 2 {
			return nil, fmt.Errorf("line %d: %q: want a node of each graph", line, lines.Text())
		}
		i, err1 := strconv.Atoi(words[0])
		j, err2 := strconv.Atoi(words[1])
		if err1 != nil || err2 != nil || min(i, j) < 0 || i >= n1 || j >= n2 || m[i] != qap.Unmatched || taken[j] {
			return nil, fmt.Errorf("line %d: %q: want nodes from 0 to %d and %d, each once", line, lines.Text(), n1-1, n2-1)
		}
		m[i], taken[j] = j, true
	}
	return m, lines.Err()
}

// The values of AlignSettings.Starts.
const (
	StartNone    = "none"
	StartBP      = "bp"
	StartLearned = "learned"
)

// starts returns those of a name, for one search.
func (s *AlignSettings) starts(name string) ([]align.Start, error) {
	switch name {
	case StartBP:
		return []align.Start{belief.Start()}, nil
	case StartLearned:
		data, err := pretrained.ModelOrFile(cmp.Or(s.Model, pretrained.Align))
		if err != nil {
			return nil, err
		}
		n, err := propagation.Load(data)
		if err != nil {
			return nil, err
		}
		return []align.Start{n.Start()}, nil
	}
	return nil, nil
}

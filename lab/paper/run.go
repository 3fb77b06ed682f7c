package paper

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/internal/cputime"
)

// Runner runs a command line of the program, whose standard output goes to out.
type Runner func(ctx context.Context, args []string, out io.Writer) error

// Progress is told of every unit: how many of how many, and what is happening to it.
type Progress func(done, of int, unit, event string)

// state is a report while it is made.
type state struct {
	options Options
	program Program
	run     Runner
	tell    Progress
	known   []Part            // all there are
	quick   []Part            // of a full report: those of a quick one, which may stand in
	parts   []Part            // those to make
	failed  map[string]string // why units have no result, by name
}

// Run makes what is not there yet and writes the pages. A unit that fails is said so on the
// page, the others are run, and the first error is returned. After a cancelled context, or a
// kill, the same call goes on where it was.
func Run(ctx context.Context, o Options, program Program, run Runner, tell Progress) error {
	return runParts(ctx, o, o.scale().parts(), o.chosen(), program, run, tell)
}

func runParts(ctx context.Context, o Options, known, parts []Part, program Program, run Runner, tell Progress) error {
	if err := os.MkdirAll(filepath.Join(o.Dir, unitsFolder), 0o777); err != nil {
		return err
	}
	for _, folder := range []string{unitsFolder, picturesOf} {
		if err := sweep(filepath.Join(o.Dir, folder)); err != nil {
			return err
		}
	}
	var quick []Part
	if o.Full {
		quick = Parts(false)
	}
	s := &state{quick: quick, options: o, program: program, run: run, tell: tell, known: known, parts: parts, failed: map[string]string{}}
	if o.PagesOnly {
		return s.writePages()
	}
	units := s.units()
	var first error
	var written time.Time // the pages
	for k, u := range units {
		err := s.make(ctx, k, len(units), u)
		if ctx.Err() != nil {
			return errors.Join(fmt.Errorf("report: interrupted after %d of %d units; all is kept in %s: the same command goes on", k, len(units), o.Dir), s.writePages())
		}
		if err != nil && first == nil {
			first = fmt.Errorf("report: %s: %w", u.Name, err)
		}
		if time.Since(written) > pagesEvery || k == len(units)-1 {
			if err := s.writePages(); err != nil {
				return err
			}
			written = time.Now()
		}
	}
	return first
}

// pagesEvery is how often the pages are written meanwhile.
const pagesEvery = 10 * time.Second

// sweep removes what a killed run was writing in a folder.
func sweep(folder string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, entry := range entries {
		if err == nil && atomicfile.IsLeftover(entry.Name()) {
			err = os.Remove(filepath.Join(folder, entry.Name()))
		}
	}
	return err
}

// units returns those of all parts, each once.
func (s *state) units() []Unit {
	var all []Unit
	for _, p := range s.parts {
		for _, u := range p.Units {
			if !slices.ContainsFunc(all, func(other Unit) bool { return other.Name == u.Name }) {
				all = append(all, u)
			}
		}
	}
	return all
}

// make runs a unit unless its result is there or its data are not.
func (s *state) make(ctx context.Context, k, of int, u Unit) error {
	if why := s.options.absent(u); why != "" {
		s.failed[u.Name] = why
		s.tell(k+1, of, u.Name, "left out: "+why)
		return nil
	}
	if r, err := s.options.read(u); err != nil || r != nil {
		s.tell(k+1, of, u.Name, "is there")
		return err
	}
	s.tell(k, of, u.Name, "begins")
	began := time.Now()
	err := s.execute(ctx, u, began)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		s.failed[u.Name] = err.Error()
		s.tell(k+1, of, u.Name, "failed: "+err.Error())
		return err
	}
	s.tell(k+1, of, u.Name, fmt.Sprintf("took %.0f s", time.Since(began).Seconds()))
	return nil
}

// execute runs the command of a unit and keeps its result.
func (s *state) execute(ctx context.Context, u Unit, began time.Time) error {
	var out bytes.Buffer
	for _, file := range append(slices.Clone(u.Files), u.Save, u.Folder) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(s.options.Dir, file)), 0o777); err != nil {
			return err
		}
	}
	if err := s.options.begin(u); err != nil {
		return err
	}
	cpu, _ := cputime.Taken()
	if err := s.run(ctx, s.options.arguments(u), &out); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if u.Save != "" {
		err := atomicfile.Write(filepath.Join(s.options.Dir, u.Save), atomicfile.Bytes(out.Bytes()))
		if err != nil {
			return err
		}
	}
	r := &Result{Unit: u.Name, Command: u.Command(), Program: s.program, Began: began.UTC().Truncate(time.Second), Seconds: time.Since(began).Seconds()}
	taken, _ := cputime.Taken()
	r.CPU = (taken - cpu).Seconds()
	r.setOutput(out.Bytes(), s.options.Dir)
	for _, name := range u.Files {
		data, err := os.ReadFile(filepath.Join(s.options.Dir, name))
		if err != nil {
			return err
		}
		if r.Files == nil {
			r.Files = map[string]string{}
		}
		r.Files[name] = string(data)
	}
	return s.options.write(u, r)
}

// commandFile holds the command of the training whose checkpoint is beside it.
const commandFile = "command.txt"

// begin removes the checkpoint of another command, as of a quick report in the same folder, so that it is not gone on
// from.
func (o *Options) begin(u Unit) error {
	if u.Checkpoint == "" {
		return nil
	}
	folder := filepath.Join(o.Dir, u.Folder)
	path := filepath.Join(folder, commandFile)
	if found, err := os.ReadFile(path); err == nil && string(found) == u.Command()+"\n" {
		return nil
	}
	if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o777)); err != nil {
		return err
	}
	return atomicfile.Write(path, atomicfile.Bytes([]byte(u.Command()+"\n")))
}

// System names the kind of machine.
func System() string {
	return fmt.Sprintf("%s/%s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0))
}

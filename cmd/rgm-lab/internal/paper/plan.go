package paper

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/internal/cputime"
)

// What a plan keeps to: trainings of a group, and the minutes of processor time that each should have.
const (
	plannedSeeds  = 4
	wantedMinutes = 20
	pilotEpisodes = "{episodes}" // in the commands of pilots
	planFile      = "plan.json"
)

// budget is the processor time of each training of a figure.
type budget struct {
	minutes  float64
	episodes map[string]float64 // in a minute, by groups
}

// planned returns the episodes of a training of a group.
func (b *budget) planned(group string) int {
	return max(int(b.episodes[group]*b.minutes), 1)
}

// budgeted makes a unit a training of a group, which differs from its pilot's flags in its episodes and seed.
func (s scale) budgeted(u *Unit, group, pilot string) {
	if s.budget != nil {
		u.Group, u.Trainings, u.Pilot = group, 1, words("train --out {dir}/pilots/"+group+" "+pilot)
	}
}

// trainings returns the pilots of the parts by groups, and how many trainings they have in all.
func (o *Options) trainings() (pilots map[string][]string, count int) {
	pilots = map[string][]string{}
	names := map[string]bool{}
	for _, p := range o.chosen() {
		for _, u := range p.Units {
			if u.Group != "" && !names[u.Name] && o.absent(u) == "" {
				names[u.Name] = true
				count += u.Trainings
				pilots[u.Group] = u.Pilot
			}
		}
	}
	return pilots, count
}

// plan shares Options.Hours out: it finds by short pilots how many episodes of each group take a minute of
// processor time, so that the trainings' own number of episodes is known, as their schedules need it. Rates that were
// found before are kept.
func (o *Options) plan(ctx context.Context, program Program, run Runner, tell Progress) error {
	o.budget = &budget{episodes: map[string]float64{}}
	pilots, count := o.trainings()
	o.budget.minutes = o.Hours * 60 / float64(max(count, 1))
	path := filepath.Join(o.Dir, planFile)
	if data, err := os.ReadFile(path); err == nil {
		if err := json.Unmarshal(data, &o.budget.episodes); err != nil {
			return fmt.Errorf("report: %s: %w: remove it", path, err)
		}
	}
	says := fmt.Sprintf("%d trainings of %.3g minutes of processor time each, %.1f hours in all; measurements come on top", count, o.budget.minutes, o.Hours)
	if o.budget.minutes < wantedMinutes {
		says += fmt.Sprintf("; %d minutes each want --hours %.0f", wantedMinutes, math.Ceil(float64(count)*wantedMinutes/60))
	}
	tell(0, count, "plan", says)
	var made []Part // what trainings are of
	for _, p := range o.chosen() {
		p.Units = slices.DeleteFunc(p.Units, func(u Unit) bool { return u.Args[0] != "datasets" })
		made = append(made, p)
	}
	if err := runParts(ctx, *o, made, made, program, run, tell); err != nil || o.PagesOnly {
		return err
	}
	for k, group := range slices.Sorted(maps.Keys(pilots)) {
		if o.budget.episodes[group] > 0 {
			continue
		}
		tell(k, len(pilots), "pilot "+group, "begins")
		rate, err := o.rate(ctx, group, pilots[group], run)
		if err != nil {
			return err
		}
		o.budget.episodes[group] = rate
		err = atomicfile.Write(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(o.budget.episodes) })
		if err != nil {
			return err
		}
	}
	return nil
}

// rate returns how many episodes of a group take a minute of processor time, by two pilots: their difference has
// neither the preparation nor the first episodes, in which nothing is learned.
func (o *Options) rate(ctx context.Context, group string, command []string, run Runner) (float64, error) {
	const first, most = 40, 40 * 50
	pilot := func(episodes int) (time.Duration, error) {
		if err := os.RemoveAll(filepath.Join(o.Dir, "pilots", group)); err != nil {
			return 0, err
		}
		args := o.arguments(Unit{Args: command})
		for k := range args {
			args[k] = strings.ReplaceAll(args[k], pilotEpisodes, fmt.Sprint(episodes))
		}
		before, known := cputime.Taken()
		if !known {
			return 0, errors.New("report: --hours: the processor time cannot be told on this system")
		}
		err := run(ctx, args, io.Discard)
		if ctx.Err() != nil {
			return 0, fmt.Errorf("report: interrupted in pilot %s; what is known is kept in %s: the same command goes on", group, o.Dir)
		}
		if err != nil {
			return 0, fmt.Errorf("report: pilot %s: %w", group, err)
		}
		after, _ := cputime.Taken()
		return max(after-before, time.Millisecond), nil
	}
	short, err := pilot(first)
	if err != nil {
		return 0, err
	}
	window := time.Duration(o.budget.minutes / 10 * float64(time.Minute)) // a tenth of a training
	more := min(max(int(first*min(window, time.Minute)/short), 2*first), most)
	long, err := pilot(more)
	return float64(more-first) / max(long-short, time.Millisecond).Minutes(), err
}

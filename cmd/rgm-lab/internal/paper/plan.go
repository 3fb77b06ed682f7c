package paper

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/internal/cputime"
)

// What a plan keeps to: trainings of a group, and the least minutes of processor time of each.
const (
	plannedSeeds  = 4
	leastMinutes  = 20
	pilotEpisodes = 40
	planFile      = "plan.json"
)

// budget is the processor time of each training of a figure.
type budget struct {
	minutes  int
	episodes map[string]float64 // in a minute, by groups
}

// planned returns the episodes of a training of a group.
func (b *budget) planned(group string) int {
	return max(int(b.episodes[group]*float64(b.minutes)), 1)
}

// budgeted makes a unit a training of a group, which differs from its pilot's flags in its episodes and seed.
func (s scale) budgeted(u *Unit, group, pilot string) {
	if s.budget != nil {
		u.Group, u.Trainings, u.Pilot = group, 1, words("train --out {dir}/pilots/"+group+" "+pilot)
	}
}

// minutesOf shares hours out among so many trainings.
func minutesOf(hours float64, trainings int) (int, error) {
	minutes := int(hours * 60 / float64(max(trainings, 1)))
	if minutes < leastMinutes && trainings > 0 {
		return 0, fmt.Errorf("report: --hours %g: %d trainings of at least %d minutes want %.0f hours of processor time: give as many, or name some --parts",
			hours, trainings, leastMinutes, float64(trainings*leastMinutes)/60)
	}
	return minutes, nil
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
	var err error
	if o.budget.minutes, err = minutesOf(o.Hours, count); err != nil {
		return err
	}
	path := filepath.Join(o.Dir, planFile)
	if data, err := os.ReadFile(path); err == nil {
		if err := json.Unmarshal(data, &o.budget.episodes); err != nil {
			return fmt.Errorf("report: %s: %w: remove it", path, err)
		}
	}
	tell(0, count, "plan", fmt.Sprintf("%d trainings of %d minutes of processor time each, %.1f hours in all; measurements come on top", count, o.budget.minutes, float64(count*o.budget.minutes)/60))
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
		before, known := cputime.Taken()
		if !known {
			return errors.New("report: --hours: the processor time cannot be told on this system")
		}
		if err := os.RemoveAll(filepath.Join(o.Dir, "pilots", group)); err != nil {
			return err
		}
		if err := run(ctx, o.arguments(Unit{Args: pilots[group]}), io.Discard); err != nil {
			return fmt.Errorf("report: pilot %s: %w", group, err)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		after, _ := cputime.Taken()
		o.budget.episodes[group] = pilotEpisodes / max(after-before, time.Millisecond).Minutes()
		err := atomicfile.Write(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(o.budget.episodes) })
		if err != nil {
			return err
		}
	}
	return nil
}

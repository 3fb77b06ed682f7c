package paper

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
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

// plan is the processor time of the trainings of a full report, kept in its folder.
type plan struct {
	Minutes  map[string]float64 `json:"minutes"`  // of a training, by parts
	Episodes map[string]float64 `json:"episodes"` // in a minute, by groups
}

// readPlan returns the plan of a folder, an empty one where there is none.
func readPlan(dir string) (*plan, error) {
	p := &plan{Minutes: map[string]float64{}, Episodes: map[string]float64{}}
	path := filepath.Join(dir, planFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err == nil {
		err = json.Unmarshal(data, p)
	}
	if err != nil {
		return nil, fmt.Errorf("report: %s: %w: remove it", path, err)
	}
	return p, nil
}

func (p *plan) write(dir string) error {
	return atomicfile.Write(filepath.Join(dir, planFile), func(w io.Writer) error { return json.NewEncoder(w).Encode(p) })
}

// forPart returns the scale with what is planned for a part.
func (s scale) forPart(id string) scale {
	if s.plan != nil {
		s.minutes = s.plan.Minutes[id]
	}
	return s
}

// episodes returns how many a training of a group has.
func (s scale) episodes(group string) int {
	return max(int(s.plan.Episodes[group]*s.minutes), 1)
}

// budgeted makes a unit a training of a group, which differs from its pilot's flags in its episodes and seed.
func (s scale) budgeted(u *Unit, group, pilot string) {
	if s.minutes > 0 {
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

// share shares Options.Hours out: it finds by short pilots how many episodes of each group take a minute of
// processor time, so that the trainings' own number of episodes is known, as their schedules need it. Rates that were
// found before are kept.
func (o *Options) share(ctx context.Context, program Program, run Runner, tell Progress) error {
	for _, p := range o.chosen() {
		o.plan.Minutes[p.ID] = wantedMinutes // so that their trainings are listed
	}
	pilots, count := o.trainings()
	if count == 0 {
		return errors.New("report: --hours: none of these parts has trainings to plan: leave it out")
	}
	minutes := o.Hours * 60 / float64(count)
	for _, p := range o.chosen() {
		o.plan.Minutes[p.ID] = minutes
	}
	says := fmt.Sprintf("%d trainings of %.3g minutes of processor time each, %.1f hours in all; measurements come on top", count, minutes, o.Hours)
	if minutes < wantedMinutes {
		says += fmt.Sprintf("; %d minutes each want --hours %.0f", wantedMinutes, math.Ceil(float64(count)*wantedMinutes/60))
	}
	tell(0, count, "plan", says)
	var made []Part // what trainings are of
	for _, p := range o.chosen() {
		p.Units = slices.DeleteFunc(p.Units, func(u Unit) bool { return u.Args[0] != "datasets" })
		made = append(made, p)
	}
	if err := runParts(ctx, *o, made, made, program, run, tell); err != nil {
		return err
	}
	for k, group := range slices.Sorted(maps.Keys(pilots)) {
		if o.plan.Episodes[group] > 0 {
			continue
		}
		tell(k, len(pilots), "pilot "+group, "begins")
		rate, err := o.rate(ctx, group, pilots[group], minutes, run)
		if err != nil {
			return err
		}
		o.plan.Episodes[group] = rate
		if err := o.plan.write(o.Dir); err != nil {
			return err
		}
	}
	return o.plan.write(o.Dir)
}

// rate returns how many episodes of a group take a minute of processor time, by pilots: the difference of two has
// neither the preparation nor the first episodes, in which nothing is learned.
func (o *Options) rate(ctx context.Context, group string, command []string, minutes float64, run Runner) (float64, error) {
	const first = 40
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
	// What learns in generations of many episodes is seen only in several of them, so that pilots grow.
	window := min(time.Duration(minutes/10*float64(time.Minute)), time.Minute)
	for more := 2 * first; ; more *= 4 {
		long, err := pilot(more)
		if err != nil {
			return 0, err
		}
		if long-short > window/3 || more > 100_000 {
			return float64(more-first) / max(long-short, time.Millisecond).Minutes(), nil
		}
	}
}

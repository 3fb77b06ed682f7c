package paper

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPlan: hours are shared out in equal parts among the trainings; pilots say how many episodes that is,
// once; and fewer hours than 20 minutes a training are said so, before and on the page.
func TestPlan(t *testing.T) {
	o := Options{Dir: t.TempDir(), Full: true, Hours: 18, Only: []string{"figure11-pairs"}}
	var c commands
	if err := os.WriteFile(filepath.Join(o.Dir, planFile), []byte(`{"episodes":{"learners-pairs-PPO":7.5}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	events, err := makeReport(t, o, &c)
	if err != nil || strings.Contains(events[0], "want --hours") || !strings.Contains(events[0], "36 trainings of 30 minutes of processor time each, 18.0 hours in all") {
		t.Errorf("%v: %v", err, events)
	}
	count := func(part string) int {
		n := 0
		for _, line := range c.asked {
			if strings.Contains(line, part) {
				n++
			}
		}
		return n
	}
	if count("/pilots/learners-pairs-TRPO") < 2 || count("/pilots/learners-pairs-PPO") > 0 || count("learner=ppo") != 4 || count("learner=ppo --episodes 225 --seed 3") != 1 {
		t.Errorf("want pilots of all learners but PPO, and 225 episodes of that:\n%s", strings.Join(c.asked, "\n"))
	}
	again := commands{}
	if _, err := makeReport(t, o, &again); err != nil || len(again.asked) != 0 {
		t.Errorf("%v, again %q", err, again.asked)
	}
	page, err := os.ReadFile(filepath.Join(o.Dir, MarkdownFile))
	if err != nil || !strings.Contains(string(page), "Each training was given 30 minutes of processor time") {
		t.Errorf("%v\n%s", err, page)
	}
	o.Hours, o.PagesOnly = 0, true // the plan is kept
	if _, err := makeReport(t, o, &commands{}); err != nil {
		t.Error(err)
	}
	if pages, err := os.ReadFile(filepath.Join(o.Dir, MarkdownFile)); err != nil || string(pages) != string(page) {
		t.Errorf("%v\n%s", err, pages)
	}
	o.Dir, o.Hours, o.PagesOnly, o.Only = t.TempDir(), 2, false, []string{"figure7"}
	if events, err = makeReport(t, o, &commands{}); err != nil || !strings.Contains(events[0], "16 trainings of 7.5 minutes of processor time each, 2.0 hours in all; measurements come on top; 20 minutes each want --hours 6") {
		t.Errorf("%v: %v", err, events)
	}
}

// TestPlannedStudies: with a budget each variant is a unit of its own, with four seeds and its episodes, but for the
// untrained network.
func TestPlannedStudies(t *testing.T) {
	s := scale{full: true, plan: &plan{Episodes: map[string]float64{"study-backbones-A2C": 3}}, minutes: 20}
	units := s.studyUnits("backbones", s.text("$beginning $few $studied"))
	k := slices.IndexFunc(units, func(u Unit) bool { return u.Name == "study-backbones-A2C" })
	if k < 0 || len(units) != 10 {
		t.Fatalf("%+v", units)
	}
	if line := strings.Join(units[k].Args, " "); !strings.Contains(line, "--seeds 4 ") || !strings.Contains(line, "episodes=60 ") || !strings.HasSuffix(line, "--variants A2C") || units[k].Trainings != 4 {
		t.Errorf("%+v", units[k])
	}
	if line := strings.Join(units[k].Pilot, " "); !strings.Contains(line, "pilots/study-backbones-A2C") || !strings.Contains(line, "--seeds 1 ") || !strings.Contains(line, "episodes={episodes} ") {
		t.Error(line)
	}
	if last := units[9]; last.Group != "" || last.Pilot != nil || !slices.Contains(last.Args, untrained) {
		t.Errorf("%+v", last)
	}
}

// TestNothingToPlan: hours for parts without trainings are refused, and nothing is run.
func TestNothingToPlan(t *testing.T) {
	var c commands
	_, err := makeReport(t, Options{Dir: t.TempDir(), Full: true, Hours: 1, Only: []string{"figure5"}}, &c)
	if err == nil || !strings.Contains(err.Error(), "none of these parts has trainings") || len(c.asked) > 0 {
		t.Errorf("%v, ran %q", err, c.asked)
	}
}

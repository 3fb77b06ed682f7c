package loop

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rgm-go/rgm/internal/sealed"
	"github.com/rgm-go/rgm/models"
)

// counting is a training of a few steps, of which every second has a line, that writes down
// what is asked of it.
type counting struct {
	steps, most int
	lines       []int
	validation  *string
	fails       error // of the step after most/2, of the validation or of writing, by failsAt
	failsAt     string
	asked       []string

	takes, writing time.Duration // of a step, and of a checkpoint
}

func (c *counting) training() Reported[int, string] {
	tell := func(what string) error {
		c.asked = append(c.asked, what)
		if what == c.failsAt {
			return c.fails
		}
		return nil
	}
	return Reported[int, string]{
		Package: "counting", File: "counting.rgm", Lines: &c.lines, Validation: &c.validation,
		Through: func() bool { return c.steps == c.most },
		Step: func(context.Context) (*int, error) {
			time.Sleep(c.takes)
			if c.steps > c.most/2 {
				if err := tell("late step"); err != nil {
					return nil, err
				}
			} else if err := tell("step"); err != nil {
				return nil, err
			}
			if c.steps++; c.steps%2 == 0 {
				line := c.steps
				return &line, nil
			}
			return nil, nil
		},
		Validate: func(ctx context.Context) (string, error) { return "good", errors.Join(tell("validate"), ctx.Err()) },
		Write:    func(string) error { time.Sleep(c.writing); return tell("write") },
	}
}

// TestOrder: a checkpoint at the beginning, after steps where one is due, and at the end; a
// line is in the state before it is told. A step takes a second, of a clock of the test's own.
func TestOrder(t *testing.T) {
	for _, test := range []struct {
		every, writing time.Duration
		want           string
	}{
		{time.Hour, 0, "write step step tell step validate write"},
		{time.Second, 0, "write step write step tell write step write validate write"},
		{2 * time.Second, 0, "write step step tell write step validate write"},
		{time.Second, 100 * time.Millisecond, "write step step tell write step validate write"}, // at most a twentieth of the time
		{0, 0, "write step step tell step validate write"},                                      // every 10 s
	} {
		synctest.Test(t, func(t *testing.T) {
			c := &counting{most: 3, takes: time.Second, writing: test.writing}
			told := func(line int) {
				c.asked = append(c.asked, "tell")
				if !slices.Equal(c.lines, []int{line}) {
					t.Errorf("%v told, the state has %v", line, c.lines)
				}
			}
			if err := c.training().Run(t.Context(), ReportedOptions[int]{Dir: "folder", CheckpointEvery: test.every, Progress: told}); err != nil {
				t.Fatal(err)
			}
			got := strings.ReplaceAll(strings.Join(c.asked, " "), "late step", "step")
			if got != test.want || Measured(c.validation) != "good" {
				t.Errorf("every %v: %s, validation %q; want %s", test.every, got, Measured(c.validation), test.want)
			}
			c.asked = nil // once it is through nothing is measured again
			if err := c.training().Run(t.Context(), ReportedOptions[int]{}); err != nil || len(c.asked) > 0 {
				t.Errorf("again: %v, %v", c.asked, err)
			}
		})
	}
}

// TestTimeLimit ends a training with a checkpoint, and without what comes at the end.
func TestTimeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		steps, writes := 0, 0
		err := Training{
			Through: func() bool { return false },
			Step:    func(context.Context) error { steps++; time.Sleep(time.Second); return nil },
			End:     func(context.Context) error { return errors.New("it is not the end") },
			Write:   func(string) error { writes++; return nil },
		}.Run(t.Context(), Options{Dir: "folder", TimeLimit: 5 * time.Second})
		if err != nil || steps != 5 || writes != 2 {
			t.Errorf("%d steps, %d checkpoints, error %v", steps, writes, err)
		}
	})
}

// TestInterim: all checkpoints but the last are interim ones, also where the time is up.
func TestInterim(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, limit := range []time.Duration{0, 3 * time.Second} {
			steps := 0
			var writes []string
			err := Training{
				Through: func() bool { return steps == 5 },
				Step:    func(context.Context) error { steps++; time.Sleep(time.Second); return nil },
				End:     func(context.Context) error { return nil },
				Write:   func(string) error { writes = append(writes, "last"); return nil },
				Interim: func(string) error { writes = append(writes, "interim"); return nil },
			}.Run(t.Context(), Options{Dir: "folder", CheckpointEvery: 2 * time.Second, TimeLimit: limit})
			if err != nil || writes[len(writes)-1] != "last" || slices.Index(writes, "last") != len(writes)-1 || len(writes) < 3 {
				t.Errorf("limit %v: %v, error %v", limit, writes, err)
			}
		}
	})
}

// TestEndsEarly: a checkpoint is the last that a training writes which the context ends, and
// where something fails the one before is kept; the context is looked at before a step.
func TestEndsEarly(t *testing.T) {
	cause := errors.New("no more")
	ended, end := context.WithCancel(t.Context())
	end()
	for _, test := range []struct {
		ctx     context.Context
		failsAt string
		cause   error
		want    string
	}{
		{ended, "", context.Canceled, "write write"},
		{t.Context(), "late step", cause, "write step step late step"},
		{t.Context(), "validate", cause, "write step step late step validate"},
	} {
		c := &counting{most: 3, fails: cause, failsAt: test.failsAt}
		err := c.training().Run(test.ctx, ReportedOptions[int]{Dir: "folder"})
		if got := strings.Join(c.asked, " "); !errors.Is(err, test.cause) || got != test.want || c.validation != nil {
			t.Errorf("%s: %v after %s, validation %v; want %s", test.failsAt, err, got, c.validation, test.want)
		}
	}
	c := &counting{most: 3, fails: cause, failsAt: "write"}
	const want = "counting: checkpoint not written, the one before is kept: no more"
	if err := c.training().Run(t.Context(), ReportedOptions[int]{Dir: "folder"}); !errors.Is(err, cause) || err.Error() != want || c.steps > 0 {
		t.Errorf("%v after %d steps, want %s after none", err, c.steps, want)
	}
}

// TestResume: errors name the package and the file.
func TestResume(t *testing.T) {
	path := filepath.Join(t.TempDir(), "counting.rgm")
	read := func(data []byte) (*string, error) {
		if len(data) == 0 {
			return nil, sealed.ErrNotWhole
		}
		text := string(data)
		return &text, nil
	}
	if _, err := Resume("counting", path, read); !errors.Is(err, os.ErrNotExist) || !strings.HasPrefix(err.Error(), "counting: ") {
		t.Errorf("a file that is not there: %v", err)
	}
	for text, want := range map[string]error{"": sealed.ErrNotWhole, "state": nil} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := Resume("counting", path, read)
		if !errors.Is(err, want) || err != nil && !strings.HasPrefix(err.Error(), "counting: "+path+": ") || Measured(got) != text {
			t.Errorf("%q: %q, %v", text, Measured(got), err)
		}
	}
}

// TestRateFallsAsACosine, and what decays goes by its share.
func TestRateFallsAsACosine(t *testing.T) {
	if first, half, last := Rate(0.5, 0, 10), Rate(0.5, 5, 10), Rate(0.5, 10, 10); first != 0.5 || half < 0.25-1e-15 || half > 0.25+1e-15 || last != 0 {
		t.Errorf("rates %v, %v, %v", first, half, last)
	}
	weights := []models.Parameter{{Data: []float32{1, -2}}, {Data: []float32{4}}}
	Decay(weights, 0.25)
	if !slices.Equal(weights[0].Data, []float32{0.75, -1.5}) || weights[1].Data[0] != 3 {
		t.Errorf("weights %v", weights)
	}
}

// TestRestoreOptimiser refuses moments of another network.
func TestRestoreOptimiser(t *testing.T) {
	to := &models.Adam{First: [][]float32{{0, 0}}, Second: [][]float32{{0, 0}}}
	from := &models.Adam{First: [][]float32{{1, 2}}, Second: [][]float32{{3, 4}}, Updates: 5}
	if err := RestoreOptimiser(to, from); err != nil || to.Updates != 5 || !slices.Equal(to.First[0], from.First[0]) || !slices.Equal(to.Second[0], from.Second[0]) {
		t.Errorf("%+v, %v", to, err)
	}
	from.First[0][0] = 9 // what was restored is a copy
	if to.First[0][0] != 1 {
		t.Error("the memory is shared")
	}
	if err := RestoreOptimiser(to, &models.Adam{First: from.First, Second: [][]float32{{3}}}); !errors.Is(err, sealed.ErrNotWhole) {
		t.Errorf("moments of another network: %v", err)
	}
}

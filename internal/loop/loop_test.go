package loop

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
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
}

func (c *counting) training() Training[int, string] {
	tell := func(what string) error {
		c.asked = append(c.asked, what)
		if what == c.failsAt {
			return c.fails
		}
		return nil
	}
	return Training[int, string]{
		Package: "counting", File: "counting.rgm", Lines: &c.lines, Validation: &c.validation,
		Through: func() bool { return c.steps == c.most },
		Step: func(context.Context) (*int, error) {
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
		Write:    func(string) error { return tell("write") },
	}
}

// TestOrder: a checkpoint at the beginning, after steps where one is due, and at the end; a
// line is in the state before it is told.
func TestOrder(t *testing.T) {
	for _, test := range []struct {
		every time.Duration
		want  string
	}{
		{time.Hour, "write step step tell step validate write"},
		{time.Nanosecond, "write step write step tell write step write validate write"},
		{0, "write step step tell step validate write"}, // the default is longer than this takes
	} {
		c := &counting{most: 3}
		told := func(line int) {
			c.asked = append(c.asked, "tell")
			if !slices.Equal(c.lines, []int{line}) {
				t.Errorf("%v told, the state has %v", line, c.lines)
			}
		}
		if err := c.training().Run(t.Context(), Options[int]{Dir: "folder", CheckpointEvery: test.every, Progress: told}); err != nil {
			t.Fatal(err)
		}
		got := strings.ReplaceAll(strings.Join(c.asked, " "), "late step", "step")
		if got != test.want || Measured(c.validation) != "good" {
			t.Errorf("every %v: %s, validation %q; want %s", test.every, got, Measured(c.validation), test.want)
		}
		c.asked = nil // once it is through nothing is measured again
		if err := c.training().Run(t.Context(), Options[int]{}); err != nil || len(c.asked) > 0 {
			t.Errorf("again: %v, %v", c.asked, err)
		}
	}
}

// TestEndsEarly: whatever ends a training, a checkpoint is the last that it writes, and the
// context is looked at before a step.
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
		{t.Context(), "late step", cause, "write step step late step write"},
		{t.Context(), "validate", cause, "write step step late step validate write"},
	} {
		c := &counting{most: 3, fails: cause, failsAt: test.failsAt}
		err := c.training().Run(test.ctx, Options[int]{Dir: "folder"})
		if got := strings.Join(c.asked, " "); !errors.Is(err, test.cause) || got != test.want || c.validation != nil {
			t.Errorf("%s: %v after %s, validation %v; want %s", test.failsAt, err, got, c.validation, test.want)
		}
	}
	c := &counting{most: 3, fails: cause, failsAt: "write"}
	const want = "counting: checkpoint not written, the one before is kept: no more"
	if err := c.training().Run(t.Context(), Options[int]{Dir: "folder"}); !errors.Is(err, cause) || err.Error() != want || c.steps > 0 {
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

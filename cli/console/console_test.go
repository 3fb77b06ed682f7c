package console

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestLines: text has the time where it was asked for; as JSON every line is an object,
// and durations have their unit.
func TestLines(t *testing.T) {
	var out bytes.Buffer
	c := &Console{out: &out}
	lines := func(apply func(Settings), format string, quiet bool) string {
		out.Reset()
		apply(Settings{LogFormat: format, Quiet: quiet})
		c.Announce("listening on", "http://127.0.0.1:1")
		c.Log.Info("request", "took", 1500*time.Microsecond)
		return out.String()
	}
	const announced = "listening on http://127.0.0.1:1\n"
	if have, want := lines(c.Apply, LogText, false), announced+"level=INFO msg=request took=1.5ms\n"; have != want {
		t.Errorf("%q, want %q", have, want)
	}
	timed := regexp.MustCompile(`^` + announced + `time=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\S+ level=INFO msg=request took=1.5ms\n$`)
	if have := lines(c.ApplyTimed, LogText, false); !timed.MatchString(have) {
		t.Errorf("with the time: %q", have)
	}
	var objects []map[string]any
	for line := range strings.Lines(lines(c.ApplyTimed, LogJSON, false) + lines(c.Apply, LogJSON, true)) {
		var o map[string]any
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		objects = append(objects, o)
	}
	if len(objects) != 3 || objects[0]["msg"] != "listening on" || objects[0]["url"] != "http://127.0.0.1:1" || objects[0]["time"] == nil ||
		objects[1]["took"] != "1.5ms" || objects[2]["msg"] != "listening on" {
		t.Errorf("as JSON: %v", objects)
	}
}

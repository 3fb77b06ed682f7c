package results

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/internal/atomicfile"
)

// settingsFile holds, in a folder of results, the settings that they depend on.
const settingsFile = "settings.toml"

// incidentalSettings are those that results do not depend on, but for the rounding
// of another provider.
var incidentalSettings = []string{
	"format", "input-format", "log-format", "out", "provider", "quiet", "recursive", "resume", "shard", "summary", "threads", "total-time", "workers", "y-down",
}

// settle writes the settings into a new folder, and compares them with those of
// one that has some: the results in a folder are comparable.
func (f *Folder) settle(of any) error {
	table, err := settings.Table(of)
	if err != nil {
		return err
	}
	maps.DeleteFunc(table, func(key string, _ any) bool { return slices.Contains(incidentalSettings, key) })
	text, err := toml.Marshal(table)
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	there, err := f.root.ReadFile(settingsFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return atomicfile.WriteIn(f.root, settingsFile, atomicfile.Bytes(text))
	case err != nil:
		return fmt.Errorf("--out: %w", err)
	case bytes.Equal(there, text):
		return nil
	}
	return settings.Usage(fmt.Errorf("--out %s: the results there were made with other settings (%s; here %s): take its %s as --config, or another folder",
		f.root.Name(), linesOnlyIn(there, text), linesOnlyIn(text, there), settingsFile))
}

// linesOnlyIn lists the lines of a text that another does not have.
func linesOnlyIn(text, other []byte) string {
	others := strings.Split(string(other), "\n")
	lines := slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool { return slices.Contains(others, line) })
	return strings.Join(lines, ", ")
}

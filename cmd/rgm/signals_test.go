//go:build unix

package main

import (
	"strings"
	"testing"

	"github.com/rgm-go/rgm/cli/clitest"
)

// longCommands take minutes, or go on until they are told to end. By each method and preset, which rgm-lab
// has all, lab/cmd/rgm-lab tries them.
func longCommands() map[string]string {
	return map[string]string{
		"match":                "match --method profile IN/left.csv IN/right.csv",
		"match --time-limit":   "match --time-limit 1h IN/left.csv IN/right.csv",
		"solve --out":          "solve --method tabu --time-limit 1h --out OUT/results nug12 nug30 tai100a",
		"solve --refine":       "solve --method greedy --max-steps 1 --refine tabu --time-limit 1h tai100a",
		"solve --beam":         "solve --method rgm --beam 64 --max-steps 1000000 tai100a",
		"solve --restarts":     "solve --method faq --restarts 100000 tai100a",
		"train, large network": "train --set model.hidden=256 --set sizes=64 --set pool=2 --set validation_pool=1 --set warmup=64 --out OUT/run",
		"datasets generate":    "datasets generate --pairs 1000000 --inliers 5 OUT/made",
		"serve":                "serve --listen 127.0.0.1:0 --provider go",
		"datasets problems":    "datasets problems --count 1000000 OUT/problems",
		"train --preset qap":   "train --preset qap --out OUT/run",
	}
}

func TestTerminate(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	long := clitest.LongCommands{
		Program: "rgm", Commands: longCommands(),
		Few: []string{"match", "solve --out", "serve", "train --preset qap"},
	}
	long.Terminate(t)
}

func TestBrokenPipe(t *testing.T) {
	clitest.BrokenPipe(t, "rgm",
		"solve --method tabu --max-steps 50 --out OUT/results nug12 nug14 nug15 had12 had14", "solve --method tabu --max-steps 50 --format json nug12 nug14",
		"solve --method tabu --max-steps 50 --format csv nug12", "datasets list", "datasets show nug12", "inspect qap", "version", "train --print-config", "help solve",
		"solve --method tabu --time-limit 2s --workers 1 --format json"+strings.Repeat(" nug30", 60), // two minutes, if nothing ends it
	)
}

//go:build unix

package main

import (
	"testing"

	"github.com/rgm-go/rgm/cli/clitest"
)

// writers are the commands that write files.
var writers = clitest.Writers{
	Program: "rgm",
	Commands: map[string]string{
		"solve --out":             "solve --method tabu --max-steps 50 --out OUT/results nug12 had12",
		"solve --summary":         "solve --method tabu --max-steps 50 --summary OUT/summary.json nug12",
		"solve -o":                "solve --method tabu --max-steps 50 -o OUT/placement.svg nug12",
		"match -o":                "match --method profile -o OUT/pair.svg IN/left.csv IN/right.csv",
		"train":                   "train " + clitest.SmallTraining + " --set episodes=20 --out OUT/run",
		"datasets problems":       "datasets problems --families grid --sizes 5 --count 2 OUT/problems",
		"export":                  "export qap -o OUT/qap.onnx",
		"export --self-contained": "export matching --self-contained -o OUT/matching.onnx",
		"plot matching":           "plot matching --out OUT/pair.png IN/made_P1.npy IN/made_P2.npy IN/made_X.npy",
		"datasets convert .dat":   "datasets convert nug12 OUT/nug12.dat",
		"datasets convert .npy":   "datasets convert IN/one.npy OUT/k.npy",
		"datasets convert .dd":    "datasets convert IN/one.npy OUT/k.dd",
		"datasets generate":       "datasets generate --pairs 2 OUT/made",
	},
	Few:    []string{"datasets convert .dat", "datasets generate", "export", "match -o", "solve --out", "solve --summary"},
	Inputs: map[string]string{"nug12.json": "solve --method tabu --max-steps 50 --format json nug12"},
}

func init() { testCommands["rgm-small-disk"] = clitest.OnSmallDisk(main) }

func TestFullDisk(t *testing.T) { writers.FullDisk(t) }

func TestReadOnlyFolder(t *testing.T) { writers.ReadOnlyFolder(t) }

func TestFullStandardOutput(t *testing.T) {
	writers.FullStandardOutput(t,
		"solve --method tabu --max-steps 50 nug12", "solve --method tabu --max-steps 50 --format json nug12", "solve --method tabu --max-steps 50 --format csv nug12",
		"match --method profile --format csv IN/left.csv IN/right.csv", "inspect IN/run/model.onnx", "datasets list", "version", "score nug12 IN/nug12.json",
		"train --print-config")
}

//go:build unix

package main

import (
	"testing"

	"github.com/rgm-go/rgm/cli/clitest"
)

// writers are the commands that write files.
var writers = clitest.Writers{
	Program: "rgm-lab",
	Commands: map[string]string{
		"train affinity":           "train affinity --pairs 20 --size-pairs 20 --validation-pairs 4 --updates 4 --size-updates 4 --width 4 --most-nodes 7 --out OUT/affinity",
		"train ngm":                "train ngm --updates 2 --batch 2 --validation-pairs 2 --most-nodes 7 --out OUT/ngm",
		"train rewrite":            "train rewrite --updates 2 --batch 2 --validation-pairs 2 --most-nodes 7 --out OUT/rewrite",
		"train lcs":                "train lcs --updates 2 --batch 2 --validation-pairs 2 --most-nodes 7 --out OUT/lcs",
		"report":                   "report --parts figure3 OUT/report",
		"bench qaplib --plot":      "bench qaplib --max-n 12 --methods greedy --max-steps 5 --plot OUT/gaps.svg",
		"bench matching --scatter": "bench matching --pairs 1 --methods sm --scatter OUT/scores.csv,OUT/scores.svg",
		"bench training":           "bench training sensitivity " + clitest.SmallTraining + " --set episodes=20 --variants gamma=0.5 --seeds 1 --max-n 12 --rollouts 1 --out OUT/study",
		"plot training":            "plot training --out OUT/curves.svg IN/run",
		"plot profile":             "plot profile --out OUT/profile.svg IN/one.npy",
		"plot affinity":            "plot affinity --out OUT/affinity.png IN/one.npy",
		"plot frontier":            "plot frontier --out OUT/frontier.svg IN/gaps.jsonl",
		"plot f1":                  "plot f1 --out OUT/f1.svg IN/f1.jsonl",
	},
	Few: []string{"bench qaplib --plot", "plot f1"},
	Inputs: map[string]string{
		"gaps.jsonl": "bench qaplib --max-n 12 --methods greedy --time-limits 1ms,2ms --format json",
		"f1.jsonl":   "bench matching --pairs 1 --methods sm --format json",
	},
}

func init() { testCommands["rgm-lab-small-disk"] = clitest.OnSmallDisk(main) }

func TestFullDisk(t *testing.T) { writers.FullDisk(t) }

func TestReadOnlyFolder(t *testing.T) { writers.ReadOnlyFolder(t) }

func TestFullStandardOutput(t *testing.T) {
	writers.FullStandardOutput(t, "bench matching --pairs 1 --methods sm --format json")
}

//go:build unix

package main

import (
	"testing"

	"github.com/rgm-go/rgm/cli/clitest"
	"github.com/rgm-go/rgm/cli/search"
	"github.com/rgm-go/rgm/train"
)

func TestTerminate(t *testing.T) {
	long := clitest.LongCommands{
		Program: "rgm-lab",
		Commands: map[string]string{
			"train affinity":   "train affinity --pairs 1000000 --out OUT/run",
			"train ngm":        "train ngm --updates 1000000 --out OUT/run",
			"train ngm, large": "train ngm --least-nodes 40 --most-nodes 40 --out OUT/run",
			"train lcs":        "train lcs --updates 1000000 --out OUT/run",
			"train rewrite":    "train rewrite --updates 1000000 --out OUT/run",
			"bench qaplib":     "bench qaplib --time-limit 1h",
			"bench matching":   "bench matching --pairs 100000",
			"bench training":   "bench training ablation --out OUT/study",
			"bench models":     "bench models qap --set sizes=100",
			"report":           "report OUT/report",
			"plot profile":     "plot profile --time-limit 1h --out OUT/profile.svg IN/large.npy",
		},
		Few: []string{"report"},
	}
	for _, method := range search.MethodNames() {
		long.Commands["solve --method "+method+", tai256c"] = "solve --time-limit 1h --method " + method + " tai256c"
		long.Commands["solve --method "+method+", affinities"] = "solve --time-limit 1h --method " + method + " IN/large.npy"
	}
	for _, preset := range train.Presets() {
		long.Commands["train --preset "+preset] = "train --preset " + preset + " --out OUT/run"
	}
	long.Terminate(t)
}

func TestBrokenPipe(t *testing.T) {
	clitest.BrokenPipe(t, "rgm-lab", "bench matching --pairs 1 --methods sm --format json")
}

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/cli/clitest"
	"github.com/rgm-go/rgm/cli/search"
)

// TestSameOnAnyProcessors: every method prints the same to the last bit on 1, 2 and 4
// processors, but for the time it took.
func TestSameOnAnyProcessors(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	clock := regexp.MustCompile(`"[a-z_]*seconds[a-z_]*":[0-9.e+-]+`)
	dir := t.TempDir()
	clitest.MustRun(t, "rgm-lab", "datasets", "generate", "--pairs", "2", "--inliers", "5", "--outliers", "2", "--name", "made", dir)
	tried, methods := 0, []string{"auto", "rgm", "rrwm"}
	if clitest.Campaign {
		methods = search.MethodNames()
	}
	for _, method := range methods {
		for _, instances := range []string{"nug12 had12 chr12a", "nug20", dir + "/made_A.npy"} {
			var first string
			for _, processors := range []int{1, 2, 4} {
				line := fmt.Sprintf("solve --seed 7 --max-steps 60 --format json --method %s --provider go %s", method, instances)
				if !needsProvider(method) {
					line = strings.Replace(line, "--provider go ", "", 1)
				}
				cmd := exec.Command("rgm-lab", strings.Fields(line)...)
				cmd.Env = append(os.Environ(), fmt.Sprint("GOMAXPROCS=", processors))
				output, err := cmd.Output() // of a method that does not serve the instances the failures
				if exit := new(exec.ExitError); errors.As(err, &exit) && strings.Contains(string(exit.Stderr), "has no pretrained model") {
					continue
				}
				text := fmt.Sprint(clock.ReplaceAllString(string(output), ""), err)
				if len(output) == 0 {
					t.Errorf("%s: nothing printed, %v", line, err)
				}
				if first == "" {
					first = text
				} else if text != first {
					t.Errorf("%s on %d processors:\n%s\non 1:\n%s", line, processors, text, first)
				}
				tried++
			}
		}
	}
	t.Attr("tried", fmt.Sprint(tried))
}

// needsProvider reports whether a method may evaluate a network.
func needsProvider(method string) bool {
	return method == "rgm" || method == "auto"
}

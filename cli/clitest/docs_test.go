package clitest

import (
	"testing"

	"github.com/spf13/cobra"
)

// toy is a program with a few commands and flags.
func toy() *cobra.Command {
	root := &cobra.Command{Use: "rgm"}
	solve := &cobra.Command{Use: "solve", Run: func(*cobra.Command, []string) {}}
	solve.Flags().Duration("time-limit", 0, "")
	solve.Flags().Int("inliers", 0, "")
	solve.Flags().Int("seed", 0, "")
	root.AddCommand(solve, &cobra.Command{Use: "version", Run: func(*cobra.Command, []string) {}})
	return root
}

// TestWrongWords: what cannot be pasted is found.
func TestWrongWords(t *testing.T) {
	root := toy()
	for line, wrong := range map[string]bool{
		"rgm solve --time-limit 1s nug12 # or …":                  false,
		"go run ./cmd/rgm solve nug12 && rgm version":             false,
		"RGM_SEED=3 rgm solve --seed=1 tai27e0[12].dat":           false,
		"go test ./... -run 'A|B'":                                false,
		"rgm solve … nug12":                                       true,
		"rgm solve --no-such-flag nug12":                          true,
		"rgm solve -x a b":                                        true,
		"rgm frobnicate":                                          true,
		"rgm solve --inliers 3 [--seed 10]":                       true,
		"curl http://127.0.0.1:8080/v1/jobs/... -d @request.json": true,
		"rgm version | rgm solve --seed 2 --not-a-flag > x":       true,
	} {
		if found := wrongWords(root, line); (len(found) > 0) != wrong {
			t.Errorf("%q: found %q", line, found)
		}
	}
}

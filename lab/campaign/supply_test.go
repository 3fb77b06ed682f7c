package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
)

var update = flag.Bool("update", false, "write lab/notes/reliability/licences.csv anew")

// command runs a program in a folder and returns its standard output.
func command(t *testing.T, dir string, environment []string, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), environment...)
	output, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Logf("%s", exit.Stderr)
		}
		t.Fatalf("%s %s: %v", name, strings.Join(args, " "), err)
	}
	return output
}

// TestReproducibleBuild: clones in two folders build the same program to the last bit, one
// of them from nothing.
func TestReproducibleBuild(t *testing.T) {
	if !inCampaign {
		t.Skip("builds everything; needs RGM_TEST_CAMPAIGN")
	}
	root := strings.TrimSpace(string(command(t, ".", nil, "git", "rev-parse", "--show-toplevel")))
	var sums [2][sha256.Size]byte
	for k, environment := range [][]string{nil, {"GOCACHE=" + t.TempDir()}} {
		dir := filepath.Join(t.TempDir(), strings.Repeat("deeper/", k+1))
		command(t, ".", nil, "git", "clone", "-q", root, dir)
		program := filepath.Join(t.TempDir(), "rgm")
		command(t, dir, environment, "go", "build", "-trimpath", "-o", program, "./cmd/rgm")
		data := must.Get(os.ReadFile(program))(t)
		sums[k] = sha256.Sum256(data)
	}
	if sums[0] != sums[1] {
		t.Errorf("sha256 %x and %x", sums[0], sums[1])
	}
	t.Logf("sha256 %x", sums[0])
	t.Attr("tried", "2")
}

// licences are told by what their texts say. All let a program that holds the module be
// used, changed and passed on.
var licences = []struct {
	name string
	says *regexp.Regexp
}{
	{"Apache-2.0", regexp.MustCompile(`Apache License\s+Version 2\.0`)},
	{"OFL-1.1", regexp.MustCompile(`SIL OPEN FONT LICENSE`)},
	{"BSD-3-Clause", regexp.MustCompile(`(?s)Redistribution and use in source and binary forms.*(Neither|neither) the name`)},
	{"BSD-2-Clause", regexp.MustCompile(`Redistribution and use in source and binary forms`)},
	{"MIT", regexp.MustCompile(`Permission is hereby granted, free of charge`)},
	{"ISC", regexp.MustCompile(`Permission to use, copy, modify, and(/or)? distribute this software`)},
	{"Unlicense", regexp.MustCompile(`This is free and unencumbered software released into the public domain`)},
	{"FTL", regexp.MustCompile(`The FreeType License`)},
	{"CC-BY-4.0", regexp.MustCompile(`Creative Commons Attribution 4\.0 International`)},
}

// licenceOf returns the names of the licences of a module, from the files in its folder.
func licenceOf(t *testing.T, folder string) string {
	t.Helper()
	entries := must.Get(os.ReadDir(folder))(t)
	isLicence := regexp.MustCompile(`(?i)^(un)?licen[cs]e|^copying`)
	found := map[string]bool{}
	for _, entry := range entries {
		if entry.IsDir() || !isLicence.MatchString(entry.Name()) {
			continue
		}
		text := must.Get(os.ReadFile(filepath.Join(folder, entry.Name())))(t)
		for _, l := range licences {
			if l.says.Match(text) {
				found[l.name] = true
				break
			}
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(found)), " and ")
}

// module is what this test asks go list for.
type module struct {
	Path, Version, Dir string
}

// TestLicences: every module that a program of a release is built of has a licence that is known to be
// free, and lab/notes/reliability/licences.csv lists them.
func TestLicences(t *testing.T) {
	listed := func(folder, program string) []byte {
		return command(t, folder, []string{"GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=1"}, "go", "list", "-deps", "-json=Module", program)
	}
	output := append(listed("../..", "./cmd/rgm"), listed("../../cluster", "./cmd/rgm-cluster")...)
	modules := map[string]module{}
	for decoder := json.NewDecoder(bytes.NewReader(output)); ; {
		var p struct{ Module *module }
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if p.Module != nil && !strings.HasPrefix(p.Module.Path, "github.com/rgm-go/rgm") {
			modules[p.Module.Path] = *p.Module
		}
	}
	var list strings.Builder
	list.WriteString("module,version,licence\n")
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		m := modules[path]
		licence := licenceOf(t, m.Dir)
		if licence == "" {
			t.Errorf("%s: no licence that is known in %s", path, m.Dir)
		}
		fmt.Fprintf(&list, "%s,%s,%s\n", path, m.Version, licence)
	}
	const file = "../notes/reliability/licences.csv"
	if *update {
		if err := os.WriteFile(file, []byte(list.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != list.String() {
		t.Errorf("%s is not the list of modules (%v): look at their licences, then go -C lab test ./campaign -run Licences -update\n%s", file, err, &list)
	}
	t.Attr("tried", fmt.Sprint(len(modules)))
}

// govulncheck is the version of the tool.
const govulncheck = "golang.org/x/vuln/cmd/govulncheck@v1.1.4"

// TestVulnerabilities: govulncheck knows no vulnerability that the program reaches. It needs
// the network.
func TestVulnerabilities(t *testing.T) {
	if !inCampaign {
		t.Skip("asks the database of vulnerabilities; needs RGM_TEST_CAMPAIGN")
	}
	client := http.Client{Timeout: 30 * time.Second}
	answer, err := client.Get("https://vuln.go.dev/index/db.json")
	if err == nil {
		answer.Body.Close()
	}
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Skip("the database of vulnerabilities cannot be reached")
	}
	output, err := exec.Command("go", "run", govulncheck, "-C", "../../cluster", "./cmd/rgm-cluster").CombinedOutput() // rgm, and the queue
	if err != nil {
		t.Errorf("%v\n%s", err, output)
	}
	t.Attr("tried", "1")
}

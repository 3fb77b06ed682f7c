package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/rgm-go/rgm/internal/version"
)

// target is a program and the system that it is for.
type target struct {
	command  string // rgm, or rgm-cluster of the module cluster
	os, arch string
	cgo      bool // with ONNX Runtime, and searches in C: it needs the system's C library
}

// targets are those of a release. A program with cgo is for the machine that makes it; rgm-cluster is for servers.
func targets() []target {
	var all []target
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, arch := range []string{"amd64", "arm64"} {
			all = append(all, target{"rgm", system, arch, false})
		}
	}
	return append(all, target{"rgm", runtime.GOOS, runtime.GOARCH, true}, target{"rgm-cluster", "linux", "amd64", false},
		target{"rgm-cluster", "linux", "arm64", false}, target{"rgm-cluster", runtime.GOOS, runtime.GOARCH, true})
}

// native is rgm for this machine, without cgo.
func native() target { return target{"rgm", runtime.GOOS, runtime.GOARCH, false} }

// name is that of the archive, without its ending.
func (t target) name() string {
	name := t.command + "_" + version.Number + "_" + t.os + "_" + t.arch
	if t.cgo {
		name += "_onnxruntime"
	}
	return name
}

// program returns the path of the program in a folder.
func (t target) program(folder string) string {
	path := filepath.Join(folder, t.name())
	if t.os == "windows" {
		path += ".exe"
	}
	return path
}

// programs makes the programs, and an archive of each with what goes with it.
func (b *build) programs() error {
	folder := filepath.Join(b.source, "programs")
	for _, t := range targets() {
		if err := b.compile(t, folder); err != nil {
			return err
		}
	}
	common, err := manuals(b.time)
	if err != nil {
		return err
	}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		text, err := os.ReadFile(filepath.Join(b.source, name))
		if err != nil {
			return err
		}
		common = append(common, file{name, text, 0o644})
	}
	for _, t := range targets() {
		program, err := os.ReadFile(t.program(folder))
		if err != nil {
			return err
		}
		files, ending := []file{{t.command, program, 0o755}}, ".tar.gz"
		if t.os == "windows" {
			files[0].name, ending = "rgm.exe", ".zip"
		}
		if err := b.archive(t.name()+ending, under(t.name(), append(files, common...))); err != nil {
			return err
		}
	}
	if err := b.try(folder); err != nil {
		return err
	}
	return b.bill(folder)
}

// compile makes one program.
func (b *build) compile(t target, folder string) error {
	enabled, flags := "0", "-s -w -buildid="
	if t.cgo {
		enabled = "1"
		if t.os == "linux" {
			flags += " -extldflags=-Wl,--build-id=none"
		}
	}
	plain := b.env
	defer func() { b.env = plain }()
	b.env = append(b.env[:len(b.env):len(b.env)], "GOOS="+t.os, "GOARCH="+t.arch, "CGO_ENABLED="+enabled)
	module := ""
	if t.command != "rgm" {
		module = "cluster"
	}
	return b.run(module, "go", "build", "-trimpath", "-ldflags", flags, "-o", t.program(folder), "./cmd/"+t.command)
}

// trial is a search whose result is the same on every machine.
var trial = []string{"solve", "--method", "tabu", "--max-steps", "2000", "--seed", "1", "--format", "json", "nug12"}

// try starts the programs that this machine can run, as they are or by an emulator, and compares
// what they find.
func (b *build) try(folder string) error {
	emulators := map[string]string{"linux/arm64": "qemu-aarch64", "linux/amd64": "qemu-x86_64", "windows/amd64": "wine"}
	found := map[string]string{} // who by what
	for _, t := range targets() {
		command, by := append([]string{t.program(folder)}, trial...), "this machine"
		if t.os != runtime.GOOS || t.arch != runtime.GOARCH {
			by = emulators[t.os+"/"+t.arch]
			if _, err := exec.LookPath(by); by == "" || errors.Is(err, exec.ErrNotFound) {
				log.Printf("%-40s compiled, not started: no emulator", t.name())
				continue
			}
			command = append([]string{by}, command...)
		}
		var said bytes.Buffer
		c := exec.Command(command[0], command[1:]...)
		c.Env = append(b.env[:len(b.env):len(b.env)], "WINEDEBUG=-all", "WINEDLLOVERRIDES=mscoree,mshtml=", "WINEPREFIX="+filepath.Join(b.source, "wine"))
		c.Stderr = &said
		text, err := c.Output()
		if err != nil && by == "wine" && strings.Contains(said.String(), "bcryptprimitives.dll not found") {
			log.Printf("%-40s compiled, not started: this Wine is older than what Go's programs need", t.name())
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, said.String())
		}
		var answer struct {
			Objective float64
			Matching  []int
			Steps     int
		}
		if err := json.Unmarshal(text, &answer); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(command, " "), err)
		}
		found[fmt.Sprint(answer)] = t.name()
		if len(found) > 1 {
			return fmt.Errorf("programs find different results: %v", found)
		}
		log.Printf("%-40s started by %s", t.name(), by)
	}
	return nil
}

// filesOf returns the files of a folder, below a name.
func filesOf(folder, name string) ([]file, error) {
	var files []file
	err := fs.WalkDir(os.DirFS(folder), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(folder, path))
		files = append(files, file{filepath.ToSlash(filepath.Join(name, path)), content, 0o644})
		return err
	})
	return files, err
}

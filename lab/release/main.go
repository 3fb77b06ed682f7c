// Command release makes what a release has, of the commit that is checked out: programs for all
// systems, the wheel, the package for npm, the page, manuals and completions, an image, an SBOM and
// checksums. The same commit, compilers and tools give the same bytes: -twice shows it.
//
//	go -C lab run ./release -out dist
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rgm-go/rgm/internal/version"
)

func main() {
	log.SetFlags(0)
	out := flag.String("out", "dist", "`folder` of what is made, from the root of the repository; what is there is replaced")
	tag := flag.String("tag", "", "the `tag` of the release, which must be v and the version")
	twice := flag.Bool("twice", false, "make it twice, from different folders and with nothing cached, and compare")
	flag.Parse()
	if *tag != "" && *tag != "v"+version.Number {
		log.Fatalf("release: the tag is %s and the version %s: set internal/version and what TestVersions names", *tag, version.Number)
	}
	root, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err == nil {
		err = os.Chdir(strings.TrimSpace(string(root)))
	}
	if err != nil {
		log.Fatal("release: this is no clone of the repository: ", err)
	}
	if err := release(*out); err != nil {
		log.Fatal("release: ", err)
	}
	if *twice {
		if err := compare(*out); err != nil {
			log.Fatal("release: ", err)
		}
	}
}

// build is one release in the making.
type build struct {
	source string    // a clone of the repository, without what is not committed
	out    string    // absolute
	time   time.Time // of the commit: of every file in an archive
	env    []string  // in which commands run
}

// release makes a release in a folder, and tries what this machine can start.
func release(out string, env ...string) error {
	work, err := os.MkdirTemp("", "rgm-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	b := &build{source: filepath.Join(work, "rgm"), env: append(os.Environ(), env...)}
	if b.out, err = filepath.Abs(out); err != nil {
		return err
	}
	if err := os.RemoveAll(b.out); err != nil {
		return err
	}
	if err := os.MkdirAll(b.out, 0o755); err != nil {
		return err
	}
	if err := b.run("", "git", "clone", "-q", ".", b.source); err != nil {
		return err
	}
	seconds, err := exec.Command("git", "-C", b.source, "log", "-1", "--format=%cI").Output()
	if err == nil {
		b.time, err = time.Parse(time.RFC3339, strings.TrimSpace(string(seconds)))
	}
	if err != nil {
		return err
	}
	b.env = append(b.env, fmt.Sprintf("SOURCE_DATE_EPOCH=%d", b.time.Unix()))
	for _, step := range []func() error{b.programs, b.browser, b.python, b.image, b.notes, b.sums} {
		if err := step(); err != nil {
			return err
		}
	}
	return b.table()
}

// run runs a command in a folder below the source; what it prints is shown where it fails.
func (b *build) run(folder, name string, args ...string) error {
	c := exec.Command(name, args...)
	c.Env = b.env
	if name != "git" {
		c.Dir = filepath.Join(b.source, folder)
	}
	if text, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, text)
	}
	return nil
}

// browser makes the page for any web server, which is also the folder of rgm serve --browser, and
// the package for npm.
func (b *build) browser() error {
	site := filepath.Join(b.source, "browser")
	if err := b.run("", "web/build", "--site", site); err != nil {
		return err
	}
	files, err := filesOf(site, "browser")
	if err == nil {
		err = b.archive("rgm_"+version.Number+"_browser.tar.gz", files)
	}
	if err != nil {
		return err
	}
	return b.run("web/npm", "npm", "pack", "--ignore-scripts", "--silent", "--pack-destination", b.out)
}

// python makes the wheel of this machine, and the C library in it.
func (b *build) python() error {
	if err := b.run("", "scripts/wheel", "--out", filepath.Join(b.source, "wheel")); err != nil {
		return err
	}
	made, err := os.ReadDir(filepath.Join(b.source, "wheel"))
	if err != nil {
		return err
	}
	var library []file
	for _, entry := range made {
		content, err := os.ReadFile(filepath.Join(b.source, "wheel", entry.Name()))
		if err != nil {
			return err
		}
		if strings.HasSuffix(entry.Name(), ".whl") {
			err = os.WriteFile(filepath.Join(b.out, entry.Name()), content, 0o644)
		} else {
			library = append(library, file{"rgm/" + entry.Name(), content, 0o755})
		}
		if err != nil {
			return err
		}
	}
	return b.archive(fmt.Sprintf("rgm_%s_c_%s_%s.tar.gz", version.Number, runtime.GOOS, runtime.GOARCH), library)
}

// image makes a container image of the program alone, where buildah is there.
func (b *build) image() error {
	containerfile, err := os.ReadFile(filepath.Join(b.source, "Containerfile"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(b.out, "Containerfile"), containerfile, 0o644); err != nil {
		return err
	}
	if _, err := exec.LookPath("buildah"); err != nil || runtime.GOOS != "linux" {
		log.Print("buildah is not there: no image")
		return nil
	}
	folder := filepath.Join(b.source, "image") // what is built holds the program and the Containerfile alone
	if err := os.Mkdir(folder, 0o755); err != nil {
		return err
	}
	for from, to := range map[string]string{native().program(filepath.Join(b.source, "programs")): "rgm", filepath.Join(b.source, "Containerfile"): "Containerfile"} {
		if err := os.Rename(from, filepath.Join(folder, to)); err != nil {
			return err
		}
	}
	buildah := func(args ...string) error {
		return b.run("image", "buildah", append([]string{"--storage-driver", "vfs", "--root", filepath.Join(b.source, "images"), "--runroot", filepath.Join(b.source, "images-run")}, args...)...)
	}
	layout := filepath.Join(b.source, "layout")
	for _, args := range [][]string{
		{"bud", "--isolation", "chroot", "--timestamp", fmt.Sprint(b.time.Unix()), "-t", "rgm", "."},
		{"from", "--name", "try", "rgm"},
		append([]string{"run", "--isolation", "chroot", "try", "--", "/rgm"}, trial...),
		{"rm", "try"},
		{"push", "-q", "rgm", "oci:" + layout + ":" + version.Number}, // an archive of buildah's would hold the time
	} {
		if err := buildah(args...); err != nil {
			return err
		}
	}
	files, err := filesOf(layout, "")
	if err != nil {
		return err
	}
	log.Printf("%-40s started by buildah run", "the image")
	return b.archive(fmt.Sprintf("rgm_%s_image_%s_%s.tar", version.Number, runtime.GOOS, runtime.GOARCH), files)
}

// notes writes the section of the CHANGELOG that is this release's, and the SBOM of the programs.
func (b *build) notes() error {
	changelog, err := os.ReadFile(filepath.Join(b.source, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	heading := "## " + version.Number + " "
	if strings.HasSuffix(version.Number, "-dev") {
		heading = "## Unreleased\n"
	}
	_, section, found := bytes.Cut(changelog, []byte(heading))
	if !found {
		return fmt.Errorf("CHANGELOG.md has no section %q", strings.TrimSpace(heading))
	}
	section, _, _ = bytes.Cut(section, []byte("\n## "))
	return os.WriteFile(filepath.Join(b.out, "NOTES.md"), append([]byte(heading), section...), 0o644)
}

// compare makes the release again, with other folders and an empty cache, and compares.
func compare(out string) error {
	again, err := os.MkdirTemp("", "rgm-release-again-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(again)
	cache, err := os.MkdirTemp("", "rgm-release-cache-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(cache)
	if err := release(again, "GOCACHE="+cache); err != nil {
		return err
	}
	first, err := os.ReadFile(filepath.Join(out, sumsFile))
	if err != nil {
		return err
	}
	second, err := os.ReadFile(filepath.Join(again, sumsFile))
	if err != nil {
		return err
	}
	a, b := strings.Split(string(first), "\n"), strings.Split(string(second), "\n")
	for _, line := range a {
		if !slices.Contains(b, line) {
			err = fmt.Errorf("the second time it is another file: %s", line)
			log.Print(err)
		}
	}
	if err == nil {
		log.Print("made twice: the same bytes")
	}
	return err
}

// Package site makes static pages of the repository's Markdown: navigation, a search that runs in the reader's browser,
// one stylesheet with the colours of the page of rgm serve. The pages ask for nothing outside their folder.
package site

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"

	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/internal/version"
)

// Source is where what the site links to but does not hold can be read: files of code, folders.
const Source = "https://github.com/rgm-go/rgm/blob/main/"

// Playground is the folder of the page that computes in the reader's browser, which web/build makes.
const Playground = "playground/"

// An Entry of the navigation is a page, as a path from the repository's root, by its name there.
type Entry struct{ Name, Page string }

// A Group of the navigation has entries that a reader looks for together.
type Group struct {
	Name    string
	Entries []Entry
}

// Groups are the navigation. Pages that are not in it are found by links and by the search.
var Groups = []Group{
	{"Begin", []Entry{{"Overview", "README.md"}, {"Match two tables", "docs/tutorials/match.md"}, {"Solve a QAP", "docs/tutorials/qap.md"}, {"Over HTTP", "docs/tutorials/serve.md"}}},
	{"Tasks", []Entry{{"Match with outliers", "docs/MATCHING.md"}, {"Align", "docs/ALIGN.md"}, {"Edit distance", "docs/DISTANCE.md"}, {"Methods", "docs/SOLVERS.md"}, {"Train", "docs/TRAINING.md"}, {"Benchmarks", "docs/BENCHMARKS.md"}, {"Best known results", "lab/notes/best/README.md"}}},
	{"From", []Entry{{"Go", "docs/EMBEDDING.md"}, {"Python", "python/README.md"}, {"C", "capi/README.md"}, {"JavaScript", "web/README.md"}, {"HTTP", "docs/SERVE.md"}}},
	{"Reference", []Entry{{"Options", "docs/OPTIONS.md"}, {"Everything as text", "docs/reference.txt"}, {"JSON", "docs/CLI_JSON.md"}, {"Model files", "docs/MODEL_FORMAT.md"}, {"Changes", "CHANGELOG.md"}}},
	{"Operation", []Entry{{"The service", "docs/OPERATING.md"}, {"GPUs", "docs/CUDA.md"}}},
	{"Development", []Entry{{"Architecture", "docs/ARCHITECTURE.md"}, {"Working on rgm", "CONTRIBUTING.md"}, {"Extending", "docs/RESEARCH.md"}, {"The paper", "docs/DIFFERENCES.md"}, {"Notes", "lab/notes/README.md"}}},
}

// patterns find the pages.
var patterns = []string{"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/*.md", "docs/tutorials/*.md", "*/README.md", "datasets/qaplib/README.md", "lab/notes/*.md",
	"lab/notes/best/README.md", "models/pretrained/*.md", "lab/research/pretrained/*.md"}

// copied are the files that pages show or offer, by what their names end in.
var copied = []string{".svg", ".png", ".csv", ".json", ".jsonl", ".txt"}

var (
	//go:embed page.html
	pageText string
	//go:embed site.css
	style []byte
	//go:embed search.js
	script []byte

	page = template.Must(template.New("page").Parse(pageText))
)

// section is what the search finds: a heading with the text below it.
type section struct {
	Page, Anchor, Title, Heading, Text string
}

// builder makes the pages of one repository.
type builder struct {
	root, out string
	markdown  goldmark.Markdown
	sections  []section
	files     map[string]bool // to be copied
}

// Build writes the pages of the repository root into the folder out, and returns how many there are.
func Build(root, out string) (int, error) {
	b := builder{root: root, out: out, files: map[string]bool{"docs/reference.txt": true}, markdown: goldmark.New(
		goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), extension.Strikethrough, extension.Linkify),
		goldmark.WithRendererOptions(html.WithUnsafe()))} // the repository's own text, which folds tables by HTML
	var pages []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return 0, err
		}
		for _, file := range found {
			name, err := filepath.Rel(root, file)
			if err != nil {
				return 0, err
			}
			pages = append(pages, filepath.ToSlash(name))
		}
	}
	if !slices.Contains(pages, "README.md") {
		return 0, fmt.Errorf("site: %s has no README.md: want the root of the repository", root)
	}
	for _, name := range pages {
		if err := b.page(name); err != nil {
			return 0, fmt.Errorf("site: %s: %w", name, err)
		}
	}
	return len(pages), b.rest()
}

// page writes a page.
func (b *builder) page(name string) error {
	source, err := os.ReadFile(filepath.Join(b.root, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	document := b.markdown.Parser().Parse(text.NewReader(source))
	headings(document, source)
	if err := b.links(document, name); err != nil {
		return err
	}
	title := b.index(document, source, name)
	var body bytes.Buffer
	if err := b.markdown.Renderer().Render(&body, source, document); err != nil {
		return err
	}
	wide := strings.NewReplacer("<table>", `<div class="wide"><table>`, "</table>", "</table></div>")
	var whole bytes.Buffer
	err = page.Execute(&whole, map[string]any{
		"Title": title, "Root": strings.Repeat("../", strings.Count(name, "/")), "Page": name, "Groups": Groups, "Playground": Playground, "Source": Source + name,
		"Version": version.Number, "Body": template.HTML(wide.Replace(body.String())),
	})
	if err != nil {
		return err
	}
	return b.write(Address(name), whole.Bytes())
}

// Address is the path of a page in the site.
func Address(name string) string {
	before, isPage := strings.CutSuffix(name, ".md")
	if !isPage {
		return name
	}
	if path.Base(before) == "README" {
		return path.Join(path.Dir(before), "index.html")
	}
	return before + ".html"
}

// Address is Address, for the template.
func (e Entry) Address() string { return Address(e.Page) }

// links rewrites the links and pictures of a page: to other pages of the site, to copied files, else to the source.
func (b *builder) links(document ast.Node, name string) error {
	return ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			n.Destination = []byte(b.link(string(n.Destination), name))
		case *ast.Image:
			n.Destination = []byte(b.link(string(n.Destination), name))
		}
		return ast.WalkContinue, nil
	})
}

// link returns where a link of a page leads in the site.
func (b *builder) link(to, name string) string {
	file, anchor, hasAnchor := strings.Cut(to, "#")
	if file == "" || strings.Contains(file, "://") {
		return to
	}
	target := path.Join(path.Dir(name), file)
	switch {
	case b.isPage(target):
		file = path.Join(path.Dir(file), path.Base(Address(target)))
	case slices.Contains(copied, path.Ext(target)):
		b.files[target] = true
	default:
		return Source + target
	}
	if hasAnchor {
		file += "#" + anchor
	}
	return file
}

// isPage reports whether the site has a page of a file.
func (b *builder) isPage(name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		matches, err := path.Match(pattern, name)
		return err == nil && matches
	})
}

// rest writes what all pages share, and the files that they show.
func (b *builder) rest() error {
	served, err := os.ReadFile(filepath.Join(b.root, "serve", "page.html"))
	if err != nil {
		return fmt.Errorf("site: %w", err)
	}
	colours := regexp.MustCompile(`(?s):root \{.*?\}\n`).Find(served)
	index, err := json.Marshal(b.sections)
	if err != nil {
		return err
	}
	shared := map[string][]byte{"site.css": append(colours, style...), "search.js": script, "search.json": index}
	for name := range b.files {
		if shared[name], err = os.ReadFile(filepath.Join(b.root, filepath.FromSlash(name))); err != nil {
			return fmt.Errorf("site: %w", err)
		}
	}
	for name, content := range shared {
		if err := b.write(name, content); err != nil {
			return err
		}
	}
	return nil
}

// write writes a file of the site.
func (b *builder) write(name string, content []byte) error {
	file := filepath.Join(b.out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return atomicfile.Write(file, atomicfile.Bytes(content))
}

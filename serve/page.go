package serve

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

//go:embed page.html
var pageText string

// page is the page for people, and the policy that lets it run its own script, and talk to this
// service only.
type page struct{ text, policy string }

// newPage returns the page; with the solver for browsers it also computes itself.
func newPage(browser fs.FS) page {
	scripts, workers := "'"+scriptHash(pageText)+"'", ""
	text := pageText
	if browser != nil {
		text = strings.Replace(text, "<html ", `<html data-solver="browser/" `, 1)
		scripts += " 'self' 'wasm-unsafe-eval'"
		workers = "worker-src 'self'; "
	}
	return page{text, "default-src 'none'; connect-src 'self'; img-src data: blob:; style-src 'unsafe-inline'; script-src " + scripts +
		"; " + workers + "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"}
}

// scriptHash returns the hash of the one script of a page, as a policy names it.
func scriptHash(page string) string {
	_, rest, _ := strings.Cut(page, "<script>")
	script, _, _ := strings.Cut(rest, "</script>")
	sum := sha256.Sum256([]byte(script))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func (h *Handler) servePage(w http.ResponseWriter, _ *http.Request) error {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-cache")
	header.Set("Content-Security-Policy", h.page.policy)
	_, err := w.Write([]byte(h.page.text))
	if err != nil {
		return errHungUp
	}
	return nil
}

// BrowserModule is the one of Options.Browser's files that all others are there for.
const BrowserModule = "rgm.wasm.gz"

// checkBrowser returns an error where the solver for browsers is none.
func (o *Options) checkBrowser() error {
	if o.Browser == nil {
		return nil
	}
	if _, err := fs.Stat(o.Browser, BrowserModule); err != nil {
		return fmt.Errorf("serve: no solver for browsers: %w; remedy: the folder that web/build --site makes", err)
	}
	return nil
}

// browserTypes are the kinds of files that the page and its worker load.
var browserTypes = map[string]string{".js": "text/javascript; charset=utf-8", ".gz": "application/gzip", ".dat": "text/plain; charset=utf-8"}

// serveBrowser answers with a file of the solver for browsers.
func (h *Handler) serveBrowser(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("file")
	media := browserTypes[path.Ext(name)]
	info, err := fs.Stat(h.options.Browser, name)
	switch {
	case media == "" || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) || err == nil && !info.Mode().IsRegular():
		return problem(http.StatusNotFound, "the solver for browsers has no such file")
	case err != nil:
		return err
	}
	w.Header().Set("Content-Type", media)
	w.Header().Set("Cache-Control", "no-cache")
	http.ServeFileFS(w, r, h.options.Browser, name)
	return nil
}

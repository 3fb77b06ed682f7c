package serve

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"net/http"
	"strings"
)

//go:embed page.html
var pageText string

// pagePolicy lets the page run its own script, and talk to this service only.
var pagePolicy = "default-src 'none'; connect-src 'self'; img-src data: blob:; style-src 'unsafe-inline'; script-src '" + scriptHash(pageText) +
	"'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

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
	header.Set("Content-Security-Policy", pagePolicy)
	_, err := w.Write([]byte(pageText))
	if err != nil {
		return errHungUp
	}
	return nil
}

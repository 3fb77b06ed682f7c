package qaplib

import (
	"strings"

	"github.com/rgm-go/rgm/internal/suggest"
)

// suggestion ends an error about an unknown QAPLIB name: the at most three most
// similar names, or where to find a list.
func suggestion(name string) string {
	near := suggest.Near(name, Names())
	if len(near) == 0 {
		return " (names look like nug30 or tai64c)"
	}
	return "; near it are " + strings.Join(near, ", ")
}

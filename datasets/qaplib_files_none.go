//go:build noqaplib || wasm

package datasets

import (
	"embed"
	"io/fs"
)

// qaplibFiles are none: what is built with the tag noqaplib, or for browsers, holds nothing under their licence.
func qaplibFiles() fs.FS { return embed.FS{} }

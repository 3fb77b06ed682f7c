//go:build noqaplib || wasm

package qaplib

import (
	"embed"
	"io/fs"
)

// embedded are none: what is built with the tag noqaplib, or for browsers, holds nothing under their licence.
func embedded() fs.FS { return embed.FS{} }

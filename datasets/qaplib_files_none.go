//go:build noqaplib && !wasm

package datasets

import "embed"

// None: what is built with the tag noqaplib holds nothing under their licence.
var qaplibFiles embed.FS

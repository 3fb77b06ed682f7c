//go:build !wasm

package datasets

import "embed"

// The licence of these files is apart: see qaplib/README.md.
//
//go:embed qaplib/*.dat
var qaplibFiles embed.FS

//go:build !wasm && !noqaplib

package qaplib

import (
	"archive/zip"
	_ "embed"
	"io/fs"
	"strings"
)

// The files of the folder qaplib, a seventh as large: TestArchive makes it. Their licence is
// apart: see qaplib/README.md.
//
//go:embed qaplib.zip
var qaplibArchive string

// embedded are the files by their names.
func embedded() fs.FS {
	archive, err := zip.NewReader(strings.NewReader(qaplibArchive), int64(len(qaplibArchive)))
	if err != nil {
		panic(err) // a damaged checkout
	}
	return archive
}

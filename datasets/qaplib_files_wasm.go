package datasets

import (
	"embed"
	"io/fs"
)

// One instance, to try: all of them are half a megabyte, which a page would have to load.
//
//go:embed qaplib/nug12.dat
var qaplibInstances embed.FS

func qaplibFiles() fs.FS {
	files, err := fs.Sub(qaplibInstances, "qaplib")
	if err != nil {
		panic(err) // no other name is embedded
	}
	return files
}

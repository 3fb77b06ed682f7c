package datasets

import "embed"

// One instance, to try: all of them are 3 MB, which a page would have to load.
//
//go:embed qaplib/nug12.dat
var qaplibFiles embed.FS

//go:build !unix

package serve

// addressLimit returns 0: there is no RLIMIT_AS.
func addressLimit() int64 { return 0 }

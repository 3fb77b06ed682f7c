//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package main

import (
	"io"
	"os"
	"strings"
)

// lockFolder keeps nobody out here.
func lockFolder(*os.Root) (io.Closer, error) { return io.NopCloser(strings.NewReader("")), nil }

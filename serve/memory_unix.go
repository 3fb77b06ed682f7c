//go:build unix

package serve

import (
	"fmt"
	"os"
	"syscall"
)

// addressLimit returns three quarters of what RLIMIT_AS leaves, 0 where it leaves all.
func addressLimit() int64 {
	var addresses syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &addresses) != nil || addresses.Cur >= 1<<60 {
		return 0
	}
	var size, resident int64
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		fmt.Sscan(string(text), &size, &resident)
	}
	return max((int64(addresses.Cur)-(size-resident)*int64(os.Getpagesize()))/4*3, 1)
}

//go:build cgo

// The kernel in what every processor of the architecture has.

#define KERNELS anneal_baseline
#include "kernel_types.h"

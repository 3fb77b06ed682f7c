//go:build cgo

// The kernel in what every processor of the architecture has: SSE2 on amd64,
// NEON on arm64.

#define VECTOR_BYTES 16
#define KERNELS tabu_baseline
#include "kernel_types.h"

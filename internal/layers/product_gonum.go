//go:build !openblas || !cgo

package layers

// wholeProducts reports whether a large product is best done in one call.
const wholeProducts = false

//go:build !openblas || !cgo

package layers

// wholeProducts tells whether a large product is best done in one call.
const wholeProducts = false

//go:build !openblas || !cgo

package models

// wholeProducts tells whether a large product is best done in one call.
const wholeProducts = false

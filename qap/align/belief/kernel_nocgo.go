//go:build !cgo

package belief

func expAll(y, x []float32)                                { expGo(y, x) }
func log1pAll(y, x []float32)                              { log1pGo(y, x) }
func scale(y, x []float32, factor, least, most float32)    { scaleGo(y, x, factor, least, most) }
func order(less, greater, x, y []float32, f, most float32) { orderGo(less, greater, x, y, f, most) }
func left(y, x []float32, r *rows, n2 int, factor float32) { leftGo(y, x, r, n2, factor) }
func dense(y, x, w, b []float32, in, n int, relu bool)     { denseGo(y, x, w, b, in, n, relu) }
func right(y, x []float32, n1 int, r *rows, factor float32, _ []float32) {
	rightGo(y, x, n1, r, factor)
}
func outer(dw, dy, x []float32, out, in, n int) { outerGo(dw, dy, x, out, in, n) }

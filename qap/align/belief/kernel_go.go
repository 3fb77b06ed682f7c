package belief

import "math"

// The loops over pairs in Go: what package belief does without cgo, and what tests compare with.

const (
	log2e    = 1.44269504088896341
	ln2High  = 0.693359375
	ln2Low   = -2.12194440e-4
	shifter  = 12582912 // 1.5·2^23: added to a small number it leaves its nearest integer in the last bits
	sqrtHalf = 0x3f3504f3
)

// expGo is Cephes' expf.
func expGo(y, x []float32) {
	y = y[:len(x)]
	for i, v := range x {
		v = min(max(v, leastPower), mostPower)
		k := float32(v*log2e) + shifter
		n := k - shifter
		v = v - n*ln2High - n*ln2Low
		p := ((((1.9875691500e-4*v+1.3981999507e-3)*v+8.3334519073e-3)*v+4.1665795894e-2)*v+1.6666665459e-1)*v + 5.0000001201e-1
		y[i] = math.Float32frombits(math.Float32bits(p*v*v+v+1) + math.Float32bits(k)<<23)
	}
}

// log1pGo is Cephes' logf.
func log1pGo(y, x []float32) {
	y = y[:len(x)]
	for i, v := range x {
		bits := math.Float32bits(1 + v)
		exponent := int32(bits-sqrtHalf) >> 23
		v = math.Float32frombits(bits-uint32(exponent)<<23) - 1
		p := (((((((7.0376836292e-2*v-1.1514610310e-1)*v+1.1676998740e-1)*v-1.2420140846e-1)*v+1.4249322787e-1)*v-1.6668057665e-1)*v+2.0000714765e-1)*v-2.4999993993e-1)*v + 3.3333331174e-1
		e := float32(exponent)
		y[i] = v + (p*v*v*v + e*ln2Low - 0.5*v*v) + e*ln2High
	}
}

func scaleGo(y, x []float32, factor, least, most float32) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] = min(max(factor*v, least), most)
	}
}

func orderGo(less, greater, x, y []float32, factor, most float32) {
	less, greater, y = less[:len(x)], greater[:len(x)], y[:len(x)]
	for i, v := range x {
		less[i], greater[i] = min(factor*min(v, y[i]), most), min(factor*max(v, y[i]), most)
	}
}

func leftGo(y, x []float32, r *rows, n2 int, factor float32) {
	for i := range r.nodes() {
		row := y[i*n2 : (i+1)*n2]
		clear(row)
		for _, k := range r.of(int32(i)) {
			for a, v := range x[int(k)*n2 : int(k+1)*n2] {
				row[a] += factor * v
			}
		}
	}
}

func rightGo(y, x []float32, n1 int, r *rows, factor float32) {
	n2 := r.nodes()
	for low := 0; low < n1*n2; low += n2 {
		from, row := x[low:low+n2:low+n2], y[low:low+n2:low+n2]
		for a := range row {
			var sum float32
			for _, b := range r.of(int32(a)) {
				sum += from[b]
			}
			row[a] = factor * sum
		}
	}
}

func denseGo(y, x, w, b []float32, in, n int, relu bool) {
	for k, bias := range b {
		row := y[k*n : (k+1)*n]
		for c := range row {
			row[c] = bias
		}
		for i, f := range w[k*in : (k+1)*in] {
			for c, v := range x[i*n : (i+1)*n] {
				row[c] += f * v
			}
		}
		if relu {
			for c, v := range row {
				row[c] = max(v, 0)
			}
		}
	}
}

func outerGo(dw, dy, x []float32, out, in, n int) {
	for k := range out {
		d := dy[k*n : (k+1)*n]
		for i := range in {
			var sum float32
			for c, v := range x[i*n : (i+1)*n] {
				sum += d[c] * v
			}
			dw[k*in+i] += sum
		}
	}
}

// The loops, for the instruction set of TARGET with vectors of BYTES: kernel.c includes this once for each.

#define PASTE2(x, y) x##_##y
#define PASTE(x, y) PASTE2(x, y)
#define NAME(x) PASTE(x, SET)

TARGET static void NAME(exp)(float *y, const float *x, int64_t n) {
#pragma GCC ivdep
	for (int64_t i = 0; i < n; i++) {
		float v = x[i];
		v = v > -87.0f ? v : -87.0f;
		v = v < 88.0f ? v : 88.0f;
		union { float f; uint32_t u; } k, e;
		k.f = v * 1.44269504088896341f + 12582912.0f;
		float m = k.f - 12582912.0f;
		v = v - m * 0.693359375f + m * 2.12194440e-4f;
		float p = ((((1.9875691500e-4f * v + 1.3981999507e-3f) * v + 8.3334519073e-3f) * v + 4.1665795894e-2f) * v + 1.6666665459e-1f) * v + 5.0000001201e-1f;
		e.f = p * v * v + v + 1.0f;
		e.u += k.u << 23;
		y[i] = e.f;
	}
}

TARGET static void NAME(log1p)(float *y, const float *x, int64_t n) {
#pragma GCC ivdep
	for (int64_t i = 0; i < n; i++) {
		union { float f; uint32_t u; } b;
		b.f = 1.0f + x[i];
		int32_t e = (int32_t)(b.u - 0x3f3504f3u) >> 23;
		b.u -= (uint32_t)e << 23;
		float v = b.f - 1.0f, z = (float)e;
		float p = (((((((7.0376836292e-2f * v - 1.1514610310e-1f) * v + 1.1676998740e-1f) * v - 1.2420140846e-1f) * v + 1.4249322787e-1f) * v - 1.6668057665e-1f) * v + 2.0000714765e-1f) * v - 2.4999993993e-1f) * v + 3.3333331174e-1f;
		y[i] = v + (p * v * v * v - z * 2.12194440e-4f - 0.5f * v * v) + z * 0.693359375f;
	}
}

TARGET static void NAME(scale)(float *restrict y, const float *restrict x, int64_t n, float factor, float least, float most) {
#pragma GCC ivdep
	for (int64_t i = 0; i < n; i++) {
		float v = factor * x[i];
		v = v > least ? v : least;
		y[i] = v < most ? v : most;
	}
}

TARGET static void NAME(order)(float *restrict less, float *restrict greater, const float *restrict x, const float *restrict y, int64_t n, float factor, float most) {
	for (int64_t i = 0; i < n; i++) {
		float v = factor * (x[i] < y[i] ? x[i] : y[i]), w = factor * (x[i] < y[i] ? y[i] : x[i]);
		less[i] = v < most ? v : most;
		greater[i] = w < most ? w : most;
	}
}

TARGET static void NAME(left)(float *restrict y, const float *restrict x, int64_t n1, int64_t n2, const int32_t *start, const int32_t *to, float factor) {
	for (int64_t i = 0; i < n1; i++) {
		float *restrict row = y + i * n2;
		int32_t k = start[i], end = start[i + 1];
		if (k == end)
			for (int64_t a = 0; a < n2; a++) row[a] = 0;
		for (int first = 1; k < end; first = 0) {
			const float *x0 = x + to[k] * n2;
			if (k + 3 < end) {
				const float *x1 = x + to[k + 1] * n2, *x2 = x + to[k + 2] * n2, *x3 = x + to[k + 3] * n2;
				if (first)
					for (int64_t a = 0; a < n2; a++) row[a] = factor * ((x0[a] + x1[a]) + (x2[a] + x3[a]));
				else
					for (int64_t a = 0; a < n2; a++) row[a] += factor * ((x0[a] + x1[a]) + (x2[a] + x3[a]));
				k += 4;
			} else {
				if (first)
					for (int64_t a = 0; a < n2; a++) row[a] = factor * x0[a];
				else
					for (int64_t a = 0; a < n2; a++) row[a] += factor * x0[a];
				k++;
			}
		}
	}
}

// right takes 16 rows at a time, turned so that those of a column lie together.
TARGET static void NAME(right)(float *restrict y, const float *restrict x, int64_t n1, int64_t n2, const int32_t *start, const int32_t *to, float factor, float *restrict spare) {
	typedef float wide __attribute__((vector_size(64), aligned(4)));
	float *restrict sums = spare + 16 * n2;
	for (int64_t i = 0; i < n1; i += 16) {
		int64_t rows = n1 - i < 16 ? n1 - i : 16;
		if (rows < 16)
			for (int64_t k = 0; k < 16 * n2; k++) spare[k] = 0;
		for (int64_t r = 0; r < rows; r++) {
			const float *restrict from = x + (i + r) * n2;
			for (int64_t b = 0; b < n2; b++) spare[b * 16 + r] = from[b];
		}
		for (int64_t a = 0; a < n2; a++) {
			wide sum = {0};
			for (int32_t k = start[a]; k < start[a + 1]; k++) sum += *(const wide *)(spare + to[k] * 16);
			*(wide *)(sums + a * 16) = sum * factor;
		}
		for (int64_t r = 0; r < rows; r++) {
			float *restrict row = y + (i + r) * n2;
			for (int64_t a = 0; a < n2; a++) row[a] = sums[a * 16 + r];
		}
	}
}

// dense takes two vectors of columns and four rows of w at a time.
TARGET static void NAME(dense)(float *restrict y, const float *restrict x, const float *restrict w, const float *restrict b, int64_t out, int64_t in, int64_t n, int relu) {
	typedef float vector __attribute__((vector_size(BYTES), aligned(4)));
	enum { WIDTH = BYTES / 4 };
	int64_t j = 0;
	for (; j + 2 * WIDTH <= n; j += 2 * WIDTH) {
		int64_t k = 0;
		for (; k + 4 <= out; k += 4) {
			vector s[4][2];
			for (int r = 0; r < 4; r++) s[r][0] = s[r][1] = (vector){0} + b[k + r];
			for (int64_t i = 0; i < in; i++) {
				vector x0 = *(const vector *)(x + i * n + j), x1 = *(const vector *)(x + i * n + j + WIDTH);
				for (int r = 0; r < 4; r++) {
					float f = w[(k + r) * in + i];
					s[r][0] += f * x0;
					s[r][1] += f * x1;
				}
			}
			for (int r = 0; r < 4; r++)
				for (int h = 0; h < 2; h++) {
					vector v = s[r][h];
					*(vector *)(y + (k + r) * n + j + h * WIDTH) = v;
				}
		}
		for (; k < out; k++) {
			vector s0 = (vector){0} + b[k], s1 = s0;
			for (int64_t i = 0; i < in; i++) {
				s0 += w[k * in + i] * *(const vector *)(x + i * n + j);
				s1 += w[k * in + i] * *(const vector *)(x + i * n + j + WIDTH);
			}
			*(vector *)(y + k * n + j) = s0;
			*(vector *)(y + k * n + j + WIDTH) = s1;
		}
	}
	for (int64_t k = 0; k < out; k++)
		for (int64_t c = j; c < n; c++) {
			float s = b[k];
			for (int64_t i = 0; i < in; i++) s += w[k * in + i] * x[i * n + c];
			y[k * n + c] = s;
		}
	if (relu)
		for (int64_t k = 0; k < out * n; k++) y[k] = y[k] > 0 ? y[k] : 0;
}

// outer takes four rows of dy and two of x at a time.
TARGET static void NAME(outer)(float *restrict dw, const float *restrict dy, const float *restrict x, int64_t out, int64_t in, int64_t n) {
	typedef float vector __attribute__((vector_size(BYTES), aligned(4)));
	enum { WIDTH = BYTES / 4 };
	int64_t whole = n - n % WIDTH;
	for (int64_t k = 0; k < out; k += 4) {
		int64_t rows = out - k < 4 ? out - k : 4;
		for (int64_t i = 0; i < in; i += 2) {
			int64_t columns = in - i < 2 ? 1 : 2;
			vector s[4][2] = {{{0}}};
			const float *x0 = x + i * n, *x1 = columns == 2 ? x0 + n : x0;
			const float *y[4];
			for (int r = 0; r < 4; r++) y[r] = dy + (k + (r < rows ? r : 0)) * n;
			for (int64_t c = 0; c < whole; c += WIDTH) {
				vector v0 = *(const vector *)(x0 + c), v1 = *(const vector *)(x1 + c);
				for (int r = 0; r < 4; r++) {
					vector d = *(const vector *)(y[r] + c);
					s[r][0] += d * v0;
					s[r][1] += d * v1;
				}
			}
			for (int64_t r = 0; r < rows; r++)
				for (int64_t j = 0; j < columns; j++) {
					float sum = 0;
					for (int l = 0; l < WIDTH; l++) sum += s[r][j][l];
					for (int64_t c = whole; c < n; c++) sum += y[r][c] * (j ? x1 : x0)[c];
					dw[(k + r) * in + i + j] += sum;
				}
		}
	}
}

#undef PASTE2
#undef PASTE
#undef NAME
#undef TARGET
#undef SET
#undef BYTES

// The network Gain, forward and backward, of one state. The numbers of a vertex's 16 hidden
// channels are LANES together; every sum has the same order whatever the length of a vector,
// so that all instruction sets, and the same in Go, give the same numbers to the last bit.

#include <stdint.h>

enum {
	GAIN_WIDTH = 16,  // of both hidden layers
	GAIN_VERTEX = 9,  // channels of vertices,
	GAIN_ROW = 3,     // of nodes of graph 1,
	GAIN_COLUMN = 3,  // of nodes of graph 2
	GAIN_STATE = 5,   // and of the state, in this order
	GAIN_CHANNELS = GAIN_VERTEX + GAIN_ROW + GAIN_COLUMN + GAIN_STATE,
};

enum gain_set { GAIN_BASELINE, GAIN_AVX2, GAIN_AVX512, GAIN_SETS };

// gain_weights are those of the network, or their gradient.
struct gain_weights {
	float vertices[GAIN_VERTEX][GAIN_WIDTH];
	float rows[GAIN_CHANNELS][GAIN_WIDTH], columns[GAIN_CHANNELS][GAIN_WIDTH], all[GAIN_CHANNELS][GAIN_WIDTH];
	float b[GAIN_WIDTH];
	float w1[GAIN_WIDTH][GAIN_WIDTH], b1[GAIN_WIDTH], w2[GAIN_WIDTH];
	float skip[GAIN_CHANNELS];
};

// gain_state names the memory of one state of n1·n2 vertices.
struct gain_state {
	const float *vertices, *rows, *columns, *state; // inputs: [channels][n1·n2], [channels][n1], [channels][n2], [channels]
	float *row_means, *column_means, *means;        // of all channels: [n1][channels], [n2][channels], [channels]
	float *row_part, *column_part;                  // what they add to the vertices of a node: [n1][width], [n2][width]; gradients of that
	float *h, *u, *dh;                              // hidden layers [n1·n2][width]; the gradient of the sums of the first, of gain_backward alone
	float *q;                                       // advantages [n1·n2], or their gradient
	float *h_sum;                                   // [width]: the sum of h over the vertices; before gain_backward, the gradient of every h from the state value
};

// gain_supported reports whether this processor can run the kernel of an instruction set.
int gain_supported(enum gain_set set);

// GAIN_MEMORY lists the memory of a state, as arguments.
#define GAIN_MEMORY \
	const float *vertices, const float *rows, const float *columns, const float *state, float *row_means, float *column_means, \
	float *means, float *row_part, float *column_part, float *h, float *u, float *dh, float *q, float *h_sum

// gain_forward fills in the means, the parts, the hidden layers, q and h_sum.
void gain_forward(enum gain_set set, const struct gain_weights *weights, int64_t n1, int64_t n2, GAIN_MEMORY);

// gain_backward adds to the gradient, given those of q and h. It leaves h and u as they are.
void gain_backward(enum gain_set set, const struct gain_weights *weights, int64_t n1, int64_t n2, GAIN_MEMORY, struct gain_weights *gradient);

struct gain_kernel {
	void (*forward)(const struct gain_weights *, int64_t, int64_t, const struct gain_state *);
	void (*backward)(const struct gain_weights *, int64_t, int64_t, const struct gain_state *, struct gain_weights *);
};

extern const struct gain_kernel gain_baseline, gain_avx2, gain_avx512;

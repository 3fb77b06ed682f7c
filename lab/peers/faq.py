"""SciPy's FAQ (Debian: python3-scipy) as a peer of rgm-lab bench align.

    rgm-lab bench align --peer "scipy=python3 lab/peers/faq.py" a.edges

The files hold the number of nodes after a #, and an edge a line; a pair of nodes a line is
printed. The smaller graph has nodes without edges besides, to be as large as the other.
"""

import sys

import numpy
from scipy.optimize import quadratic_assignment


def read(path, size):
    matrix = numpy.zeros((size, size))
    for line in open(path):
        if not line.startswith("#"):
            i, j = map(int, line.split())
            matrix[i, j] = matrix[j, i] = 1
    return matrix


sizes = [int(open(path).readline()[1:]) for path in sys.argv[-2:]]
a, b = (read(path, max(sizes)) for path in sys.argv[-2:])
found = quadratic_assignment(a, b, options={"maximize": True, "rng": 0}).col_ind
for i, j in enumerate(found):
    if i < sizes[0] and j < sizes[1]:
        print(i, j)

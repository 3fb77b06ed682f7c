"""Peers of rgm-lab bench qaplib (Debian: python3-scipy).

    rgm-lab bench qaplib --peer "faq=python3 lab/peers/qap.py faq" --peer "2opt=python3 lab/peers/qap.py 2opt"

SciPy's quadratic_assignment: faq as it is, faq-best the best of 30 starts of which 29 are random, 2opt from a random
start, faq-2opt the first improved by 2opt. The last arguments are a seed and .dat files; a line of JSON each is
printed, with seconds of processor time.
"""

import json
import os
import sys
import time

import numpy
from scipy.optimize import quadratic_assignment


def read(path):
    numbers = [float(word) for word in open(path).read().split()]
    n = int(numbers[0])
    return numpy.array(numbers[1 : 1 + n * n]).reshape(n, n), numpy.array(numbers[1 + n * n : 1 + 2 * n * n]).reshape(n, n)


def assigned(a, b, method, **options):
    return quadratic_assignment(a, b, method=method, options=options)


def scipy_faq(a, b, rng):
    return assigned(a, b, "faq", rng=rng).col_ind


def scipy_faq_best(a, b, rng):
    starts = [{}] + 29 * [{"P0": "randomized"}]
    return min((assigned(a, b, "faq", rng=rng, **start) for start in starts), key=lambda r: r.fun).col_ind


def scipy_2opt(a, b, rng):
    return assigned(a, b, "2opt", rng=rng).col_ind


def scipy_faq_2opt(a, b, rng):
    start = scipy_faq(a, b, rng)
    pairs = numpy.column_stack([numpy.arange(len(start)), start])
    return assigned(a, b, "2opt", rng=rng, partial_guess=pairs).col_ind


METHODS = {"faq": scipy_faq, "faq-best": scipy_faq_best, "2opt": scipy_2opt, "faq-2opt": scipy_faq_2opt}

method = METHODS[sys.argv[1]]
for path in sys.argv[3:]:
    a, b = read(path)
    begin = time.process_time()
    matching = method(a, b, numpy.random.default_rng(int(sys.argv[2])))
    seconds = time.process_time() - begin
    print(json.dumps({"instance": os.path.basename(path)[:-4], "matching": [int(x) for x in matching], "seconds": seconds}))

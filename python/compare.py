"""Compares quadratic_assignment with SciPy's on random problems, at the time that SciPy's method takes.

    python3 python/compare.py [--problems 100] [--method faq] [--csv FILE]

Problems have 10 to 200 nodes and are of five kinds, in turns. Each is solved by SciPy, and by rgm on one thread within
the wall clock that SciPy took, at least a millisecond; what is compared is the objective. It prints a row for each kind,
and the problems on which rgm is worse.
"""

import argparse
import csv
import os
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from scipy.optimize import quadratic_assignment as scipys

import rgm

NODES = (10, 15, 20, 30, 40, 50, 75, 100, 150, 200)


def problem(kind, n, rng):
    """Two matrices, and whether the objective is maximised."""
    if kind == "uniform":
        return rng.random((n, n)), rng.random((n, n)), False
    if kind == "integers, symmetric":
        a, b = (np.triu(rng.integers(0, 10, (n, n)), 1) for _ in range(2))
        return a + a.T, b + b.T, False
    if kind == "sparse flows, distances in the plane":
        flow = np.triu(rng.integers(1, 10, (n, n)) * (rng.random((n, n)) < 0.2), 1)
        places = rng.random((n, 2))
        return flow + flow.T, np.linalg.norm(places[:, None] - places, axis=2), False
    a = np.triu(rng.random((n, n)) < 0.3, 1)  # a graph, and the same with other numbers
    b = a.copy()
    if kind == "noisy copy of a graph":
        b ^= np.triu(rng.random((n, n)) < 0.02, 1)
    a, b = (np.asarray(m | m.T, float) for m in (a, b))
    order = rng.permutation(n)
    return a, b[np.ix_(order, order)], True


KINDS = ("uniform", "integers, symmetric", "sparse flows, distances in the plane", "copy of a graph", "noisy copy of a graph")


def measure(method, kind, n, seed):
    rng = np.random.default_rng(seed)
    a, b, maximize = problem(kind, n, rng)
    start = time.perf_counter()
    theirs = scipys(a, b, method=method, options={"maximize": maximize, "rng": rng})
    seconds = time.perf_counter() - start
    ours = rgm.quadratic_assignment(a, b, options={"maximize": maximize, "time_limit": max(seconds, 1e-3), "threads": 1, "rng": seed})
    gain = (ours.fun - theirs.fun) * (1 if maximize else -1)
    return {"kind": kind, "n": n, "seed": seed, "scipy": theirs.fun, "rgm": ours.fun, "seconds": seconds,
            "percent": 100 * gain / abs(theirs.fun), "found_by": ours.result.found_by, "rgm_seconds": ours.result.seconds}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=100)
    parser.add_argument("--method", default="faq", choices=["faq", "2opt"])
    parser.add_argument("--csv", metavar="FILE")
    o = parser.parse_args()
    measure(o.method, KINDS[0], 10, 0)  # what a first call loads is of neither
    rows = []
    for k in range(o.problems):
        rows.append(measure(o.method, KINDS[k % len(KINDS)], NODES[k // len(KINDS) % len(NODES)], k))
        if rows[-1]["percent"] < -1e-9:
            print("worse:", rows[-1], file=sys.stderr)
    print(f"{'kind':38}{'problems':>9}{'better':>8}{'equal':>7}{'worse':>7}{'mean gain %':>13}{'mean ms':>9}")
    for kind in (*KINDS, "all"):
        of = [r for r in rows if kind in (r["kind"], "all")]
        gains = np.array([r["percent"] for r in of])
        print(f"{kind:38}{len(of):9}{(gains > 1e-9).sum():8}{(abs(gains) <= 1e-9).sum():7}{(gains < -1e-9).sum():7}"
              f"{gains.mean():13.2f}{1e3 * np.mean([r['seconds'] for r in of]):9.1f}")
    if o.csv:
        with open(o.csv, "w", newline="", encoding="utf-8") as f:
            writer = csv.DictWriter(f, rows[0])
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()

"""rgm match beside SciPy's FAQ where each graph has nodes of its own.

    python3 lab/peers/cores.py RGM [SEEDS]     # RGM is the program

Two graphs have 40 nodes in common and 15 nodes each of their own; both are induced parts of one random graph of 70 nodes and a mean degree of
4, 6 or 10. FAQ (scipy.optimize.quadratic_assignment) takes the best of 30 starts; with four known pairs it is SGM. A table tells how many of
the 40 are right, and how many edges are shared, in the mean; the truth shares fewer edges than what is found.
"""

import json
import subprocess
import sys
import tempfile

import numpy as np
from scipy.optimize import quadratic_assignment

CORE, OWN = 40, 15


def pair(degree, seed):
    """Two adjacency matrices, and of each node of the first its partner, or -1."""
    rng = np.random.default_rng([seed, degree])
    n = CORE + 2 * OWN
    edges = np.triu(rng.random((n, n)) < degree / (n - 1), 1)
    edges = (edges | edges.T).astype(float)
    size = CORE + OWN
    orders = rng.permutation(size), rng.permutation(size)
    inside = np.arange(size), np.r_[:CORE, size:n]
    one, two = (edges[np.ix_(of[order], of[order])] for of, order in zip(inside, orders))
    where = {v: k for k, v in enumerate(orders[1]) if v < CORE}
    return one, two, np.array([where.get(v, -1) for v in orders[0]])


def faq(one, two, **options):
    found = quadratic_assignment(one, two, options={"maximize": True, **options})
    return found.fun / 2, found.col_ind


def rgm(program, one, two, known=(), method=None):
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, g in (("a", one), ("b", two)):
            links = [{"source": int(i), "target": int(j)} for i, j in zip(*np.triu(g).nonzero())]
            paths.append(f"{folder}/{name}.json")
            with open(paths[-1], "w") as f:
                json.dump({"directed": False, "nodes": [{"id": i} for i in range(len(g))], "links": links}, f)
        arguments = [v for i, a in known for v in ("--fix", f"{i}:{a}")] + (["--method", method] if method else [])
        run = [program, "match", "--format", "json", "--threads", "1", *arguments, *paths]
        result = json.loads(subprocess.run(run, check=True, capture_output=True).stdout)
    return result["objective"], np.array(result["matching"])


def main(program, seeds=10):
    print("|degree|method|right of 40|shared edges|\n|--:|---|--:|--:|")
    for degree in (4, 6, 10):
        rows = {}
        for seed in range(int(seeds)):
            one, two, truth = pair(degree, seed)
            known = [(i, truth[i]) for i in np.flatnonzero(truth >= 0)[:4]]
            core = truth >= 0
            shared = (one[np.ix_(core, core)] * two[np.ix_(truth[core], truth[core])]).sum() / 2
            starts = [faq(one, two)] + [faq(one, two, P0="randomized", rng=s) for s in range(1, 30)]
            found = {
                "truth": (shared, truth),
                "FAQ, 30 starts": max(starts, key=lambda s: s[0]),
                "rgm": rgm(program, one, two),
                "rgm, bp": rgm(program, one, two, method="bp"),
                "SGM, 4 known": faq(one, two, partial_match=np.array(known)),
                "rgm, 4 known": rgm(program, one, two, known),
            }
            for name, (objective, match) in found.items():
                rows.setdefault(name, []).append(((match[core] == truth[core]).sum(), objective))
        for name, of in rows.items():
            print(f"|{degree}|{name}|{'|'.join(f'{v:.1f}' for v in np.mean(of, 0))}|", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

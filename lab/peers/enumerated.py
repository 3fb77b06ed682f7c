"""rgm.graph_edit_distance and networkx beside all maps of nodes, on random pairs of small graphs (Debian: python3-networkx).

    RGM_LIBRARY=librgm.so PYTHONPATH=python python3 lab/peers/enumerated.py [PAIRS [NODES [SECONDS [SEED]]]]

A third of the pairs has no loops and no dear costs, a third loops, a third substitutions that are dearer than deleting and
inserting. Graphs have up to NODES nodes; networkx may take SECONDS for a pair. A line tells how often each agrees with the
least cost of all maps.
"""

import collections
import os
import random
import sys
import time

import networkx as nx
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "python", "tests"))
import rgm
from test_distances import drawn, functions

SAME = 1e-6


def maps(n1, n2):
    """All maps of n1 nodes into n2, no two to one, n2 for none: a row each."""
    rows, used = np.zeros((1, 0), np.int8), np.zeros((1, n2), bool)
    for _ in range(n1):
        parts, taken = [np.hstack([rows, np.full((len(rows), 1), n2, np.int8)])], [used]
        for a in range(n2):
            free = ~used[:, a]
            now = used[free]
            now[:, a] = True
            parts.append(np.hstack([rows[free], np.full((len(now), 1), a, np.int8)]))
            taken.append(now)
        rows, used = np.vstack(parts), np.vstack(taken)
    return rows


def least(g, h, f):
    """The least cost over all maps; an edge is substituted where that is not dearer than deleting and inserting it."""

    def table(kind, first, second):
        match, substitute = f.get(f"{kind}_match"), f.get(f"{kind}_subst_cost")
        delete = np.array([f[f"{kind}_del_cost"](x) if f"{kind}_del_cost" in f else 1 for x in first], float)
        insert = np.array([f[f"{kind}_ins_cost"](y) if f"{kind}_ins_cost" in f else 1 for y in second], float)
        cost = substitute or (lambda x, y: 1 - match(x, y) if match else 0)
        both = np.array([[cost(x, y) for y in second] for x in first], float).reshape(len(first), len(second))
        return both - delete[:, None] - insert, delete.sum() + insert.sum()

    number1, number2 = {u: i for i, u in enumerate(g)}, {v: a for a, v in enumerate(h)}
    nodes, total = table("node", [g.nodes[u] for u in g], [h.nodes[v] for v in h])
    edges, more = table("edge", [g.edges[e] for e in g.edges], [h.edges[e] for e in h.edges])
    rows, none = maps(len(g), len(h)), len(h)
    nodes = np.hstack([nodes, np.zeros((len(g), 1))])
    costs = total + more + sum(nodes[i, rows[:, i]] for i in range(len(g)))
    for k, (u, v) in enumerate(g.edges):
        gain = np.zeros((none + 1, none + 1))
        for l, (x, y) in enumerate(h.edges):
            gain[number2[x], number2[y]] = min(0, edges[k, l])
            if not g.is_directed():
                gain[number2[y], number2[x]] = gain[number2[x], number2[y]]
        costs = costs + gain[rows[:, number1[u]], rows[:, number1[v]]]
    return costs.min()


def networkx(g, h, f, seconds):
    """What networkx tells, run to its end; None where that takes longer, a word where it fails."""
    began = time.perf_counter()
    try:
        cost = nx.graph_edit_distance(g, h, **f, timeout=seconds)
    except Exception as problem:
        return type(problem).__name__
    return cost if time.perf_counter() - began < seconds else None


def main(pairs=300, most=7, seconds=10, seed=0):
    count = {kind: collections.Counter() for kind in ("plain", "loops", "dear")}
    for k in range(pairs):
        kind, r = list(count)[k % 3], random.Random(f"{seed} {k}")
        of = count[kind]
        directed = k // 3 % 2 == 0
        g, h = (drawn(r, directed, most, kind == "loops") for _ in range(2))
        f = functions(r, kind == "dear")
        while kind == "dear" and "node_subst_cost" not in f:
            f = functions(r, True)
        want, theirs = least(g, h, f), networkx(g, h, f, seconds)
        of["pairs"] += 1
        of["rgm right"] += abs(rgm.graph_edit_distance(g, h, **f) - want) < SAME
        if isinstance(theirs, str) or theirs is None:
            of["networkx " + (theirs or "not at its end")] += 1
        else:
            of["networkx " + ("right" if abs(theirs - want) < SAME else "above" if theirs > want else "below")] += 1
    for kind, of in count.items():
        print(f"{kind}: " + ", ".join(f"{name} {n}" for name, n in of.items()))


if __name__ == "__main__":
    main(*(int(x) for x in sys.argv[1:]))

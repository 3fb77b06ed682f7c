"""rgm match on graphs whose nodes look alike: copies without some edges, and isomorphic pairs.

    python3 lab/peers/rigid.py RGM [SEED]     # RGM is the program

Without a limit (60 s for isomorphic pairs), one thread; seconds of the processor, from start to end of the program.
"""

import json
import resource
import subprocess
import sys
import tempfile

import networkx as nx
import numpy as np


def match(program, pair, nodes, *more):
    """The answer, and the seconds."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [f"{folder}/{name}.json" for name in "ab"]
        for path, edges in zip(paths, pair):
            with open(path, "w") as f:
                json.dump({"nodes": [{"id": i} for i in range(nodes)], "links": [{"source": int(a), "target": int(b)} for a, b in edges]}, f)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        out = subprocess.run([program, "match", "--format", "json", "--threads", "1", *more, *paths], check=True, capture_output=True).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(out), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def copies(program, seed):
    print("|case|planted|shared|s|\n|---|--:|--:|--:|")
    for name, k, gone, two_way, graph in (
        ("grid", 25, 0.02, True, lambda k, s: nx.grid_2d_graph(k, k)),
        ("hexagons", 18, 0.02, False, lambda k, s: nx.hexagonal_lattice_graph(k, k)),
        ("4-regular", 25, 0.1, False, lambda k, s: nx.random_regular_graph(4, k * k, seed=s)),
        ("hypercube", 9, 0.02, False, lambda k, s: nx.hypercube_graph(k)),
        ("cube", 9, 0.02, False, lambda k, s: nx.grid_graph((k, k, k))),
        ("torus", 20, 0.02, False, lambda k, s: nx.grid_2d_graph(k, k, periodic=True)),
        ("caves", 25, 0.02, False, lambda k, s: nx.connected_caveman_graph(k * k // 8, 8)),
        ("ladder", 25, 0.02, False, lambda k, s: nx.ladder_graph(k * k // 2)),
    ):
        rng = np.random.default_rng([seed, k])
        g = nx.convert_node_labels_to_integers(graph(k, int(rng.integers(1 << 30))))
        n, edges = len(g), np.array(g.edges())
        kept = edges[rng.random(len(edges)) >= gone]
        planted = len(kept)
        if two_way:
            added = rng.integers(n, size=(3 * (len(edges) - planted) + 10, 2))
            added = added[added[:, 0] != added[:, 1]][: len(edges) - planted]
            kept = np.unique(np.sort(np.vstack([kept, added]), 1), axis=0)
        found, seconds = match(program, (edges, rng.permutation(n)[kept]), n)
        print(f"|{name} {k}, {gone:.0%} {'two-way' if two_way else 'gone'}|{planted}|{found['shared_edges']}|{seconds:.1f}|", flush=True)


def latin(n):
    """The graph of a Latin square, which is strongly regular."""
    cells = [(i, j, (i + j) % n) for i in range(n) for j in range(n)]
    return nx.Graph([(x, y) for k, x in enumerate(cells) for y in cells[:k] if any(a == b for a, b in zip(x, y))])


def cfi(base):
    """Gadgets of Cai, Fürer and Immerman on a cubic graph (doi:10.1007/BF01305232)."""
    g, edges = nx.Graph(), list(base.edges())
    for v in base:
        around = [e for e in edges if v in e]
        for mask in (0, 3, 5, 6):
            g.add_edges_from((("middle", v, mask), (v, e, mask >> b & 1)) for b, e in enumerate(around))
    g.add_edges_from(((u, (u, v), b), (v, (u, v), b)) for u, v in edges for b in range(2))
    return g


def same(program):
    print("\n|isomorphic|nodes|edges|status, shared|automorphisms|s|\n|---|--:|--:|---|---|--:|")
    for name, g in (
        ("grid 100 × 100", nx.grid_2d_graph(100, 100)),
        ("grid 316 × 316", nx.grid_2d_graph(316, 316)),
        ("torus 100 × 100", nx.grid_2d_graph(100, 100, periodic=True)),
        ("hexagons 45", nx.hexagonal_lattice_graph(45, 45)),
        ("random 3-regular", nx.random_regular_graph(3, 1000, seed=5)),
        ("random 3-regular", nx.random_regular_graph(3, 5000, seed=5)),
        ("random 10-regular", nx.random_regular_graph(10, 5000, seed=6)),
        ("hypercube 12", nx.hypercube_graph(12)),
        ("Paley 101", nx.Graph(nx.paley_graph(101))),
        ("Latin square 13", latin(13)),
        ("complete binary tree", nx.balanced_tree(2, 14)),
        ("circulant, 1, 7, 31, 400", nx.circulant_graph(2000, [1, 7, 31, 400])),
        ("CFI on a cubic graph of 20", cfi(nx.random_regular_graph(3, 20, seed=1))),
        ("CFI on a cubic graph of 60", cfi(nx.random_regular_graph(3, 60, seed=1))),
        ("random, degree 10", nx.gnm_random_graph(100_000, 500_000, seed=3)),
    ):
        g = nx.convert_node_labels_to_integers(g)
        edges = np.array(g.edges())
        others = np.random.default_rng(9).permutation(len(g))[edges][np.random.default_rng(8).permutation(len(edges))]
        found, seconds = match(program, (edges, others), len(g), "--time-limit", "60s")
        print(f"|{name}|{len(g)}|{len(edges)}|{found['status']}, {found['shared_edges']}|{found.get('automorphisms', '–')[:16]}|{seconds:.2f}|", flush=True)


if __name__ == "__main__":
    copies(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 101)
    same(sys.argv[1])

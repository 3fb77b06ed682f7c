"""Distances by edits: networkx's, by every callable, run to their end; and what else there is."""

import itertools
import random
import time
import unittest

import numpy as np

import rgm

try:
    import networkx as nx
except ImportError:
    nx = None

COSTS = ("node_match", "edge_match", "node_subst_cost", "node_del_cost", "node_ins_cost", "edge_subst_cost", "edge_del_cost", "edge_ins_cost")


def drawn(rng, most, directed):
    g = nx.gnp_random_graph(rng.randint(0, most), rng.random(), seed=rng.randint(0, 1 << 30), directed=directed)
    for _, given in g.nodes(data=True):
        given["a"] = rng.randint(0, 2)
    for _, _, given in g.edges(data=True):
        given["b"] = rng.randint(0, 2)
    return g


def callables(rng, whole):
    """Some of networkx's callables."""
    weights = [rng.randint(0, 4) if whole else rng.random() * 3 for _ in range(8)]
    every = {
        "node_match": lambda x, y: x["a"] == y["a"],
        "edge_match": lambda x, y: x["b"] == y["b"],
        "node_subst_cost": lambda x, y: weights[0] * abs(x["a"] - y["a"]),
        "node_del_cost": lambda x: weights[1] + x["a"],
        "node_ins_cost": lambda x: weights[2] + x["a"],
        "edge_subst_cost": lambda x, y: weights[3] * abs(x["b"] - y["b"]),
        "edge_del_cost": lambda x: weights[4] + x["b"],
        "edge_ins_cost": lambda x: weights[5] + x["b"],
    }
    return {name: every[name] for name in COSTS if rng.random() < 0.5}


def path_cost(g, h, partner, by):
    """What a map of nodes costs, by networkx's rules."""
    def alone(name, given):
        return by[name](given) if name in by else 1

    def substituted(kind, x, y):
        if kind + "_subst_cost" in by:
            return by[kind + "_subst_cost"](x, y)
        return 1 - by[kind + "_match"](x, y) if kind + "_match" in by else 0

    cost = sum(substituted("node", g.nodes[u], h.nodes[v]) for u, v in partner.items())
    cost += sum(alone("node_del_cost", g.nodes[u]) for u in g if u not in partner)
    cost += sum(alone("node_ins_cost", h.nodes[v]) for v in h if v not in partner.values())
    left = {e if h.is_directed() else frozenset(e) for e in h.edges}
    for u, v in g.edges:
        cost_alone = alone("edge_del_cost", g.edges[u, v])
        if u in partner and v in partner and h.has_edge(partner[u], partner[v]):
            a, b = partner[u], partner[v]
            other = alone("edge_ins_cost", h.edges[a, b])
            cost += min(substituted("edge", g.edges[u, v], h.edges[a, b]), cost_alone + other)
            left.discard((a, b) if h.is_directed() else frozenset((a, b)))
        else:
            cost += cost_alone
    return cost + sum(alone("edge_ins_cost", h.edges[tuple(e) if len(e) == 2 else tuple(e) * 2]) for e in left)


def maps(g, h):
    """All maps of nodes."""
    for images in itertools.product([None, *h], repeat=len(g)):
        taken = [v for v in images if v is not None]
        if len(set(taken)) == len(taken):
            yield {u: v for u, v in zip(g, images) if v is not None}


@unittest.skipUnless(nx, "python3-networkx is not installed")
class LikeNetworkx(unittest.TestCase):
    def check(self, ours, theirs, g, h, by, about):
        """networkx misses the least cost now and then: what differs is less, and by all maps the least."""
        if theirs is None or abs(ours - theirs) > 1e-4:  # costs without a common unit are rounded
            self.assertAlmostEqual(ours, min(path_cost(g, h, m, by) for m in maps(g, h)), 4, about)
            self.assertTrue(theirs is None or ours < theirs, about)

    def test_distance(self):
        seed = random.randrange(1 << 30)
        rng = random.Random(seed)
        for k in range(150):
            g, h = drawn(rng, 4, k % 2 == 0), drawn(rng, 4, k % 2 == 0)
            by = callables(rng, k % 3 > 0)
            self.check(rgm.graph_edit_distance(g, h, **by), nx.graph_edit_distance(g, h, **by), g, h, by, (seed, k))

    def test_roots_and_upper_bound(self):
        rng = random.Random(7)
        for k in range(40):
            g, h = drawn(rng, 3, k % 2 == 0), drawn(rng, 3, k % 2 == 0)
            if not len(g) or not len(h):
                continue
            roots = (rng.choice(list(g)), rng.choice(list(h)))
            by = callables(rng, True)
            least = min(path_cost(g, h, m, by) for m in maps(g, h) if m.get(roots[0]) == roots[1])
            self.assertAlmostEqual(rgm.graph_edit_distance(g, h, roots=roots, **by), least, 5)
            for bound in (0.5, 3):
                self.assertEqual(rgm.graph_edit_distance(g, h, upper_bound=bound), nx.graph_edit_distance(g, h, upper_bound=bound))

    def test_paths(self):
        rng = random.Random(8)
        for k in range(40):
            g, h = drawn(rng, 3, k % 2 == 0), drawn(rng, 3, k % 2 == 0)
            by = callables(rng, True)
            paths, cost = rgm.optimal_edit_paths(g, h, **by)
            every = [(path_cost(g, h, m, by), frozenset(m.items())) for m in maps(g, h)]
            nodes = [frozenset((u, v) for u, v in path[0] if u is not None and v is not None) for path in paths]
            self.assertAlmostEqual(cost, min(every, key=lambda c: c[0])[0])
            self.assertCountEqual(nodes, [m for c, m in every if abs(c - cost) < 1e-9])
            theirs, their_cost = nx.optimal_edit_paths(g, h, **by)
            if their_cost == cost:
                self.assertLessEqual({frozenset(path[0]) for path in theirs}, {frozenset(path[0]) for path in paths})
            for node_path, edge_path in paths:
                self.assertCountEqual([u for u, _ in node_path if u is not None], g)
                self.assertCountEqual([e for _, e in edge_path if e is not None], h.edges)

    def test_improving(self):
        rng = random.Random(9)
        for _ in range(10):
            g, h = drawn(rng, 6, False), drawn(rng, 6, False)
            costs = list(rgm.optimize_graph_edit_distance(g, h))
            self.assertEqual(costs, sorted(set(costs), reverse=True))
            self.assertEqual(costs[-1], rgm.graph_edit_distance(g, h))

    def test_what_does_not_end_there(self):
        """Graphs of 11 to 30 nodes on which networkx works for hours."""
        g, h = nx.petersen_graph(), nx.circulant_graph(11, [1, 3])
        self.assertTrue(rgm.distance(g, h, time_limit=20).proved)
        molecule, other = nx.random_labeled_tree(30, seed=1) if hasattr(nx, "random_labeled_tree") else nx.random_tree(30, seed=1), nx.path_graph(30)
        began = time.process_time()
        found = rgm.distance(molecule, other, time_limit=1)
        self.assertLess(time.process_time() - began, 8)
        self.assertLessEqual(found.lower_bound, found.distance)

    def test_bad_input(self):
        g = nx.path_graph(3)
        for by in ({"node_del_cost": lambda _: -1}, {"node_ins_cost": lambda _: float("nan")}, {"edge_subst_cost": lambda *_: "x"}):
            with self.assertRaises(ValueError):
                rgm.graph_edit_distance(g, g, **by)
        for first, second in ((nx.MultiGraph(g), g), (nx.DiGraph(g), g), ([1], g)):
            with self.assertRaises(ValueError):
                rgm.graph_edit_distance(first, second)
        with self.assertRaises(ValueError):
            rgm.graph_edit_distance(g, g, roots=(9, 0))
        with self.assertRaises(ValueError):
            rgm.distance(g, g, costs="chem3")
        with self.assertRaises(ValueError):
            rgm.distance(g, g, costs={"node_mach": None})


@unittest.skipUnless(nx, "python3-networkx is not installed")
class Distances(unittest.TestCase):
    def test_edits_add_up(self):
        rng = random.Random(10)
        for k in range(30):
            g, h = drawn(rng, 6, k % 2 == 0), drawn(rng, 6, k % 2 == 0)
            if len(g) and len(h):
                found = rgm.distance(g, h, costs={"node_match": lambda x, y: x == y})
                self.assertAlmostEqual(sum(edit["cost"] for edit in found.edits), found.distance)
                self.assertTrue(found.proved)
                self.assertIs(rgm.distance(g, h, costs={"node_match": lambda x, y: x == y}, within=found.distance).within, True)

    def test_many(self):
        rng = random.Random(11)
        graphs = [g for g in (drawn(rng, 5, False) for _ in range(12)) if len(g)]
        found = rgm.distances(graphs)
        self.assertTrue(found.proved.all())
        self.assertTrue((found.distance == found.distance.T).all() and (np.diag(found.distance) == 0).all())
        across = rgm.distances(graphs, graphs[:3], threads=2)
        self.assertEqual(across.distance.tolist(), found.distance[:, :3].tolist())
        self.assertEqual(rgm.distance(graphs[0], graphs[1]).distance, found.distance[0, 1])
        self.assertEqual(rgm.distances([]).distance.shape, (0, 0))

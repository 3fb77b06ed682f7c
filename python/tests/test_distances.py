"""Distances: networkx's functions beside networkx's own and all maps of nodes, and what else Python has of them."""

import itertools
import math
import os
import random
import signal
import threading
import time
import unittest

import numpy as np

import rgm
from rgm import edits

try:
    import networkx as nx
except ImportError:
    nx = None


def drawn(r, directed, most, loops=False):
    """A random graph of networkx, whose nodes and edges have attributes."""
    g = (nx.DiGraph if directed else nx.Graph)()
    p = r.choice([0.25, 0.4, 0.6])
    for i in range(r.randint(1, most)):
        g.add_node(f"n{i}", c=r.choice("CNO"), x=r.randrange(4))
    for i, u in enumerate(g):
        for j, v in enumerate(list(g)):
            if (j > i or directed and j != i or loops and i == j) and r.random() < p:
                g.add_edge(u, v, b=r.randrange(3))
    return g


def functions(r, dear=False):
    """Some of networkx's functions of costs, or all. Where they are dear, substituting a node costs more than deleting and inserting it."""
    kind = r.randrange(5)
    if kind == 0:
        return {}
    if kind == 1:
        return {"node_match": lambda x, y: x["c"] == y["c"], "edge_match": lambda x, y: x["b"] == y["b"]}
    s = r.choice([1, 0.5, 0.1, math.pi / 7])
    f = {
        "node_subst_cost": lambda x, y: s * abs(x["x"] - y["x"]), "node_del_cost": lambda x: s * (x["x"] / 4 if dear else 2 + x["x"] / 2),
        "node_ins_cost": lambda y: s * (0.5 if dear else 2.5 + y["x"] / 2), "edge_subst_cost": lambda x, y: s * 3 * abs(x["b"] - y["b"]),
        "edge_del_cost": lambda x: s * (1 + x["b"]), "edge_ins_cost": lambda y: s * (1 + y["b"] / 4),
    }
    return {name: of for name, of in f.items() if kind == 2 or name.startswith("node" if kind == 3 else "edge")}


def least(g, h, f, roots=None):
    """The least cost over all maps of nodes, and the maps that have it; an edge is substituted where that is not dearer."""
    def substituted(kind, x, y):
        if f"{kind}_subst_cost" in f:
            return f[f"{kind}_subst_cost"](x, y)
        return 1 - f[f"{kind}_match"](x, y) if f"{kind}_match" in f else 0

    def alone(name, x):
        return f[name](x) if name in f else 1

    costs = []
    for images in itertools.product([None, *h], repeat=len(g)):
        m = {u: v for u, v in zip(g, images) if v is not None}
        if len(set(m.values())) < len(m) or roots and m.get(roots[0]) != roots[1]:
            continue
        parts = [alone("node_ins_cost", h.nodes[v]) for v in h if v not in m.values()]
        parts += [substituted("node", g.nodes[u], h.nodes[m[u]]) if u in m else alone("node_del_cost", g.nodes[u]) for u in g]
        inserted = sum(alone("edge_ins_cost", h.edges[e]) for e in h.edges)
        for u, v in g.edges:
            parts.append(alone("edge_del_cost", g.edges[u, v]))
            if u in m and v in m and h.has_edge(m[u], m[v]):
                x, y = g.edges[u, v], h.edges[m[u], m[v]]
                parts.append(min(0, substituted("edge", x, y) - parts[-1] - alone("edge_ins_cost", y)))
        costs.append((math.fsum([*parts, inserted]), frozenset(m.items())))
    best = min(c for c, _ in costs)
    return best, [m for c, m in costs if c <= best + 1e-9]


@unittest.skipIf(nx is None, "python3-networkx is not installed")
class LikeNetworkx(unittest.TestCase):
    def setUp(self):
        self.seed = random.randrange(1 << 30)
        self.random = random.Random(self.seed)

    def pair(self, k, most=4, loops=False, dear=False):
        return drawn(self.random, k % 2 == 0, most, loops), drawn(self.random, k % 2 == 0, most, loops), functions(self.random, dear)

    def test_distance(self):
        for k in range(60):
            g, h, f = self.pair(k, 5)
            self.assertAlmostEqual(rgm.graph_edit_distance(g, h, **f), nx.graph_edit_distance(g, h, **f), msg=(self.seed, k))

    def test_by_all_maps(self):
        """Where networkx is no measure: it lets an edge from a node to itself become any edge, and misses maps, or fails, where deleting nodes is cheap."""
        for k in range(60):
            g, h, f = self.pair(k, loops=k % 3 == 0, dear=k % 3 == 1)
            self.assertAlmostEqual(rgm.graph_edit_distance(g, h, **f), least(g, h, f)[0], msg=(self.seed, k))

    def test_roots(self):
        """Of the smallest graphs networkx returns None."""
        for k in range(40):
            g, h, f = self.pair(k)
            roots = self.random.choice(list(g)), self.random.choice(list(h))
            ours, theirs = rgm.graph_edit_distance(g, h, **f, roots=roots), nx.graph_edit_distance(g, h, **f, roots=roots)
            self.assertAlmostEqual(ours, least(g, h, f, roots)[0], msg=(self.seed, k))
            if theirs is not None:
                self.assertAlmostEqual(ours, theirs, msg=(self.seed, k))
        with self.assertRaises(nx.NodeNotFound):
            rgm.graph_edit_distance(g, h, roots=("nobody", "n0"))

    def test_upper_bound_and_timeout(self):
        for k in range(40):
            g, h, f = self.pair(k)
            bound = self.random.choice([0, 1, 2.5, 4, 9])
            ours, theirs = (of(g, h, **f, upper_bound=bound) for of in (rgm.graph_edit_distance, nx.graph_edit_distance))
            self.assertEqual(ours is None, theirs is None, (self.seed, k))
            if ours is not None:
                self.assertAlmostEqual(ours, theirs, msg=(self.seed, k))
        with self.assertRaises(nx.NetworkXError):
            rgm.graph_edit_distance(g, h, timeout=0)
        big = nx.gnp_random_graph(60, 0.2, seed=1), nx.gnp_random_graph(60, 0.2, seed=2)
        self.assertGreater(rgm.graph_edit_distance(*big, timeout=0.05), 0)

    def test_paths(self):
        for k in range(40):
            g, h, f = self.pair(k)
            paths, cost = rgm.optimal_edit_paths(g, h, **f)
            best, maps = least(g, h, f)
            self.assertAlmostEqual(cost, best, msg=(self.seed, k))
            found = [frozenset((u, v) for u, v in nodes if None not in (u, v)) for nodes, _ in paths]
            self.assertCountEqual(found, maps, (self.seed, k))
            theirs, _ = nx.optimal_edit_paths(g, h, **f)  # which takes sums of floats in another order for others
            self.assertLessEqual({frozenset(nodes) for nodes, _ in theirs}, {frozenset(nodes) for nodes, _ in paths})
            for nodes, edges in paths:
                for side, graph in enumerate((g, h)):
                    self.assertCountEqual([pair[side] for pair in nodes if pair[side] is not None], graph.nodes)
                    self.assertCountEqual([pair[side] for pair in edges if pair[side] is not None], graph.edges)
        self.assertEqual(rgm.optimal_edit_paths(nx.path_graph(2), nx.path_graph(4), upper_bound=1), ([], None))

    def test_optimize(self):
        for k in range(20):
            g, h, f = self.pair(k)
            costs = list(rgm.optimize_graph_edit_distance(g, h, **f))
            self.assertTrue(all(x > y for x, y in zip(costs, costs[1:])), costs)
            self.assertAlmostEqual(costs[-1], least(g, h, f)[0], 5, msg=(self.seed, k))
        before = threading.active_count()
        big = nx.gnp_random_graph(60, 0.2, seed=1), nx.gnp_random_graph(60, 0.2, seed=2)
        for _ in rgm.optimize_graph_edit_distance(*big):
            break  # which ends the search
        self.assertEqual(threading.active_count(), before)

    def test_each_function_is_called_once(self):
        g, h = nx.gnp_random_graph(6, 0.5, seed=1), nx.gnp_random_graph(5, 0.5, seed=2)
        nx.set_node_attributes(g, {u: u for u in g}, "k")
        nx.set_node_attributes(h, {v: v for v in h}, "k")
        for graph in (g, h):
            nx.set_edge_attributes(graph, {e: k for k, e in enumerate(graph.edges)}, "k")
        called = []

        def note(name, cost):
            return lambda *of: called.append((name, *(x["k"] for x in of))) or cost

        rgm.graph_edit_distance(g, h, **{name: note(name, 1) for name in edits.Functions._fields if "match" not in name})
        self.assertEqual(len(called), len(set(called)))
        self.assertEqual(len(called), 6 * 5 + 6 + 5 + len(g.edges) * len(h.edges) + len(g.edges) + len(h.edges))

    def test_bad_input(self):
        g = nx.path_graph(3)
        for part, call in {
            "deleting node 0 costs -1": lambda: rgm.graph_edit_distance(g, g, node_del_cost=lambda _: -1),
            "inserting node 0 costs nan": lambda: rgm.graph_edit_distance(g, g, node_ins_cost=lambda _: math.nan),
            "inserting edge 0 costs inf": lambda: rgm.graph_edit_distance(g, g, edge_ins_cost=lambda _: math.inf),
            "could not convert": lambda: rgm.graph_edit_distance(g, g, edge_subst_cost=lambda *_: "x"),
            "multigraph": lambda: rgm.graph_edit_distance(nx.MultiGraph(g), g),
            "directed": lambda: rgm.graph_edit_distance(nx.DiGraph(g), g),
            "want a graph of networkx": lambda: rgm.graph_edit_distance([1], g),
            "/options/costs": lambda: rgm.distance(g, g, costs="chem3"),
            "costs has 'node_mach'": lambda: rgm.distance(g, g, costs={"node_mach": min}),
            "costs is int": lambda: rgm.distance(g, g, costs=3),
            "delete is -1": lambda: rgm.distance(g, g, costs={"nodes": {"delete": -1}}),
            "/options/within": lambda: rgm.distance(g, g, within=-1),
            "/options/methd": lambda: rgm.distance(g, g, methd="auto"),
            "graphs[1]": lambda: rgm.distances([g, "h"]),
            "for two graphs": lambda: rgm.distances([g, g], costs={"node_match": min}),
            "one graph is directed": lambda: rgm.distances([g, nx.DiGraph(g)]),
        }.items():
            with self.assertRaises(ValueError, msg=part) as raised:
                call()
            self.assertIn(part, str(raised.exception))
        with self.assertRaises(ZeroDivisionError):
            rgm.graph_edit_distance(g, g, node_del_cost=lambda _: 1 / 0)


@unittest.skipIf(nx is None, "python3-networkx is not installed")
class Distances(unittest.TestCase):
    def test_edits_add_up(self):
        r = random.Random(random.randrange(1 << 30))
        for k in range(30):
            g, h = drawn(r, k % 2 == 0, 6), drawn(r, k % 2 == 0, 6)
            for costs in ("uniform", {"nodes": {"delete": 0.7}}, {"node_match": lambda x, y: x == y}):
                found = rgm.distance(g, h, costs=costs)
                self.assertTrue(found.optimal)
                self.assertAlmostEqual(sum(edit.cost for edit in found.path), found.distance)
                self.assertAlmostEqual(found.lower_bound, found.distance)
                self.assertEqual({edit.a: edit.b for edit in found.path if edit.what == "node" and edit.a and edit.b}, found.mapping)
                self.assertTrue(rgm.distance(g, h, costs=costs, within=found.distance).within)

    def test_many(self):
        r = random.Random(random.randrange(1 << 30))
        graphs = [drawn(r, False, 5) for _ in range(12)]
        found = rgm.distances(graphs)
        self.assertTrue(found.proved.all())
        self.assertTrue((found.distance == found.distance.T).all() and (np.diag(found.distance) == 0).all())
        self.assertEqual(rgm.distances(graphs, graphs[:3], threads=2).distance.tolist(), found.distance[:, :3].tolist())
        self.assertEqual(rgm.distance(graphs[0], graphs[1]).distance, found.distance[0, 1])
        self.assertEqual(rgm.distances([]).distance.shape, (0, 0))
        self.assertEqual(rgm.distances(graphs, []).distance.shape, (12, 0))

    def test_limits(self):
        g, h = nx.gnp_random_graph(80, 0.2, seed=1), nx.gnp_random_graph(80, 0.2, seed=2)
        heard = []
        found = rgm.distance(g, h, max_steps=20_000, on_best=lambda best: heard.append((best.objective, best.lower_bound)))
        self.assertEqual(found.status, "max_steps")
        self.assertLess(0, found.lower_bound)
        self.assertLess(found.lower_bound, found.distance)
        self.assertAlmostEqual(heard[-1][0], found.distance)
        self.assertEqual(rgm.distance(g, h, on_best=lambda best: True).status, "cancelled")

    def test_interrupted(self):
        graphs = [nx.gnp_random_graph(60, 0.2, seed=k) for k in range(6)]
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # of a background job it is ignored
        self.addCleanup(signal.signal, signal.SIGINT, before)
        for call in (lambda: rgm.distance(graphs[0], graphs[1]), lambda: rgm.distances(graphs), lambda: rgm.graph_edit_distance(*graphs[:2])):
            timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            began = time.monotonic()
            with self.assertRaises(rgm.Interrupted) as raised:
                call()
            self.assertLess(time.monotonic() - began, 20)
            self.assertIs(rgm.last_result, raised.exception.result)
            timer.join()
        self.assertIsInstance(raised.exception.result, float)


if __name__ == "__main__":
    unittest.main()

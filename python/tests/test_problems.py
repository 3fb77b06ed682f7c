"""Solutions, by every way to state a problem."""

import itertools
import re
import unittest

import numpy as np

import rgm

try:
    import scipy.optimize
    from scipy import sparse
except ImportError:
    scipy = sparse = None
try:
    import networkx
except ImportError:
    networkx = None
try:
    import pandas
except ImportError:
    pandas = None

needs_scipy = unittest.skipUnless(sparse, "python3-scipy is not installed")
needs_pandas = unittest.skipUnless(pandas, "python3-pandas is not installed")
needs_networkx = unittest.skipUnless(networkx, "python3-networkx is not installed")


def best(a, b, sign=1, fixed=()):
    """The least cost over all permutations that keep to fixed."""
    costs = []
    for p in itertools.permutations(range(len(a))):
        if all(p[i] == c for i, c in fixed):
            costs.append(sign * (a * b[np.ix_(p, p)]).sum())
    return sign * min(costs)


class Assignment(unittest.TestCase):
    def test_optimum_of_small_problems(self):
        for seed in range(4):
            rng = np.random.default_rng(seed)
            a, b = rng.random((6, 6)), rng.random((6, 6))
            self.assertAlmostEqual(rgm.quadratic_assignment(a, b).fun, best(a, b))
            self.assertAlmostEqual(rgm.quadratic_assignment(a, b, options={"maximize": True}).fun, best(a, b, -1))
            fixed = [(0, 3), (4, 4), (2, 1)]
            found = rgm.quadratic_assignment(a, b, options={"partial_match": fixed})
            self.assertAlmostEqual(found.fun, best(a, b, 1, fixed))
            self.assertEqual([found.col_ind[i] for i, _ in fixed], [c for _, c in fixed])

    def test_all_is_fixed(self):
        a = np.arange(9.0).reshape(3, 3)
        found = rgm.quadratic_assignment(a, a, options={"partial_match": [[0, 2], [1, 1], [2, 0]]})
        self.assertEqual((found.col_ind.tolist(), found.nit, found.fun), ([2, 1, 0], 0, (a * a[::-1, ::-1]).sum()))

    def test_matrices_stay_as_they_were(self):
        rng = np.random.default_rng(0)
        k = rng.random((9, 9))
        for matrix in (k, k + k.T, np.asfortranarray(k), k[::-1], k.astype(np.float32)):
            before = matrix.copy()
            matrix.setflags(write=False)
            rgm.solve(matrix, 3, 3)
            rgm.quadratic_assignment(matrix, matrix)
            self.assertTrue((matrix == before).all())

    def test_same_seed_same_result(self):
        rng = np.random.default_rng(5)
        a, b = rng.random((30, 30)), rng.random((30, 30))
        first, again = (rgm.quadratic_assignment(a, b, options={"rng": 7, "max_steps": 500}) for _ in range(2))
        self.assertEqual(first.col_ind.tolist(), again.col_ind.tolist())

    def test_guess(self):
        rng = np.random.default_rng(5)
        a = rng.random((25, 25))
        b = a[::-1, ::-1]
        guess = np.column_stack([np.arange(25), np.arange(25)[::-1]])
        found = rgm.quadratic_assignment(a, b, "2opt", options={"partial_guess": guess, "maximize": True, "max_steps": 10})
        self.assertEqual(found.col_ind.tolist(), guess[:, 1].tolist())

    def test_2opt_ends_where_no_exchange_is_better(self):
        rng = np.random.default_rng(3)
        a, b = rng.random((20, 20)), rng.random((20, 20))
        found = rgm.quadratic_assignment(a, b, "2opt", options={"rng": 1})
        for i in range(20):
            for j in range(i):
                p = found.col_ind.copy()
                p[[i, j]] = p[[j, i]]
                self.assertGreaterEqual((a * b[np.ix_(p, p)]).sum(), found.fun - 1e-9)
        self.assertLess(found.nit, 100)
        self.assertEqual((found.result.found_by, found.result.status), ("tabu", "patience"))

    @needs_scipy
    def test_example_of_scipys_documentation(self):
        a = np.array([[0, 80, 150, 170], [80, 0, 130, 100], [150, 130, 0, 120], [170, 100, 120, 0]])
        b = np.array([[0, 5, 2, 7], [0, 0, 3, 8], [0, 0, 0, 3], [0, 0, 0, 0]])
        theirs, ours = scipy.optimize.quadratic_assignment(a, b), rgm.quadratic_assignment(a, b)
        self.assertLessEqual(ours.fun, theirs.fun)
        self.assertEqual((ours.fun, ours.col_ind.tolist()), (3260, [0, 3, 2, 1]))
        self.assertIsInstance(ours, scipy.optimize.OptimizeResult)
        np.random.seed(1)
        a, b = np.random.rand(15, 15), np.random.rand(15, 15)  # its second example: faq, then 2opt from there
        theirs = scipy.optimize.quadratic_assignment(a, b)
        guess = np.array([np.arange(15), theirs.col_ind]).T
        theirs = scipy.optimize.quadratic_assignment(a, b, method="2opt", options={"rng": np.random.default_rng(), "partial_guess": guess})
        ours = rgm.quadratic_assignment(a, b)
        guess = np.array([np.arange(15), ours.col_ind]).T
        ours = rgm.quadratic_assignment(a, b, method="2opt", options={"rng": np.random.default_rng(), "partial_guess": guess})
        self.assertLessEqual(ours.fun, theirs.fun + 1e-9)

    def test_options_of_scipy_without_counterpart(self):
        with self.assertWarns(RuntimeWarning):
            rgm.quadratic_assignment(np.eye(3), np.eye(3), options={"tol": 0.1})


class Lawler(unittest.TestCase):
    def setUp(self):
        rng = np.random.default_rng(2)
        k = rng.random((12, 12))
        self.k = k + k.T
        self.want = rgm.solve(self.k, 3, 4)

    def test_objective(self):
        x = self.want.matrix.ravel()
        self.assertAlmostEqual(self.want.objective, x @ self.k @ x)
        self.assertEqual(self.want.matrix.sum(), 3)

    def columns_first(self, k):
        return k.reshape(3, 4, 3, 4).transpose(1, 0, 3, 2).reshape(12, 12)

    def test_orders(self):
        found = rgm.solve(self.columns_first(self.k), 3, 4, order="col")
        self.assertEqual(found.matching.tolist(), self.want.matching.tolist())

    @needs_scipy
    def test_sparse(self):
        for make in (sparse.csr_matrix, sparse.coo_matrix, sparse.csc_array):
            self.assertEqual(rgm.solve(make(self.k), 3, 4).matching.tolist(), self.want.matching.tolist())
            found = rgm.solve(make(self.columns_first(self.k)), 3, 4, order="col")
            self.assertEqual(found.matching.tolist(), self.want.matching.tolist())

    def test_batch(self):
        padded = np.zeros((2, 20, 20))
        for b, order in enumerate(("row", "row")):
            i, a = np.meshgrid(range(3), range(4), indexing="ij")
            places = (i * 5 + a).ravel()
            padded[b][np.ix_(places, places)] = self.k
        first, second = rgm.solve(padded, [3, 4], 4, n1max=4, n2max=5)
        self.assertEqual(first.matching.tolist(), self.want.matching.tolist())
        self.assertEqual(second.nodes, (4, 4))
        self.assertEqual(len(rgm.solve(np.stack([self.k, self.k]), 3, 4)), 2)
        self.assertEqual(rgm.solve(np.empty((0, 12, 12)), 3, 4), [])

    def test_least(self):
        x = rgm.solve(self.k, 3, 4, maximize=False, complete=True).matrix.ravel()
        self.assertAlmostEqual(x @ self.k @ x, min(
            sum(self.k[4 * i + p[i], 4 * j + p[j]] for i in range(3) for j in range(3)) for p in itertools.permutations(range(4), 3)))


class Graphs(unittest.TestCase):
    def test_points(self):
        rng = np.random.default_rng(1)
        points, order = rng.random((20, 2)), rng.permutation(20)
        moved = points[order] + 0.001 * rng.random((20, 2))
        self.assertEqual(order[rgm.match(points, moved).matching].tolist(), list(range(20)))
        known = rgm.match(points, moved, known=[(0, 5)])
        self.assertEqual(known.matching[0], 5)

    def test_learned_affinities_leave_outliers_out(self):
        rng = np.random.default_rng(3)
        points = rng.random((12, 2))
        both = np.vstack([points + 0.005 * rng.random((12, 2)), rng.random((4, 2))])
        result = rgm.match(points, both, affinity="learned", seed=1)
        self.assertGreaterEqual((result.matching == np.arange(12)).sum(), 10)
        self.assertEqual(result.record["affinity"], "affinity")

    def adjacency(self, n=60, seed=4):
        rng = np.random.default_rng(seed)
        a = np.triu(rng.random((n, n)) < 0.15, 1)
        return (a | a.T).astype(float), rng.permutation(n)

    def test_align_dense(self):
        a, order = self.adjacency()
        result = rgm.align(a, a[np.ix_(order, order)], seed=1)
        self.assertEqual(order[result.matching].tolist(), list(range(60)))
        self.assertTrue(result.optimal)
        self.assertGreater(result.sure.mean(), 0.8)
        self.assertEqual(result.record["shared_edges"], a.sum() / 2)

    @needs_scipy
    def test_align_sparse(self):
        a, order = self.adjacency()
        found = rgm.align(sparse.csr_matrix(a), sparse.csr_array(a[np.ix_(order, order)]), seed=1)
        self.assertEqual(order[found.matching].tolist(), list(range(60)))
        weighted = a * np.arange(1, 61)  # directed, with weights
        result = rgm.align(sparse.csr_matrix(weighted), sparse.csr_matrix(weighted[np.ix_(order, order)]), seed=1)
        self.assertIn("with weights and directions", result.record["about"])

    @needs_networkx
    def test_networkx(self):
        g = networkx.karate_club_graph()
        number = {node: chr(65 + node) for node in g}
        h = networkx.relabel_nodes(g, number)
        result = rgm.match(g, h, seed=1)
        self.assertEqual(result.status, "optimal")
        self.assertTrue(networkx.is_isomorphic(networkx.relabel_nodes(g, result.mapping), h))
        both = result.to_networkx()
        self.assertEqual(both.number_of_edges(), 34)
        self.assertTrue(both.has_edge((1, 0), (2, result.mapping[0])))
        aligned = rgm.align(g, h).to_networkx()
        self.assertIn("sure", next(iter(aligned.edges(data=True)))[2])

    @needs_networkx
    def test_attributes_of_networkx(self):
        g = networkx.Graph()
        for k, place in enumerate([(0, 0), (3, 0), (3, 1)]):
            g.add_node(f"n{k}", pos=place, left=None, list=[1])
        g.add_edge("n0", "n1", weight=np.float32(2))
        g.add_edge("n1", "n2", weight=5)
        h = networkx.relabel_nodes(g, {"n0": "z"})
        self.assertEqual(rgm.match(g, h).mapping["n0"], "z")
        g.nodes["n0"]["size"] = float("nan")
        self.assertEqual(rgm.match(g, h).mapping["n0"], "z")
        g.nodes["n0"]["size"] = float("inf")
        with self.assertRaisesRegex(ValueError, "graph1, node 'n0': size is inf"):
            rgm.match(g, h)

    def test_multigraphs(self):
        several = networkx.MultiGraph([("a", "b"), ("b", "a"), ("b", "c")])
        found = rgm.match(several, networkx.Graph([("x", "y"), ("y", "z")]))
        self.assertEqual((found.mapping["b"], found.record["edges1"]), ("y", 2))
        self.assertEqual(found.record["unused"], ["graph 1: 1 edges come again: two nodes are joined once"])
        several.add_edge("a", "b", weight=1)
        several.add_edge("c", "b", weight=2)
        with self.assertRaisesRegex(ValueError, "some edges have weights and others none"):
            rgm.match(several, several)
        unlike = networkx.MultiGraph()
        unlike.add_edge("a", "b", weight=2)
        unlike.add_edge("a", "b", weight=1)
        with self.assertRaisesRegex(ValueError, "nodes 'a' and 'b' are joined by edges of weights 2 and 1: want one edge"):
            rgm.match(unlike, unlike)

    def test_what_is_compared(self):
        """weight, edges, node_weight and similarity are those of the command line."""
        g = networkx.cycle_graph(5)
        for k, (u, v) in enumerate(g.edges):
            g.edges[u, v].update(length=k + 1.0, age=1)
        h = networkx.relabel_nodes(g, {k: "abcde"[k] for k in g})
        self.assertEqual(rgm.match(g, h, weight="length").mapping, {k: "abcde"[k] for k in g})
        self.wrong_match("edges have age, length", g, h, weight="girth")
        ring, other = networkx.cycle_graph(5), networkx.cycle_graph("abcde")
        alike = {(0, "c"): 1, (1, "d"): 1}
        matrix = np.zeros((5, 5))
        matrix[0, 2] = matrix[1, 3] = 1
        for similarity in (alike, matrix):
            found = rgm.match(ring, other, similarity=similarity)
            self.assertEqual((found.mapping[0], found.mapping[1], found.mapping[2]), ("c", "d", "e"))
        self.wrong_match("a node of graph 1 and one of graph 2", ring, other, similarity={(0, "z"): 1})
        self.wrong_match("has the shape", ring, other, similarity=np.ones((2, 2)))
        self.wrong_match("want a number above 0", ring, other, similarity={(0, "a"): -1})
        points = np.random.default_rng(3).random((30, 2))
        self.assertEqual(rgm.match(points, points, edges="knn:4").record["edges"], "knn:4")
        for weight, about in ((0, False), (2, True)):
            kinds = rgm.match(self.kinds(), self.kinds(), node_weight=weight)
            self.assertEqual("(as given)" in kinds.record["about"], about)

    def kinds(self):
        g = networkx.path_graph(4)
        for node, kind in zip(g, "CCNO"):
            g.nodes[node]["kind"] = kind
        return g

    def wrong_match(self, text, *graphs, **options):
        with self.assertRaisesRegex(ValueError, text):
            rgm.match(*graphs, **options)

    def test_labels_of_networkx(self):
        """Attributes called label, name and id are words where they repeat, and no names where they do not."""
        for label in ("label", "name", "id"):
            g, h = networkx.path_graph(4), networkx.path_graph("dcba")
            for nodes, values in ((g, "CCNO"), (h, "ONCC")):
                for node, value in zip(nodes, values):
                    nodes.nodes[node][label] = value
            found = rgm.match(g, h)
            self.assertEqual(found.mapping, {0: "a", 1: "b", 2: "c", 3: "d"}, label)
            self.assertNotIn("unused", found.record)
        order = [2, 0, 3, 1]
        for node, number in zip(g, order):
            g.nodes[node].clear()
            g.nodes[node]["label"] = number  # which names nodes, and does not change their order
        self.assertIn(rgm.match(g, networkx.path_graph(4)).mapping[0], (0, 3))

    def test_plot(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("python3-matplotlib is not installed")
        matplotlib.use("Agg")
        rng = np.random.default_rng(1)
        points = rng.random((6, 2))
        graph = rgm.Graph(points=points, edges=[(0, 1), (2, 3)])
        result = rgm.match(graph, rgm.Graph(points=points, edges=[(0, 1), (4, 5)]), known=[(k, k) for k in range(6)])
        said = self.drawn(result.plot())
        self.assertEqual(said["lines"], 6 + 2 + 2)  # of the partners, the shared edge in both, the others
        self.assertIn("edge in both: 1", said["legend"])
        self.assertIn("edge in one only: 2", said["legend"])
        a, order = self.adjacency(10)
        b = a.copy()
        b[0] = b[:, 0] = 0
        result = rgm.align(a, b)
        said, at = self.drawn(result.plot()), result.record["shared_edges"]
        self.assertEqual(said["lines"], (a.sum() + b.sum()) // 2)  # both graphs alike: no lines between them
        self.assertIn(f"edge in both: {at}", said["legend"])
        apart = self.drawn(result.plot(view="apart"))
        self.assertEqual(apart["lines"], said["lines"] + (result.matching >= 0).sum())
        with self.assertRaisesRegex(ValueError, "want auto, alike or apart"):
            result.plot(view="both")
        res = rgm.quadratic_assignment(a, b, options={"max_steps": 100})
        self.assertEqual(len(res.result.plot().images), 3)
        self.assertEqual(len(rgm.solve(np.eye(4), 2, 2).plot().collections), 1)

    @staticmethod
    def drawn(axes):
        """How many lines a picture has, and its legend."""
        from matplotlib import pyplot
        from matplotlib.collections import LineCollection

        axes.figure.canvas.draw()
        lines = sum(len(c.get_segments()) for c in axes.collections if isinstance(c, LineCollection))
        said = {"lines": lines, "legend": [t.get_text() for t in axes.get_legend().get_texts()]}
        pyplot.close(axes.figure)
        return said

    @needs_networkx
    def test_plot_of_sizes(self):
        """Pictures of 10, 200 and 2,000 nodes, which have names where there is room; and of edits."""
        try:
            import matplotlib
        except ImportError:
            self.skipTest("python3-matplotlib is not installed")
        matplotlib.use("Agg")
        for n, fewest in ((10, 15), (200, 80), (2000, 100)):
            g = networkx.gnm_random_graph(n, 2 * n, seed=n)
            h = networkx.relabel_nodes(g, {k: f"m{k}" for k in g})
            h.remove_edges_from(list(h.edges)[: n // 10])
            h.remove_node("m0")
            result = rgm.align(g, h, max_steps=1000)
            axes = result.plot()
            self.assertGreater(len(axes.texts), fewest)
            said = self.drawn(axes)
            self.assertEqual(said["lines"], g.number_of_edges() + h.number_of_edges())
            alone = g.number_of_nodes() + h.number_of_nodes() - 2 * len(result.pairs)
            self.assertIn(f"without a partner: {alone}", said["legend"])
        found = rgm.distance(networkx.cycle_graph(5), networkx.path_graph(6))
        said = self.drawn(found.plot())
        self.assertEqual(said["lines"], 5 + 5)
        self.assertTrue({"node kept: 5", "node inserted: 1"} <= {*said["legend"]}, said)
        self.assertEqual(sum(int(t.split(": ")[1]) for t in said["legend"] if re.match("edge (deleted|inserted)", t)), sum(e.what == "edge" and e.cost > 0 for e in found.path))

    @needs_networkx
    def test_points_of_networkx_without_edges(self):
        g = networkx.empty_graph(6)
        networkx.set_node_attributes(g, {k: tuple(p) for k, p in enumerate(np.random.default_rng(1).random((6, 2)))}, "pos")
        self.assertEqual(rgm.match(g, g).matching.tolist(), list(range(6)))


@needs_pandas
class Tables(unittest.TestCase):
    """Tables of pandas, as its users and those of networkx write them."""

    def edges(self):
        rng = np.random.default_rng(3)
        pairs = [(i, j) for i in range(25) for j in range(i) if rng.random() < 0.25]
        source, target = np.array(pairs).T
        return pandas.DataFrame({"source": source, "target": target, "weight": rng.integers(1, 9, len(pairs))})

    def wrong(self, part, frame):
        with self.assertRaises(ValueError) as raised:
            rgm.match(frame, frame)
        self.assertIn(part, str(raised.exception))

    def test_edges(self):
        one = self.edges()
        other = one.assign(source="n" + one.source.astype(str), target="n" + one.target.astype(str)).sample(frac=1, random_state=1)
        result = rgm.match(one, other, seed=1)
        self.assertEqual(result.mapping, {k: f"n{k}" for k in result.names[0]})
        self.assertEqual(result.record["edges1"], len(one))
        self.assertIn("weights", result.record["about"])
        swapped = one.rename(columns={"source": "to", "target": "from"})
        both_ways = pandas.concat([one, one.rename(columns={"source": "target", "target": "source"})])
        for same in (swapped, both_ways, one.rename(columns=str.title)):
            again = rgm.match(same, other, seed=1)
            self.assertEqual((again.record["edges1"], again.mapping), (len(one), result.mapping))
        kinds = pandas.DataFrame({"source": list("abc"), "target": list("bcd"), "kind": ["x", "y", "z"]})
        self.assertEqual(rgm.match(kinds, kinds.iloc[::-1].reset_index(drop=True)).mapping, {name: name for name in "abcd"})

    def test_edges_that_are_wrong(self):
        one = self.edges()
        twice = pandas.concat([one[one.source == 1], one])
        self.assertIn("edges come again", rgm.match(twice, one).record["unused"][0])
        self.wrong("nodes 1 and 0 are joined by edges of weights", pandas.concat([one[one.source == 1].assign(weight=99), one]))
        back = pandas.DataFrame({"source": [one.target[0]], "target": [one.source[0]], "weight": [99]})
        self.wrong("create_using=networkx.DiGraph", pandas.concat([one, back]))
        self.wrong("row 1: a node is missing", pandas.DataFrame({"source": ["a", None], "target": ["b", "c"]}))
        self.wrong("no rows", one.iloc[:0])
        self.wrong("columns of the same name", pandas.DataFrame([[1, 2, 3]], columns=["source", "target", "source"]))
        self.wrong("words in the columns 'u', 'v'", pandas.DataFrame({"u": ["a", "b"], "v": ["c", "d"]}))
        self.wrong("row 0: weight is inf", one.assign(weight=np.inf))

    def test_adjacency_with_labels(self):
        one = self.edges()
        matrix = np.zeros((25, 25))
        matrix[one.source, one.target] = matrix[one.target, one.source] = one.weight
        names = [f"n{k}" for k in range(25)]
        frame = pandas.DataFrame(matrix, index=names, columns=names)
        mixed = frame.sample(frac=1, random_state=1).sample(frac=1, axis=1, random_state=2).rename(index=str.upper, columns=str.upper)
        result = rgm.match(frame, mixed, seed=1)
        self.assertEqual(result.mapping, {name: name.upper() for name in names})

    def test_points(self):
        rng = np.random.default_rng(5)
        names = [f"p{k}" for k in range(12)]
        indexed = pandas.DataFrame(rng.random((12, 2)), columns=["x", "y"], index=names)
        mixed = indexed.sample(frac=1, random_state=1)
        named = mixed.reset_index().rename(columns={"index": "name"})
        unnamed = pandas.DataFrame(indexed.to_numpy())
        want = {name: name for name in names}
        self.assertEqual(rgm.match(indexed, mixed).mapping, want)
        self.assertEqual(rgm.match(indexed, named).mapping, want)
        self.assertEqual(rgm.match(unnamed, named).mapping, dict(enumerate(names)))
        self.assertEqual(rgm.match(indexed, named, known=[("p3", "p3")]).mapping, want)
        kind = pandas.Series(list("uvw") * 4, index=names)
        result = rgm.match(indexed.assign(kind=kind), mixed.assign(kind=kind))
        self.assertIn("kind", result.record["about"])
        self.wrong("y is inf", indexed.assign(y=np.inf))

    def test_unknown(self):
        """NaN and None are unknown at every door: a point without a place is matched by nothing."""
        points = np.random.default_rng(5).random((80, 2))
        turned = 2 * points @ np.array([[0, 1], [-1, 0]]) + 1
        points[3, 1] = np.nan
        result = rgm.match(points, turned)
        self.assertEqual(result.matching[3], -1)
        self.assertEqual(list(np.delete(result.matching, 3)), [i for i in range(80) if i != 3])
        lists = [[None if np.isnan(v) else v for v in row] for row in points.tolist()]
        self.assertEqual(list(rgm.match(lists, turned).matching), list(result.matching))
        self.wrong("(0, 0)", pandas.DataFrame())


if __name__ == "__main__":
    unittest.main()

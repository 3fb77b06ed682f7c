"""The edit distance by functions, as networkx has it: graph_edit_distance, optimal_edit_paths, optimize_graph_edit_distance."""

from __future__ import annotations

import math
import queue
import threading
import time
from typing import Any, Callable, Hashable, Iterator, Mapping, NamedTuple, Sequence

import numpy as np

from . import _interrupt, _library, _memory
from ._library import OnBest
from .graphs import Graph
from .measured import Distance

Roots = tuple[Hashable, Hashable]
NodePath = list[tuple[Any, Any]]
EdgePath = list[tuple[Any, Any]]


class Functions(NamedTuple):
    """What says what edits cost, each of attributes; None is networkx's default."""

    node_match: Callable[[Any, Any], Any] | None = None
    edge_match: Callable[[Any, Any], Any] | None = None
    node_subst_cost: Callable[[Any, Any], float] | None = None
    node_del_cost: Callable[[Any], float] | None = None
    node_ins_cost: Callable[[Any], float] | None = None
    edge_subst_cost: Callable[[Any, Any], float] | None = None
    edge_del_cost: Callable[[Any], float] | None = None
    edge_ins_cost: Callable[[Any], float] | None = None


def functions_of(costs: Any) -> Functions | None:
    """Those of a dictionary, None of costs that have none."""
    if not isinstance(costs, Mapping) or not any(callable(value) for value in costs.values()):
        return None
    for name in costs:
        if name not in Functions._fields:
            raise ValueError(f"costs has {name!r}: want functions by the names {', '.join(Functions._fields)}")
    return Functions(**costs)


class _Table:
    """What edits of nodes cost, or of edges: each function is called once for an element, or a pair of elements."""

    def __init__(self, of: str, first: Sequence[Any], second: Sequence[Any], match: Any, substitute: Any, delete: Any, insert: Any) -> None:
        self.first, self.second = first, second
        _memory.check(f"the costs of {len(first)}×{len(second)} {of}s", 8.0 * len(first) * len(second), "want smaller graphs")
        if substitute is None and match is not None:
            substitute = lambda x, y: 1 - int(match(x, y))  # noqa: E731
        self.alike = substitute is None and delete is None and insert is None
        if self.alike:
            self.delete, self.insert, self.substitute = np.ones(1), np.ones(1), np.zeros((1, 1))
            return
        self.delete = np.array([_cost(f"deleting {of} {k}", delete(x)) if delete else 1.0 for k, x in enumerate(first)], float)
        self.insert = np.array([_cost(f"inserting {of} {k}", insert(y)) if insert else 1.0 for k, y in enumerate(second)], float)
        self.substitute = np.zeros((len(first), len(second)))
        if substitute is not None:
            for i, x in enumerate(first):
                for a, y in enumerate(second):
                    self.substitute[i, a] = _cost(f"substituting {of} {i} by {a}", substitute(x, y), math.inf)

    def labels(self, count: int) -> np.ndarray | None:
        return np.zeros(count, np.int64) if self.alike else None

    def place(self, k: int) -> int:
        return 0 if self.alike else k


def _cost(what: str, value: Any, most: float = np.finfo(float).max) -> float:
    cost = float(value)
    if not 0 <= cost <= most:
        raise ValueError(f"{what} costs {cost}: want a number of at least 0")
    return cost


class Problem:
    """Two graphs of networkx under functions of costs."""

    def __init__(self, G1: Any, G2: Any, functions: Functions, roots: Roots | None = None) -> None:
        for name, g in (("G1", G1), ("G2", G2)):
            if not hasattr(g, "is_multigraph"):
                raise ValueError(f"{name} is {type(g).__name__}: want a graph of networkx, whose attributes the functions see")
            if g.is_multigraph():
                raise ValueError(f"{name} is a multigraph: want one edge between two nodes, as networkx.Graph(g) or DiGraph(g) makes")
        if G1.is_directed() != G2.is_directed():
            raise ValueError("one graph is directed, the other is not: want both alike")
        f = functions
        self.directed = G1.is_directed()
        self.nodes1, self.nodes2 = list(G1.nodes), list(G2.nodes)
        self.edges1, self.edges2 = list(G1.edges), list(G2.edges)
        self.nodes = _Table(
            "node", [G1.nodes[u] for u in self.nodes1], [G2.nodes[v] for v in self.nodes2], f.node_match, f.node_subst_cost, f.node_del_cost,
            f.node_ins_cost)
        self.edges = _Table(
            "edge", [G1.edges[e] for e in self.edges1], [G2.edges[e] for e in self.edges2], f.edge_match, f.edge_subst_cost, f.edge_del_cost,
            f.edge_ins_cost)
        self._at = [{name: k for k, name in enumerate(names)} for names in (self.nodes1, self.nodes2)]
        self._ends = [
            np.array([[at[u], at[v]] for u, v in edges], np.int64).reshape(-1, 2)
            for at, edges in zip(self._at, (self.edges1, self.edges2))]
        self._between = {self._key(u, v): k for k, (u, v) in enumerate(self._ends[1].tolist())}
        self.roots: tuple[int, int] | None = None
        if roots is not None:
            try:
                self.roots = self._at[0][roots[0]], self._at[1][roots[1]]
            except KeyError:
                import networkx

                raise networkx.NodeNotFound("Root node not in graph.") from None

    def _key(self, u: int, v: int) -> tuple[int, int]:
        return (u, v) if self.directed or u <= v else (v, u)

    def _most(self) -> float:
        """What deleting graph 1 and inserting graph 2 costs."""
        return sum(
            len(first) * float(t.delete[0]) + len(second) * float(t.insert[0]) if t.alike else float(t.delete.sum() + t.insert.sum())
            for t, first, second in ((self.nodes, self.nodes1, self.nodes2), (self.edges, self.edges1, self.edges2)))

    def _node_costs(self) -> tuple[_library.Costs, np.ndarray | None, np.ndarray | None]:
        """Costs under which the roots belong together, and the labels that they are by."""
        t, n1, n2 = self.nodes, len(self.nodes1), len(self.nodes2)
        if self.roots is None:
            return _library.Costs(t.delete, t.insert, t.substitute), t.labels(n1), t.labels(n2)
        i, a = self.roots
        delete, insert = np.broadcast_to(t.delete, n1).copy(), np.broadcast_to(t.insert, n2)
        substitute = np.broadcast_to(t.substitute, (n1, n2)).copy()
        kept = substitute[i, a]
        substitute[i, :] = substitute[:, a] = math.inf
        substitute[i, a] = kept
        delete[i] += self._most() + kept + 1
        return _library.Costs(delete, np.ascontiguousarray(insert), substitute), None, None

    def search(self, options: dict[str, Any], on_best: OnBest | None = None, stop: threading.Event | None = None) -> _library.Found:
        nodes, labels1, labels2 = self._node_costs()
        edges = _library.Costs(self.edges.delete, self.edges.insert, self.edges.substitute)
        graphs = tuple(
            _library.Labelled(len(names), labels, ends, self.edges.labels(len(ends)), self.directed)
            for names, labels, ends in ((self.nodes1, labels1, self._ends[0]), (self.nodes2, labels2, self._ends[1])))
        return _library.distance_by_costs(graphs, nodes, edges, options, on_best, stop)

    def distance(self, options: dict[str, Any], on_best: OnBest | None) -> Distance:
        found = self.search(options, on_best)
        graphs = tuple(
            Graph(nodes=len(names), names=names, edges=ends, directed=self.directed) if names else _Empty()
            for names, ends in ((self.nodes1, self._ends[0]), (self.nodes2, self._ends[1])))
        return _interrupt.returned(Distance.of(found, graphs), found.interrupted)

    def edits(self, matching: Sequence[int]) -> tuple[NodePath, EdgePath, float]:
        """What a map of nodes stands for, as networkx tells it, and what it costs."""
        nodes, edges = self.nodes, self.edges
        node_path: NodePath = []
        edge_path: EdgePath = []
        costs: list[float] = []
        left = set(range(len(self.nodes2)))
        for i, a in enumerate(matching):
            if a < 0:
                node_path.append((self.nodes1[i], None))
                costs.append(nodes.delete[nodes.place(i)])
                continue
            left.discard(a)
            node_path.append((self.nodes1[i], self.nodes2[a]))
            costs.append(nodes.substitute[nodes.place(i), nodes.place(a)])
        for a in sorted(left):
            node_path.append((None, self.nodes2[a]))
            costs.append(nodes.insert[nodes.place(a)])
        inserted = set(range(len(self.edges2)))
        for k, (u, v) in enumerate(self._ends[0].tolist()):
            x = edges.place(k)
            image = self._between.get(self._key(matching[u], matching[v])) if matching[u] >= 0 and matching[v] >= 0 else None
            if image is not None:
                y = edges.place(image)
                if edges.substitute[x, y] <= edges.delete[x] + edges.insert[y]:
                    inserted.discard(image)
                    edge_path.append((self.edges1[k], self.edges2[image]))
                    costs.append(edges.substitute[x, y])
                    continue
            edge_path.append((self.edges1[k], None))
            costs.append(edges.delete[x])
        for k in sorted(inserted):
            edge_path.append((None, self.edges2[k]))
            costs.append(edges.insert[edges.place(k)])
        return node_path, edge_path, math.fsum(costs)

    def best(self, upper_bound: float | None, timeout: float | None) -> tuple[list[int], float] | None:
        """The best map and what it costs, None where it costs more than upper_bound."""
        began = time.monotonic()

        def limit() -> dict[str, Any]:
            return {} if timeout is None else {"time_limit": max(timeout - (time.monotonic() - began), 1e-6)}

        if upper_bound is not None:
            if upper_bound < 0:
                return None
            if math.isfinite(upper_bound):
                asked = self.search({"within": upper_bound + _ROUNDED * self._most(), **limit()})
                _interrupt.returned(None, asked.interrupted)
                if asked.record.get("within") is False:
                    return None
        found = self.search(limit())
        matching = found.parts[_library.MATCHING].tolist()
        cost = self.edits(matching)[2]
        _interrupt.returned(cost, found.interrupted)
        if upper_bound is not None and cost > upper_bound + _SAME * max(1.0, cost):
            return None
        return matching, cost

    def optimal(self, cost: float) -> list[list[int]]:
        """All maps of the least cost."""
        found = self.search({"matchings": _MOST_PATHS})
        _interrupt.returned(None, found.interrupted)
        # Costs without a common unit are rounded in the search.
        return [m for m in found.record.get("matchings") or [[]] if self.edits(m)[2] <= cost + _SAME * max(1.0, cost)]


class _Empty:
    """A graph without nodes."""

    names: tuple[()] = ()
    nodes = 0


_MOST_PATHS = 1_000_000
_SAME = 1e-9  # relative difference of costs that are the same, but for the order of their sums
_ROUNDED = 1e-6  # of costs in the search, which rounds those without a common unit, and what its edits add up to


def _timeout(timeout: float | None) -> None:
    if timeout is not None and not timeout > 0:
        import networkx

        raise networkx.NetworkXError("Timeout value must be greater than 0")


def graph_edit_distance(
    G1: Any, G2: Any, node_match: Any = None, edge_match: Any = None, node_subst_cost: Any = None, node_del_cost: Any = None,
    node_ins_cost: Any = None, edge_subst_cost: Any = None, edge_del_cost: Any = None, edge_ins_cost: Any = None, roots: Roots | None = None,
    upper_bound: float | None = None, timeout: float | None = None,
) -> float | None:
    """In place of networkx.graph_edit_distance, with its arguments: the least cost of edits from G1 to G2.

    Returns None where that is more than upper_bound. After timeout seconds it returns the least cost so far. Each function
    is called once for each node, edge, or pair of them.

    >>> import networkx as nx, rgm
    >>> rgm.graph_edit_distance(nx.cycle_graph(6), nx.wheel_graph(7))
    7.0
    """
    _timeout(timeout)
    f = Functions(node_match, edge_match, node_subst_cost, node_del_cost, node_ins_cost, edge_subst_cost, edge_del_cost, edge_ins_cost)
    best = Problem(G1, G2, f, roots).best(upper_bound, timeout)
    return None if best is None else best[1]


def optimal_edit_paths(
    G1: Any, G2: Any, node_match: Any = None, edge_match: Any = None, node_subst_cost: Any = None, node_del_cost: Any = None,
    node_ins_cost: Any = None, edge_subst_cost: Any = None, edge_del_cost: Any = None, edge_ins_cost: Any = None, upper_bound: float | None = None,
) -> tuple[list[tuple[NodePath, EdgePath]], float | None]:
    """In place of networkx.optimal_edit_paths, with its arguments: all maps of nodes whose edits cost least.

    Returns a list of pairs (node_edit_path, edge_edit_path), and the cost: node_edit_path has pairs (u, v) of a node of G1 and
    one of G2, None for what is inserted or deleted; edge_edit_path has pairs of edges. There may be very many.

    >>> import networkx as nx, rgm
    >>> paths, cost = rgm.optimal_edit_paths(nx.cycle_graph(4), nx.wheel_graph(5))
    >>> len(paths), cost
    (40, 5.0)
    """
    f = Functions(node_match, edge_match, node_subst_cost, node_del_cost, node_ins_cost, edge_subst_cost, edge_del_cost, edge_ins_cost)
    p = Problem(G1, G2, f)
    best = p.best(upper_bound, None)
    if best is None:
        return [], None
    return [p.edits(m)[:2] for m in p.optimal(best[1])], best[1]


def optimize_graph_edit_distance(
    G1: Any, G2: Any, node_match: Any = None, edge_match: Any = None, node_subst_cost: Any = None, node_del_cost: Any = None,
    node_ins_cost: Any = None, edge_subst_cost: Any = None, edge_del_cost: Any = None, edge_ins_cost: Any = None, upper_bound: float | None = None,
) -> Iterator[float]:
    """In place of networkx.optimize_graph_edit_distance, with its arguments: costs of edits, each less than the one before.

    The last one is the distance. The search goes on while the caller uses a cost, and ends with the loop.

    >>> import networkx as nx, rgm
    >>> list(rgm.optimize_graph_edit_distance(nx.cycle_graph(6), nx.wheel_graph(7)))[-1]
    7.0
    """
    f = Functions(node_match, edge_match, node_subst_cost, node_del_cost, node_ins_cost, edge_subst_cost, edge_del_cost, edge_ins_cost)
    return _improving(Problem(G1, G2, f), math.inf if upper_bound is None else upper_bound)


def _improving(p: Problem, upper_bound: float) -> Iterator[float]:
    heard: queue.SimpleQueue[Any] = queue.SimpleQueue()
    stop = threading.Event()

    def run() -> None:
        try:
            found = p.search({"progress": False}, lambda best: heard.put(best.objective), stop)
            heard.put(("end", p.edits(found.parts[_library.MATCHING].tolist())[2]))
        except BaseException as e:
            heard.put(e)

    thread = threading.Thread(target=run, name="rgm", daemon=True)
    thread.start()
    least = math.inf
    try:
        while True:
            news = heard.get()
            if isinstance(news, BaseException):
                raise news
            ended = isinstance(news, tuple)
            cost = float(news[1] if ended else news)
            if cost < least - _ROUNDED * max(1.0, abs(cost)) and cost <= upper_bound + _SAME * max(1.0, cost):
                least = cost
                yield cost
            if ended:
                return
    finally:
        stop.set()
        thread.join()

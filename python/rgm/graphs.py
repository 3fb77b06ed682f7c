"""What can be matched: graphs of networkx, tables of pandas, points, adjacency matrices, and graphs put together from arrays."""

from __future__ import annotations

import json
import numbers
import re
from typing import Any, Hashable, Sequence

import numpy as np

from . import _arrays, _library


class Graph:
    """A graph, or a set of points, to be matched with another.

    points and features have a row for each node, edges the two nodes of each edge (from 0), weights a number and
    edge_features a row for each edge. NaN or None in points and features is unknown. Of points without edges, edges are
    chosen. names are those by which results call the nodes.

    >>> import rgm
    >>> square = rgm.Graph(points=[[0, 0], [2, 0], [2, 1], [0, 1]])
    >>> turned = rgm.Graph(points=[[2, 1], [0, 1], [0, 0], [2, 0]], names="abcd")
    >>> rgm.match(square, turned, kernel="direction").pairs
    [(0, 'c'), (1, 'd'), (2, 'a'), (3, 'b')]
    """

    def __init__(
        self, *, nodes: int | None = None, points: Any = None, features: Any = None, edges: Any = None, weights: Any = None,
        edge_features: Any = None, names: Sequence[Hashable] | None = None, directed: bool = False,
    ) -> None:
        def rows(name: str, value: Any) -> np.ndarray | None:
            return None if value is None else _arrays.array(name, value, 2, unknown=name != "edge_features")

        self.points, self.features, self.edge_features = rows("points", points), rows("features", features), rows("edge_features", edge_features)
        self.weights = None if weights is None else _arrays.array("weights", weights, 1)
        self.edges = None if edges is None else _ends(edges)
        self.directed = bool(directed)
        sizes = {"points": self.points, "features": self.features, "names": names}
        counts = {name: len(value) for name, value in sizes.items() if value is not None}
        if nodes is not None:
            counts["nodes"] = int(nodes)
        if not counts and self.edges is not None and len(self.edges):
            counts["edges"] = int(self.edges.max()) + 1
        if len(set(counts.values())) != 1:
            raise ValueError(f"a graph of {counts or 'nothing'}: want points, features, names or nodes, as many of each")
        self.nodes = next(iter(counts.values()))
        edge_count = 0 if self.edges is None else len(self.edges)
        for name, value in {"weights": self.weights, "edge_features": self.edge_features}.items():
            if value is not None and len(value) != edge_count:
                raise ValueError(f"{len(value)} {name} of {edge_count} edges: want one each")
        self.names: Sequence[Hashable] = range(self.nodes) if names is None else list(names)
        if names is not None and len(set(names)) != self.nodes:
            raise ValueError("names: want another one for each node")

    def _open(self) -> _library.Handle:
        return _library.new_graph(self.nodes, self.points, self.features, self.edges, self.weights, self.edge_features, self.directed)


def _ends(edges: Any) -> np.ndarray:
    """Pairs of nodes."""
    ends = np.asarray(edges) if len(edges) else np.empty((0, 2), np.int64)
    if ends.ndim != 2 or ends.shape[1] != 2 or ends.dtype.kind not in "ui":
        raise ValueError(f"edges have the shape {ends.shape} and the type {ends.dtype}: want two whole numbers each, nodes from 0")
    return np.require(ends, np.int64, ["C", "A"])


class _Attributed(Graph):
    """A graph whose attributes are read as rgm match reads those of files."""

    def __init__(
        self, names: Sequence[Hashable], nodes: list[dict[str, Any]], links: list[tuple[int, int, dict[str, Any]]] | None, directed: bool = False,
    ) -> None:
        """Of nodes without links edges are chosen."""
        edges = None if links is None else [(u, v) for u, v, _ in links if u != v]
        super().__init__(names=names, edges=edges, directed=directed)
        self._text = json.dumps({
            "directed": directed, "multigraph": False, "nodes": [{**_unclash(given), "id": k} for k, given in enumerate(nodes)],
            "links": [{**given, "source": u, "target": v} for u, v, given in links or []],
        }).encode()
        if any("x" in node and "y" in node for node in nodes):
            self.points = np.array([[node.get("x", np.nan), node.get("y", np.nan)] for node in nodes], float)

    def _open(self) -> _library.Handle:
        try:
            return _library.read_graph("graph.json", self._text)
        except ValueError as e:  # which knows the nodes by their numbers
            raise ValueError(re.sub(r"nodes (\d+) and (\d+) are", lambda m: "nodes {!r} and {!r} are".format(*(self.names[int(k)] for k in m.groups())), str(e))) from None


def _unclash(given: dict[str, Any]) -> dict[str, Any]:
    """Attributes of a node with another name for its id, which is its number here."""
    return {"ID" if name == "id" and "ID" not in given else name: value for name, value in given.items()}


def _networkx(name: str, graph: Any) -> Graph:
    """A graph of networkx. Edges between the same two nodes are joined, as rgm match does, and the result's unused says so."""
    names = list(graph.nodes)
    number = {node: k for k, node in enumerate(names)}
    nodes = []
    for node, given in graph.nodes(data=True):
        given = dict(given)
        place = given.pop("pos", None)
        if place is not None and len(place) in (2, 3):
            given.update(zip("xyz", (float(v) for v in place)))
        nodes.append(_attributes(f"{name}, node {node!r}", given))
    links = [
        (number[u], number[v], _attributes(f"{name}, edge {u!r}, {v!r}", given)) for u, v, given in graph.edges(data=True)]
    return _Attributed(names, nodes, links, graph.is_directed())


def _attributes(where: str, given: dict[Any, Any]) -> dict[str, Any]:
    """What of attributes the library compares: numbers and words. None and NaN are as if they were not there."""
    taken: dict[str, Any] = {}
    for name, value in given.items():
        if isinstance(value, (bool, np.bool_)):
            taken[str(name)] = bool(value)
        elif isinstance(value, numbers.Real):
            if np.isnan(float(value)):
                continue
            if not np.isfinite(float(value)):
                raise ValueError(f"{where}: {name} is {value}: want a finite number, or no such attribute")
            taken[str(name)] = int(value) if isinstance(value, numbers.Integral) else float(value)
        elif isinstance(value, str):
            taken[str(name)] = value
    return taken


def _adjacency(name: str, rows: np.ndarray, cols: np.ndarray, values: np.ndarray, nodes: int) -> Graph:
    """The graph of a square matrix: symmetric ones have edges without direction, others than 0 and 1 weights."""
    keep = (values != 0) & (rows != cols)
    rows, cols, values = rows[keep], cols[keep], values[keep]
    order, back = np.lexsort((cols, rows)), np.lexsort((rows, cols))
    symmetric = all(np.array_equal(x[order], y[back]) for x, y in ((rows, cols), (cols, rows), (values, values)))
    if symmetric:
        once = rows < cols
        rows, cols, values = rows[once], cols[once], values[once]
    weights = None if (values == 1).all() else values
    return Graph(nodes=nodes, edges=np.column_stack([rows, cols]), weights=weights, directed=not symmetric)


def as_graph(name: str, value: Any) -> Graph:
    """What a user gave as a graph."""
    if isinstance(value, Graph):
        return value
    if hasattr(value, "is_directed") and hasattr(value, "nodes"):
        return _networkx(name, value)
    if hasattr(value, "columns") and hasattr(value, "iloc"):
        from ._frames import frame_graph  # which makes graphs by what is here

        return frame_graph(name, value)
    if hasattr(value, "tocoo"):
        if value.shape[0] != value.shape[1]:
            raise ValueError(f"{name} has the shape {value.shape}: want a square adjacency matrix")
        return _adjacency(name, *_arrays.coordinates(name, value), value.shape[0])
    given = _arrays.array(name, value, 2, unknown=True)
    n, width = given.shape
    if n == 0 or width == 0:
        raise ValueError(f"{name} has the shape {given.shape}: want one node at least")
    if n != width:
        return Graph(points=given)
    if n <= 3:
        raise ValueError(f"{name} has the shape {given.shape}: points or an adjacency matrix? Say rgm.Graph(points=…) or rgm.Graph(nodes=…, edges=…)")
    return _square(name, _arrays.array(name, given, 2))


def _square(name: str, matrix: np.ndarray) -> Graph:
    """The graph of a dense adjacency matrix."""
    rows, cols = np.nonzero(matrix)
    return _adjacency(name, rows, cols, matrix[rows, cols], len(matrix))

"""How far graphs are from each other by edits: the functions of networkx, with its signatures, and more."""

from __future__ import annotations

import ctypes
import dataclasses
import json
import math
from typing import Any, Callable, Hashable, Iterator, Sequence

import numpy as np

from . import _interrupt, _library
from .graphs import Graph, as_graph

_MOST_PATHS = 1 << 20


@dataclasses.dataclass(frozen=True)
class Distance:
    """How far two graphs are from each other, or what is known of it."""

    distance: float  #: cost of the cheapest edits that were found
    lower_bound: float  #: no edits cost less
    status: str  #: "optimal" where the distance is proved, else what ended the search
    similarity: float  #: 1 - distance / (cost of deleting graph 1 and inserting graph 2)
    pairs: list[tuple[Hashable, Hashable]]  #: nodes that are kept or substituted, by their names
    edits: list[dict[str, Any]]  #: do (keep, substitute, delete, insert), of (node, edge), first, second, cost
    within: bool | None  #: whether the distance is at most what was asked for, None where that is not known
    record: dict[str, Any]  #: what ``rgm distance --format json`` prints

    @property
    def proved(self) -> bool:
        return self.status == "optimal"


@dataclasses.dataclass(frozen=True)
class Distances:
    """Distances of many graphs, a row for each of the first."""

    distance: np.ndarray
    lower_bound: np.ndarray

    @property
    def proved(self) -> np.ndarray:
        return self.lower_bound >= self.distance


def distance(
    graph1: Any, graph2: Any, *, costs: str | dict[str, Callable[..., Any]] = "uniform", within: float | None = None,
    time_limit: Any = None, max_steps: int | None = None, seed: int | None = None,
) -> Distance:
    """Finds the least cost of edits that turn graph1 into graph2: nodes and edges deleted, inserted and substituted.

    Graphs are those of match. costs is the name of a model (uniform, chem2, letter, grec, protein, common), or for graphs
    of networkx a dict of networkx's callables: node_match, edge_match, node_subst_cost, node_del_cost and so on. within
    ends the search once it is known whether the distance is at most this. A limit ends it with the best so far and a lower
    bound.

    >>> import networkx as nx, rgm
    >>> found = rgm.distance(nx.cycle_graph(6), nx.path_graph(6))
    >>> found.distance, found.lower_bound, found.status
    (1.0, 1.0, 'optimal')
    """
    options = {"within": within, "time_limit": time_limit, "max_steps": max_steps, "seed": seed, "path": True}
    if isinstance(costs, dict):
        tables, names = _tables(graph1, graph2, costs)
        found, interrupted = _library.distance_by_tables(tables, options)
    else:
        g1, g2 = as_graph("graph1", graph1), as_graph("graph2", graph2)
        names = (g1.names, g2.names)
        with g1._open() as one, g2._open() as two:
            found, interrupted = _library.distance(one, two, {**options, "costs": costs})
    return _interrupt.returned(_distance(found, names), interrupted)


def _distance(found: dict[str, Any], names: Sequence[Sequence[Hashable]]) -> Distance:
    pairs = [(names[0][i], names[1][a]) for i, a in enumerate(found["matching"] or []) if a >= 0]
    return Distance(
        float(found["distance"]), float(found["lower_bound"]), found["status"], found["similarity"], pairs, found.get("path") or [], found.get("within"), found,
    )


def distances(
    graphs: Sequence[Any], others: Sequence[Any] | None = None, *, costs: str = "uniform", within: float | None = None,
    time_limit: Any = None, max_steps: int | None = None, seed: int | None = None, threads: int | None = None,
) -> Distances:
    """Measures all graphs against all others, or each two of the graphs, on all processors.

    Limits are those of each pair. What is not proved has a lower bound below the distance. Ctrl-C ends it with the
    exception Interrupted, whose result has NaN for what was not measured.

    >>> import networkx as nx, rgm
    >>> rgm.distances([nx.path_graph(n) for n in (2, 3, 4)]).distance.tolist()
    [[0.0, 2.0, 4.0], [2.0, 0.0, 2.0], [4.0, 2.0, 0.0]]
    """
    options = {"costs": costs, "within": within, "time_limit": time_limit, "max_steps": max_steps, "seed": seed, "threads": threads}
    first = [as_graph(f"graphs[{k}]", g)._open() for k, g in enumerate(graphs)]
    second = None if others is None else [as_graph(f"others[{k}]", g)._open() for k, g in enumerate(others)]
    shape = (len(first), len(first) if second is None else len(second))
    found = Distances(np.full(shape, np.nan), np.full(shape, np.nan))
    if second is None:
        for values in (found.distance, found.lower_bound):
            np.fill_diagonal(values, 0)
    interrupted = bool(found.distance.size) and _library.distances(first, second, options, found.distance, found.lower_bound)
    return _interrupt.returned(found, interrupted)


def graph_edit_distance(
    G1: Any, G2: Any, node_match: Any = None, edge_match: Any = None, node_subst_cost: Any = None, node_del_cost: Any = None,
    node_ins_cost: Any = None, edge_subst_cost: Any = None, edge_del_cost: Any = None, edge_ins_cost: Any = None,
    roots: tuple[Hashable, Hashable] | None = None, upper_bound: float | None = None, timeout: float | None = None,
) -> float | None:
    """networkx.graph_edit_distance, with its arguments and its result.

    Each callable is called once for two nodes or edges. None is returned where the distance is above upper_bound. After
    timeout seconds the best so far is.

    >>> import networkx as nx, rgm
    >>> rgm.graph_edit_distance(nx.cycle_graph(6), nx.wheel_graph(7))
    7.0
    """
    tables, _ = _tables(G1, G2, _callables(locals()), roots)
    if timeout is not None and not timeout > 0:
        raise ValueError(f"timeout is {timeout!r}: want a number of seconds above 0")
    found, interrupted = _library.distance_by_tables(tables, {"time_limit": timeout, "within": None})
    cost = float(found["distance"])
    return _interrupt.returned(None if upper_bound is not None and cost > upper_bound else cost, interrupted)


def optimal_edit_paths(
    G1: Any, G2: Any, node_match: Any = None, edge_match: Any = None, node_subst_cost: Any = None, node_del_cost: Any = None,
    node_ins_cost: Any = None, edge_subst_cost: Any = None, edge_del_cost: Any = None, edge_ins_cost: Any = None,
    upper_bound: float | None = None,
) -> tuple[list[tuple[list[tuple[Any, Any]], list[tuple[Any, Any]]]], float | None]:
    """networkx.optimal_edit_paths: all paths of least cost, each of edits of nodes and of edges, and that cost.

    Of maps of nodes that cost the same each has one path: an edge is substituted where that is no dearer than to delete it
    and to insert the other.
    """
    tables, names = _tables(G1, G2, _callables(locals()))
    found, interrupted = _library.distance_by_tables(tables, {"matchings": _MOST_PATHS})
    cost = float(found["distance"])
    if upper_bound is not None and cost > upper_bound:
        return _interrupt.returned(([], None), interrupted)
    paths = [_path(G1, G2, names, tables, image or []) for image in found.get("matchings") or []]
    return _interrupt.returned((paths, cost), interrupted)


def optimize_graph_edit_distance(
    G1: Any, G2: Any, node_match: Any = None, edge_match: Any = None, node_subst_cost: Any = None, node_del_cost: Any = None,
    node_ins_cost: Any = None, edge_subst_cost: Any = None, edge_del_cost: Any = None, edge_ins_cost: Any = None,
    upper_bound: float | None = None,
) -> Iterator[float]:
    """networkx.optimize_graph_edit_distance: distances, each less than the one before; the last is exact."""
    tables, _ = _tables(G1, G2, _callables(locals()))
    best = math.inf if upper_bound is None else math.nextafter(upper_bound, math.inf)
    for steps in (1, 10_000, 1_000_000, None):
        found, interrupted = _library.distance_by_tables(tables, {"max_steps": steps})
        cost = float(found["distance"])
        _interrupt.returned(cost, interrupted)
        if cost < best:
            best = cost
            yield cost
        if found["status"] == "optimal":
            return


_NAMES = (
    "node_match", "edge_match", "node_subst_cost", "node_del_cost", "node_ins_cost", "edge_subst_cost", "edge_del_cost", "edge_ins_cost")


def _callables(given: dict[str, Any]) -> dict[str, Any]:
    return {name: given[name] for name in _NAMES}


def _costs(kind: str, first: list[Any], second: list[Any], by: dict[str, Any]) -> dict[str, list[float]]:
    """The tables of nodes or edges by networkx's callables."""
    def alone(name: str, of: list[Any]) -> list[float]:
        cost = by.get(name)
        return [1.0] * len(of) if cost is None else [_number(name, cost(x)) for x in of]

    substitute, match = by.get(f"{kind}_subst_cost"), by.get(f"{kind}_match")
    if substitute is not None:
        table = [_number(f"{kind}_subst_cost", substitute(x, y)) for x in first for y in second]
    elif match is not None:
        table = [1.0 - int(bool(match(x, y))) for x in first for y in second]
    else:
        table = [0.0] * (len(first) * len(second))
    return {"delete": alone(f"{kind}_del_cost", first), "insert": alone(f"{kind}_ins_cost", second), "substitute": table}


def _number(name: str, value: Any) -> float:
    cost = float(value)
    if not cost >= 0:
        raise ValueError(f"{name} returned {value!r}: want a number of at least 0")
    return -1.0 if math.isinf(cost) and name.endswith("subst_cost") else cost


def _tables(g: Any, h: Any, by: dict[str, Any], roots: tuple[Hashable, Hashable] | None = None) -> tuple[dict[str, Any], tuple[list[Any], list[Any]]]:
    """Two graphs of networkx as tables: each node and each edge has a label of its own."""
    unknown = [name for name in by if name not in _NAMES]
    if unknown:
        raise ValueError(f"costs: {unknown[0]!r} is unknown: want some of {', '.join(_NAMES)}")
    sides = []
    for name, graph in (("G1", g), ("G2", h)):
        if not hasattr(graph, "is_multigraph"):
            raise ValueError(f"{name} is {type(graph).__name__}: want a graph of networkx where callables say what edits cost")
        if graph.is_multigraph():
            raise ValueError(f"{name} is a multigraph: want one edge between two nodes, as networkx.Graph(g) or DiGraph(g) makes")
        nodes, edges = list(graph.nodes(data=True)), list(graph.edges(data=True))
        number = {node: k for k, (node, _) in enumerate(nodes)}
        ends = [part for k, (u, v, _) in enumerate(edges) for part in (number[u], number[v], k)]
        sides.append((graph, nodes, edges, number, ends))
    (g, nodes1, edges1, number1, ends1), (h, nodes2, edges2, number2, ends2) = sides
    if g.is_directed() != h.is_directed():
        raise ValueError("one graph is directed and the other is not: make both alike")
    tables = {
        "graph1": {"directed": g.is_directed(), "nodes": list(range(len(nodes1))), "edges": ends1},
        "graph2": {"directed": h.is_directed(), "nodes": list(range(len(nodes2))), "edges": ends2},
        "nodes": _costs("node", [given for _, given in nodes1], [given for _, given in nodes2], by),
        "edges": _costs("edge", [given for _, _, given in edges1], [given for _, _, given in edges2], by),
    }
    if roots is not None:
        _fix(tables, number1.get(roots[0]), number2.get(roots[1]), len(nodes2))
    return tables, ([node for node, _ in nodes1], [node for node, _ in nodes2])


def _fix(tables: dict[str, Any], root1: int | None, root2: int | None, width: int) -> None:
    """Lets a node of graph 1 go to one of graph 2 alone: neither is deleted or inserted but at the cost of everything."""
    if root1 is None or root2 is None:
        raise ValueError("roots: want a node of G1 and one of G2")
    nodes, edges = tables["nodes"], tables["edges"]
    everything = 1 + math.ceil(sum(map(sum, (nodes["delete"], nodes["insert"], edges["delete"], edges["insert"]))) + max(
        [0.0, nodes["substitute"][root1 * width + root2]]))
    if nodes["substitute"][root1 * width + root2] == -1:
        raise ValueError("roots: their substitution costs infinity")
    nodes["delete"][root1] = nodes["insert"][root2] = float(everything)
    for a in range(width):
        if a != root2:
            nodes["substitute"][root1 * width + a] = -1.0
    for i in range(len(nodes["delete"])):
        if i != root1:
            nodes["substitute"][i * width + root2] = -1.0


def _path(g: Any, h: Any, names: tuple[list[Any], list[Any]], tables: dict[str, Any], image: list[int]) -> tuple[list[Any], list[Any]]:
    """The path of a map of nodes as networkx has it."""
    names1, names2 = names
    partner = {names1[i]: names2[a] for i, a in enumerate(image) if a >= 0}
    taken = set(partner.values())
    nodes = [(u, partner.get(u)) for u in names1] + [(None, v) for v in names2 if v not in taken]
    costs, edges1, edges2 = tables["edges"], list(g.edges), list(h.edges)
    number = {edge: k for k, edge in enumerate(edges2)}
    if not h.is_directed():
        number.update({(v, u): k for (u, v), k in list(number.items())})
    edges, matched = [], set()
    for k, (u, v) in enumerate(edges1):
        other = number.get((partner[u], partner[v])) if u in partner and v in partner else None
        if other is not None:
            substitute = costs["substitute"][k * len(edges2) + other]
            if 0 <= substitute <= costs["delete"][k] + costs["insert"][other]:
                edges.append(((u, v), edges2[other]))
                matched.add(other)
                continue
        edges.append(((u, v), None))
    edges += [(None, edge) for k, edge in enumerate(edges2) if k not in matched]
    return nodes, edges

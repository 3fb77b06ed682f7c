"""Two graphs, matched."""

from __future__ import annotations

from typing import Any, Hashable, Iterable, Mapping

import numpy as np

from . import _arrays, _interrupt, _library
from ._library import OnBest
from .graphs import Graph, as_graph
from .result import Result

_PARTS = (_library.MATCHING, _library.WITNESSES, _library.MARGINS, _library.SURE, _library.CONFIDENCE)


def match(
    graph1: Any, graph2: Any, *, method: str | None = None, kernel: str | None = None, scale: str | None = None,
    known: Iterable[tuple[Hashable, Hashable]] = (), similarity: Any = None, on_best: OnBest | None = None, **options: Any,
) -> Result:
    """Finds which node of one graph is which of another, as ``rgm match`` does.

    A graph is one of networkx, whose numbers and words of nodes and edges are compared; an array of points, a row
    each; a square adjacency matrix, dense or one of SciPy's sparse; or an rgm.Graph. Graphs whose nodes and edges have nothing to
    compare, and large ones, are aligned by their edges (see align).

    known are pairs of nodes, by their names, that are right and stay. kernel (length, direction, weight, features,
    binary) says what of two edges is compared, scale (same, free) whether lengths have the same unit, edges (delaunay,
    knn:8) which points are joined, weight which number of the edges is their weight, and node_weight what attributes of
    nodes count. similarity says how alike nodes are besides: a dictionary {(name1, name2): number above 0}, or a matrix
    with a row for each node of graph 1. affinity="learned" is for points of which some have no partner. Further options
    are those of the service.

    on_best is called with each better matching (objective, seconds, steps, matching, found_by); where it returns True
    the search ends.

    >>> import numpy as np, rgm
    >>> points = np.random.default_rng(1).random((12, 2))
    >>> order = np.random.default_rng(2).permutation(12)
    >>> result = rgm.match(points, points[order])
    >>> bool((order[result.matching] == np.arange(12)).all())
    True
    """
    g1, g2 = as_graph("graph1", graph1), as_graph("graph2", graph2)
    compare = {name: value for name, value in (("kernel", kernel), ("scale", scale)) if value is not None}
    fix = [*options.pop("fix", ()), *_numbered(known, g1, g2)]
    if similarity is not None:
        options["similarity"] = _rows(similarity, g1, g2)
    with g1._open() as one, g2._open() as two, _library.match(one, two, compare) as problem:
        found = _library.solve(problem, {**options, "method": method, "fix": fix or None}, g1.nodes, _PARTS, on_best)
    return _interrupt.returned(Result.of(found, (g1.nodes, g2.nodes), (g1, g2)), found.interrupted)


def align(
    graph1: Any, graph2: Any, *, known: Iterable[tuple[Hashable, Hashable]] = (), on_best: OnBest | None = None, **options: Any,
) -> Result:
    """Aligns two graphs by their edges, of up to a million nodes: as many edges as possible fall on edges.

    Graphs are those of match; all of them need edges. ``confidence`` says of each node how likely its match is right, and
    ``sure`` whether that is .99 or more.

    >>> import numpy as np, rgm
    >>> a = np.triu(np.random.default_rng(3).random((40, 40)) < 0.2, 1)
    >>> a = (a | a.T).astype(int)
    >>> order = np.random.default_rng(4).permutation(40)
    >>> result = rgm.align(a, a[np.ix_(order, order)], seed=1)
    >>> result.record["shared_edges"] == a.sum() // 2
    True
    """
    return match(graph1, graph2, method="align", known=known, on_best=on_best, **options)


def _numbered(known: Iterable[tuple[Hashable, Hashable]], g1: Graph, g2: Graph) -> list[str]:
    """Pairs of names as the option fix has them."""
    known = list(known)
    if not known:
        return []
    places = [{name: k for k, name in enumerate(g.names)} for g in (g1, g2)]
    numbered = []
    for k, pair in enumerate(known):
        try:
            i, a = (place[name] for place, name in zip(places, pair, strict=True))
        except (KeyError, TypeError, ValueError):
            raise ValueError(f"known[{k}] is {pair!r}: want a node of graph 1 and one of graph 2, by their names") from None
        numbered.append(f"{i}:{a}")
    return numbered


def _rows(similarity: Any, g1: Graph, g2: Graph) -> list[list[float]]:
    """Similarities as rows [i, a, number], of a matrix those that are not 0."""
    if not isinstance(similarity, Mapping):
        matrix = _arrays.array("similarity", similarity, 2)
        if matrix.shape != (g1.nodes, g2.nodes):
            raise ValueError(f"similarity has the shape {matrix.shape}: want {(g1.nodes, g2.nodes)}, or a dictionary {{(name1, name2): number}}")
        i, a = np.nonzero(matrix)
        return np.column_stack([i, a, matrix[i, a]]).tolist()
    places = [{name: k for k, name in enumerate(g.names)} for g in (g1, g2)]
    rows = []
    for pair, value in similarity.items():
        try:
            i, a = (place[name] for place, name in zip(places, pair, strict=True))
        except (KeyError, TypeError, ValueError):
            raise ValueError(f"similarity has the key {pair!r}: want a node of graph 1 and one of graph 2, by their names") from None
        rows.append([i, a, float(value)])
    return rows

"""Tables of pandas: of edges, of points, and adjacency matrices with labels. pandas itself is not imported."""

from __future__ import annotations

from typing import Any, Hashable, Sequence

import numpy as np

from . import _arrays, graphs

_ENDS = (("source", "target"), ("from", "to"))  # as in the tables that rgm match reads
_AXES = ("x", "y", "z")
_NAME = "name"


def frame_graph(name: str, frame: Any) -> graphs.Graph:
    """A table as a graph: by its columns source and target, by labels that are the same on both sides, or of points."""
    if len(set(frame.columns)) < len(frame.columns):
        raise ValueError(f"{name} has columns of the same name: {list(frame.columns)}")
    columns = {str(column): k for k, column in enumerate(frame.columns)}
    for known in (*_ENDS[0], *_ENDS[1], *_AXES, _NAME):
        for other in (known.upper(), known.title()):  # X, Source
            if known not in columns and other in columns:
                columns[known] = columns.pop(other)
    for ends in _ENDS:
        if all(end in columns for end in ends):
            return _edges(name, frame, *(columns[end] for end in ends))
    labels = list(frame.index)
    if 0 < frame.shape[0] == frame.shape[1] and set(labels) == set(frame.columns):
        return _labelled(name, frame, labels)
    return _points(name, frame, columns)


def _labelled(name: str, frame: Any, labels: list[Hashable]) -> graphs.Graph:
    """An adjacency matrix whose rows and columns have the same labels, in any order."""
    place = {label: k for k, label in enumerate(frame.columns)}
    matrix = _arrays.array(name, frame.to_numpy()[:, [place[label] for label in labels]], 2, _arrays.NODES)
    graph = graphs._square(name, matrix)
    graph.names = labels
    return graph


def _edges(name: str, frame: Any, source: int, target: int) -> graphs.Graph:
    """A row an edge; other columns are attributes. The names of the nodes are in the order in which they come."""
    ends = [(u, v) for u, v in zip(_column(frame, source), _column(frame, target))]
    number: dict[Hashable, int] = {}
    for row, pair in enumerate(ends):
        for node in pair:
            if _missing(node):
                raise ValueError(f"{name}, row {row}: a node is missing: want two, or no such row")
            number.setdefault(node, len(number))
    if not number:
        raise ValueError(f"{name} has no rows: want one edge at least")
    others = [(str(column), _column(frame, k)) for k, column in enumerate(frame.columns) if k not in (source, target)]
    given = [
        graphs._attributes(f"{name}, row {row}", {column: values[row] for column, values in others if not _missing(values[row])})
        for row in range(len(ends))
    ]
    links = [(number[u], number[v], of) for (u, v), of in zip(ends, given)]
    return graphs._Attributed(list(number), [{} for _ in number], _one_way(name, links, list(number)))


def _one_way(name: str, links: list[tuple[int, int, dict[str, Any]]], names: list[Hashable]) -> list[tuple[int, int, dict[str, Any]]]:
    """Each edge in one direction. A list that has each of them in both, as a symmetric matrix does, is one of edges without direction."""
    seen: dict[tuple[int, int], dict[str, Any]] = {}
    for u, v, given in links:
        seen.setdefault((u, v), given)
    reversed_ = [(u, v) for u, v in seen if u != v and (v, u) in seen]
    if not reversed_:
        return links
    u, v = next(((u, v) for u, v in seen if u != v and seen.get((v, u)) != seen[u, v]), (-1, -1))
    if u >= 0:
        raise ValueError(
            f"{name} joins {names[u]!r} and {names[v]!r} otherwise than back: want each edge once; "
            "for edges with directions networkx.from_pandas_edgelist(…, edge_attr=True, create_using=networkx.DiGraph)")
    return [(u, v, given) for u, v, given in links if u <= v]


def _points(name: str, frame: Any, columns: dict[str, int]) -> graphs.Graph:
    """A row a point, named by a column name, or by the index where that is not 0, 1, 2, …"""
    names: Sequence[Hashable] | None = None
    values = {column: _column(frame, k) for column, k in columns.items()}
    if _NAME in values:
        names = values.pop(_NAME)
    elif list(frame.index) != list(range(len(frame))):
        names = list(frame.index)
    if not values or not len(frame):
        raise ValueError(f"{name} has the shape {frame.shape}: want points, columns x and y; edges, columns source and target; or an adjacency matrix")
    if not all(axis in values for axis in _AXES[:2]):
        words = [column for column, of in values.items() if any(isinstance(v, str) for v in of)]
        if words:
            raise ValueError(
                f"{name} has words in the columns {', '.join(map(repr, words))}: want points, columns x and y; edges, columns source and target; "
                "or an adjacency matrix whose rows and columns have the same labels")
        return graphs.Graph(points=_arrays.array(name, np.column_stack([np.asarray(of) for of in values.values()]), 2, unknown=True), names=names)
    nodes = [graphs._attributes(f"{name}, row {row}", {column: of[row] for column, of in values.items()}) for row in range(len(frame))]
    return graphs._Attributed(range(len(frame)) if names is None else names, nodes, None)


def _column(frame: Any, k: int) -> list[Any]:
    return frame.iloc[:, k].tolist()


def _missing(value: Any) -> bool:
    """None, NaN, and pandas' NA and NaT, which are unequal to themselves or to nothing."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # of NA nothing is true
        return True

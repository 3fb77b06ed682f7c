"""Affinity matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _arrays, _interrupt, _library
from ._library import OnBest
from .result import Result


def solve(
    K: Any, n1: Any = None, n2: Any = None, *, order: str = "row", n1max: int | None = None, n2max: int | None = None,
    maximize: bool = True, on_best: OnBest | None = None, **options: Any,
) -> Result | list[Result]:
    """Solves Lawler's quadratic assignment problem: the matching of most affinity.

    K is a matrix of n1·n2 rows, dense or one of SciPy's sparse. Its index i·n2+a stands for node i of graph 1 with
    node a of graph 2; with order="col", as in pygmtools, a·n1+i does. Without n1 and n2 both are the root of the rows.
    Of a K with a batch axis before, the results are a list; n1 and n2 may then be lists as well, and smaller
    problems stand in the corner of n1max×n2max nodes, as pygmtools pads them.

    >>> import numpy as np, rgm
    >>> K = np.zeros((6, 6))
    >>> K[0, 5] = K[5, 0] = 2  # node 0 with node 0, and node 1 with node 2
    >>> rgm.solve(K, 2, 3).pairs
    [(0, 0), (1, 2)]
    """
    if order not in ("row", "col"):
        raise ValueError(f"order is {order!r}: want 'row', or 'col' as in pygmtools")
    sense = _library.MAXIMIZE if maximize else _library.MINIMIZE
    if hasattr(K, "tocoo"):
        rows, cols, values = _arrays.coordinates("K", K)
        size1, size2 = _sizes(K.shape[0], n1, n2)
        if order == "col":
            rows, cols = (r % size1 * size2 + r // size1 for r in (rows, cols))
        if K.shape != (size1 * size2,) * 2:
            raise _mismatch("K", K.shape, size1, size2)
        with _library.sparse(size1, size2, rows, cols, values, sense) as problem:
            return _found(_library.solve(problem, options, size1, on_best=on_best), size1, size2)
    if np.ndim(K) == 3:
        return _batch(K, n1, n2, n1max, n2max, order=order, maximize=maximize, on_best=on_best, **options)
    k = _arrays.affinities(K, maximize and order == "row")
    size1, size2 = _sizes(len(k), n1, n2)
    if k.shape != (size1 * size2,) * 2:
        raise _mismatch("K", k.shape, size1, size2)
    if order == "col":
        k = np.ascontiguousarray(k.reshape(size2, size1, size2, size1).transpose(1, 0, 3, 2)).reshape(k.shape)
    with _library.dense(size1, size2, k, sense) as problem:
        return _found(_library.solve(problem, options, size1, on_best=on_best), size1, size2)


def _found(found: _library.Found, n1: int, n2: int) -> Result:
    return _interrupt.returned(Result.of(found, (n1, n2)), found.interrupted)


def _mismatch(name: str, shape: tuple[int, ...], n1: int, n2: int) -> ValueError:
    return ValueError(f"{name} has the shape {shape}: want {n1 * n2}×{n1 * n2} for graphs of {n1} and {n2} nodes")


def _sizes(rows: int, n1: Any, n2: Any) -> tuple[int, int]:
    """The nodes of both graphs."""
    if n1 is None and n2 is None:
        n1 = n2 = round(rows**0.5)
    elif n1 is None:
        n1 = rows // _arrays.count("n2", n2)
    elif n2 is None:
        n2 = rows // _arrays.count("n1", n1)
    return _arrays.count("n1", n1), _arrays.count("n2", n2)


def _batch(K: Any, n1: Any, n2: Any, n1max: int | None, n2max: int | None, *, order: str, **more: Any) -> list[Result]:
    """The results of problems that stand in the corners of matrices of one size."""
    k = _arrays.array("K", K, 3, copies=1)

    if not len(k):
        return []

    def each(name: str, given: Any) -> list[Any]:
        all_of_them = [given] * len(k) if given is None or np.ndim(given) == 0 else list(given)
        if len(all_of_them) != len(k):
            raise ValueError(f"{len(all_of_them)} {name} of a batch of {len(k)}: want one each")
        return all_of_them

    sizes = list(zip(each("n1", n1), each("n2", n2)))
    if any(size is None for pair in sizes for size in pair):
        sizes = [_sizes(k.shape[1], *pair) for pair in sizes]
    most1 = _arrays.count("n1max", n1max if n1max is not None else max((pair[0] for pair in sizes)))
    most2 = _arrays.count("n2max", n2max if n2max is not None else max((pair[1] for pair in sizes)))
    if k.shape[1:] != (most1 * most2,) * 2:
        raise _mismatch("K", k.shape, most1, most2)
    results = []
    for matrix, (s1, s2) in zip(k, sizes):
        s1, s2 = _arrays.count("n1", s1), _arrays.count("n2", s2)
        if s1 > most1 or s2 > most2:
            raise ValueError(f"n1 {s1} and n2 {s2} of a batch of {most1} and {most2} nodes: want at most these")
        i, a = np.meshgrid(np.arange(s1), np.arange(s2), indexing="ij")
        places = (i * most2 + a if order == "row" else a * most1 + i).ravel()
        try:
            results.append(solve(matrix[np.ix_(places, places)], s1, s2, **more))
        except _interrupt.Interrupted as e:
            _interrupt.returned([*results, e.result], True)
    return results

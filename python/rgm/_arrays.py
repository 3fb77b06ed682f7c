"""Arrays as the library takes them, or a ValueError that names the argument, the place and the remedy."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from . import _memory

NODES = 32768  # that the library takes of a graph whose affinities or matrices are given


def array(name: str, value: Any, dimensions: int, most: int = sys.maxsize, copies: int = 0, unknown: bool = False) -> np.ndarray:
    """The value as rows of doubles; one that is so already is not copied. None and NaN are what is unknown, where that may be.

    copies is how often the library copies it. What would need more memory than there is is refused before it is copied.
    """
    if value is None:
        raise ValueError(f"{name} is None: want an array of numbers")
    try:
        given = value if hasattr(value, "toarray") else np.asarray(value)  # SciPy's sparse matrices
    except ValueError as e:  # rows of several lengths
        raise ValueError(f"{name}: {e}") from None
    if unknown and given.dtype == object:
        try:
            given = given.astype(float)  # None becomes NaN
        except (TypeError, ValueError):
            pass  # as is said below
    if max(given.shape, default=0) > most:
        raise ValueError(f"{name} has the shape {given.shape}: want at most {most} rows; rgm.align takes larger graphs, by their edges")
    if given.dtype.kind not in "buif":
        raise ValueError(f"{name} has entries of type {given.dtype}: want real numbers")
    if given.ndim != dimensions:
        raise ValueError(f"{name} has the shape {given.shape}: want {dimensions} dimensions")
    if hasattr(given, "toarray") or not _in_place(given):
        copies += 1
    size = 8.0 * math.prod(given.shape)
    _memory.check(f"{name} of {'×'.join(map(str, given.shape))} numbers", copies * size, "want a smaller problem, or one of SciPy's sparse matrices")
    if hasattr(given, "toarray"):
        given = given.toarray()
    result = np.require(given, np.float64, ["C", "A"])
    step = max(1, (1 << 22) // max(1, math.prod(result.shape[1:])))
    for first in range(0, len(result), step):
        part = result[first : first + step]
        finite = np.isfinite(part) | np.isnan(part) if unknown else np.isfinite(part)
        if not finite.all():
            place = tuple(int(k) for k in np.argwhere(~finite)[0])
            place = (place[0] + first, *place[1:])
            raise ValueError(f"{name}[{', '.join(map(str, place))}] is {result[place]}: want finite numbers")
    return result


def _in_place(given: np.ndarray) -> bool:
    """Whether an array is rows of doubles."""
    return given.dtype == np.float64 and given.flags.c_contiguous and given.flags.aligned


def affinities(value: Any, maximize: bool) -> np.ndarray:
    """An affinity matrix. The library copies one that is not symmetric, or that is minimised."""
    given = value if isinstance(value, np.ndarray) and value.ndim == 2 and _in_place(value) else None
    if given is None or not maximize:  # a copy may be as little symmetric as what it is of
        return array("K", value, 2, copies=1)
    size = 8.0 * given.size
    k = array("K", given, 2)
    if size > _memory.available() and k.shape[0] == k.shape[1] and not _symmetric(k):
        _memory.check("a symmetric copy of K", size, "want K symmetric, which is not copied, or one of SciPy's sparse matrices")
    return k


def _symmetric(k: np.ndarray) -> bool:
    """Whether a square matrix is symmetric, looked at block by block."""
    step = 2048
    starts = range(0, len(k), step)
    return all(np.array_equal(k[p : p + step, q : q + step], k[q : q + step, p : p + step].T) for p in starts for q in starts if q <= p)


def square(name: str, value: Any) -> np.ndarray:
    """A square matrix."""
    matrix = array(name, value, 2, NODES, copies=1)
    if matrix.shape[0] != matrix.shape[1] or not len(matrix):
        raise ValueError(f"{name} has the shape {matrix.shape}: want a square matrix, of one row at least")
    return matrix


def count(name: str, value: Any) -> int:
    """A number of nodes."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or not 1 <= value <= NODES:
        raise ValueError(f"{name} is {value!r}: want a whole number from 1 to {NODES}")
    return int(value)


def coordinates(name: str, value: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows, columns and values of a sparse matrix of SciPy."""
    entries = value.tocoo()
    values = array(name, entries.data, 1)
    return np.require(entries.row, np.int64, ["C", "A"]), np.require(entries.col, np.int64, ["C", "A"]), values

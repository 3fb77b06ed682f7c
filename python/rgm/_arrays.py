"""Arrays as the library takes them, or a ValueError that names the argument, the place and the remedy."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

NODES = 32768  # that the library takes of a graph whose affinities or matrices are given


def array(name: str, value: Any, dimensions: int, most: int = sys.maxsize) -> np.ndarray:
    """The value as rows of doubles; one that is so already is not copied."""
    if value is None:
        raise ValueError(f"{name} is None: want an array of numbers")
    try:
        given = value if hasattr(value, "toarray") else np.asarray(value)  # SciPy's sparse matrices
    except ValueError as e:  # rows of several lengths
        raise ValueError(f"{name}: {e}") from None
    if max(given.shape, default=0) > most:
        raise ValueError(f"{name} has the shape {given.shape}: want at most {most} rows; rgm.align takes larger graphs, by their edges")
    if hasattr(given, "toarray"):
        given = given.toarray()
    if given.dtype.kind not in "buif":
        raise ValueError(f"{name} has entries of type {given.dtype}: want real numbers")
    if given.ndim != dimensions:
        raise ValueError(f"{name} has the shape {given.shape}: want {dimensions} dimensions")
    result = np.require(given, np.float64, ["C", "A"])
    finite = np.isfinite(result)
    if not finite.all():
        place = tuple(int(k) for k in np.argwhere(~finite)[0])
        raise ValueError(f"{name}[{', '.join(map(str, place))}] is {result[place]}: want finite numbers")
    return result


def square(name: str, value: Any) -> np.ndarray:
    """A square matrix."""
    matrix = array(name, value, 2, NODES)
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
